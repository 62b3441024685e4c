// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/DeviceModule.h"

#include "tegula/backends/LlvmPasses.h"
#include "tegula/backends/cpu/ObjectFile.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/launch/gpu/hopper/ProductAbi.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
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

/// tegula/launch/gpu/hopper, the same.
static const unsigned char products[] = {
#include "tegula/backends/cuda/HopperCode.inc"
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
  constexpr StringLiteral features = "+ptx81";
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
  LlvmPasses passes(machine);
  ModulePassManager pipeline =
      passes.getBuilder().buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  passes.run(pipeline, module);
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

static tegula::Expected<std::string> printPtx(Module &module,
                                              TargetMachine &machine) {
  SmallString<0> printed;
  raw_svector_ostream stream(printed);
  if (llvm::Error error =
          emitCode(module, machine, CodeGenFileType::AssemblyFile, stream))
    return error;
  return printed.str().str();
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
  StringSet<> kernels;
  for (Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.setCallingConv(CallingConv::PTX_Kernel);
    function.setLinkage(GlobalValue::ExternalLinkage);
    function.addFnAttr("nvvm.maxntid", std::to_string(cudaThreads));
    kernels.insert(function.getName());
  }
  if (llvm::Error error = linkRoutines(*translated))
    return error;
  internalizeModule(*translated, [&](const GlobalValue &value) {
    return kernels.contains(value.getName());
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
  return printPtx(*translated, **machine);
}

bool tegula::hasProducts(StringRef chip) { return chip == "sm_90a"; }

std::string tegula::writeBitcode(mlir::ModuleOp module) {
  LLVMContext context;
  std::unique_ptr<Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "tegula");
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  WriteBitcodeToFile(*translated, stream);
  return bytes.str().str();
}

/// Adds what becomes of sums.
static llvm::Error linkStore(Module &library, StringRef store) {
  if (store.empty())
    return llvm::Error::success();
  Expected<std::unique_ptr<Module>> part =
      parseBitcodeFile(MemoryBufferRef(store, "store"), library.getContext());
  if (!part)
    return part.takeError();
  (*part)->setDataLayout(library.getDataLayout());
  (*part)->setTargetTriple(library.getTargetTriple());
  for (Function &function : **part)
    if (!function.isDeclaration()) {
      function.removeFnAttr("target-cpu");
      function.removeFnAttr("target-features");
      function.addFnAttr(Attribute::AlwaysInline);
    }
  if (Linker::linkModules(library, std::move(*part)))
    return makeError("cannot link what a product does with its sums");
  for (StringRef name :
       {"tegulaProductStoreSingles", "tegulaProductStorePairs"})
    library.getFunction(name)->setLinkage(GlobalValue::InternalLinkage);
  return llvm::Error::success();
}

/// The kernels of tegula/launch/gpu/hopper whose names begin so, and one that
/// helps them, with what they do with sums.
static tegula::Expected<std::string>
printHopperKernels(const std::string &chip, StringRef prefix, StringRef helper,
                   unsigned numParameters, int32_t threads, StringRef store) {
  auto machine = makeMachine(chip);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  StringRef bytes(reinterpret_cast<const char *>(products), sizeof(products));
  llvm::Expected<std::unique_ptr<Module>> library =
      parseBitcodeFile(MemoryBufferRef(bytes, "products"), context);
  if (!library)
    return library.takeError();
  (*library)->setDataLayout((*machine)->createDataLayout());
  if (llvm::Error error = linkStore(**library, store))
    return error;
  for (Function &function : make_early_inc_range(**library)) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    if (function.getName() == helper)
      continue;
    if (!function.getName().starts_with(prefix)) {
      function.eraseFromParent();
      continue;
    }
    // Maps are used where they were passed.
    for (unsigned i = 0; i < numParameters; ++i)
      function.addParamAttr(i, Attribute::get(context, "nvvm.grid_constant"));
    function.addFnAttr("nvvm.reqntid", std::to_string(threads));
    function.addFnAttr("nvvm.minctasm", "1");
  }
  optimize(**library, **machine);
  return printPtx(**library, **machine);
}

tegula::Expected<std::string> tegula::printProducts(const std::string &chip,
                                                    const GpuProduct &product,
                                                    StringRef store) {
  StringRef prefix = product.isBf16 ? "tegulaProductBf16" : "tegulaProductFp16";
  // Slots are read where they were passed, too.
  return printHopperKernels(chip, prefix, "tegulaRepack", /*numParameters=*/3,
                            tegulaProductThreads, store);
}

tegula::Expected<std::string>
tegula::printAttention(const std::string &chip, const GpuAttention &attention) {
  return printHopperKernels(chip, attention.getKernel(), /*helper=*/"",
                            /*numParameters=*/4,
                            tegulaAttentionThreads(attention.headSize),
                            /*store=*/"");
}
