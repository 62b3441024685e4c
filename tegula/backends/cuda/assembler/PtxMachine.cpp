// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/assembler/PtxMachine.h"

#include "tegula/backends/LlvmPasses.h"
#include "tegula/backends/cpu/object/ObjectFile.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/Recovery.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

#include <mutex>

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}
// NOLINTEND(readability-identifier-naming)

using namespace llvm;
using namespace tegula;

tegula::Expected<std::unique_ptr<TargetMachine>>
tegula::makePtxMachine(StringRef chip) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  Triple triple("nvptx64-nvidia-cuda");
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return makeError("cannot make code for GPUs: {0}", problem);
  // The oldest that assemblers of today know, and the instructions need; for
  // chips that it does not know, the oldest that does.
  constexpr unsigned firstUnknown = 100;
  StringRef features = getChipNumber(chip) < firstUnknown ? "+ptx81" : "";
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, chip, features, TargetOptions(), std::nullopt, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

bool tegula::isChip(StringRef chip) {
  auto machine = makePtxMachine("sm_80");
  if (!machine) {
    consumeError(machine.takeError());
    return false;
  }
  return (*machine)->getMCSubtargetInfo()->isCPUStringValid(chip);
}

void tegula::optimizeForPtx(Module &module, TargetMachine &machine) {
  LlvmPasses passes(machine);
  passes.getCallbacks().registerBeforeNonSkippedPassCallback(
      [](StringRef, const Any &) {
        if (isStopWanted())
          stopStep();
      });
  ModulePassManager pipeline =
      passes.getBuilder().buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  passes.run(pipeline, module);
}

tegula::Expected<std::string> tegula::printPtx(Module &module,
                                               TargetMachine &machine) {
  SmallString<0> printed;
  raw_svector_ostream stream(printed);
  if (llvm::Error error =
          emitCode(module, machine, CodeGenFileType::AssemblyFile, stream))
    return error;
  return printed.str().str();
}
