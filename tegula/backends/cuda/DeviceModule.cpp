// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/DeviceModule.h"

#include "tegula/backends/cpu/ObjectFile.h"
#include "tegula/backends/cuda/CudaMachine.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace llvm;
using namespace tegula;

/// tegula/launch/gpu/device, compiled to LLVM's code.
static const unsigned char routines[] = {
#include "tegula/backends/cuda/DeviceCode.inc"
};

static tegula::Expected<std::unique_ptr<TargetMachine>>
makeMachine(StringRef chip) {
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
  // The oldest that assemblers of today know, and the instructions need.
  constexpr StringLiteral features = "+ptx80";
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, chip, features, TargetOptions(), std::nullopt, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

bool tegula::isChip(StringRef chip) {
  auto machine = makeMachine("sm_80");
  if (!machine) {
    consumeError(machine.takeError());
    return false;
  }
  return (*machine)->getMCSubtargetInfo()->isCPUStringValid(chip);
}

static void optimize(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
  PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graph, modules);
  passes.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
      .run(module, modules);
}

/// Adds the routines that the code calls.
static llvm::Error linkRoutines(Module &module) {
  StringRef bytes(reinterpret_cast<const char *>(routines), sizeof(routines));
  Expected<std::unique_ptr<Module>> library =
      parseBitcodeFile(MemoryBufferRef(bytes, "routines"), module.getContext());
  if (!library)
    return library.takeError();
  (*library)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*library),
                          Linker::Flags::LinkOnlyNeeded))
    return makeError("cannot link the routines of GPUs");
  return llvm::Error::success();
}

tegula::Expected<std::string> tegula::printDeviceCode(mlir::ModuleOp module,
                                                      const std::string &chip,
                                                      DeviceText text) {
  auto machine = makeMachine(chip);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  std::unique_ptr<Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "tegula");
  if (!translated)
    return makeError("cannot translate the kernel to LLVM IR");
  translated->setDataLayout((*machine)->createDataLayout());
  translated->setTargetTriple((*machine)->getTargetTriple());
  std::string kernel;
  for (Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.setCallingConv(CallingConv::PTX_Kernel);
    function.setLinkage(GlobalValue::ExternalLinkage);
    function.addFnAttr("nvvm.maxntid", std::to_string(cudaThreads));
    kernel = function.getName().str();
  }
  if (llvm::Error error = linkRoutines(*translated))
    return error;
  internalizeModule(*translated, [&](const GlobalValue &value) {
    return value.getName() == kernel;
  });
  for (Function &function : *translated) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("no-builtins");
  }
  optimize(*translated, **machine);
  if (text == DeviceText::LlvmIr) {
    std::string printed;
    raw_string_ostream stream(printed);
    translated->print(stream, nullptr);
    return printed;
  }
  SmallString<0> printed;
  raw_svector_ostream stream(printed);
  if (llvm::Error error = emitCode(*translated, **machine,
                                   CodeGenFileType::AssemblyFile, stream))
    return error;
  return printed.str().str();
}
