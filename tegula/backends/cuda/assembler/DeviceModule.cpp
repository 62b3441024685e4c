// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/assembler/DeviceModule.h"

#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/assembler/PtxMachine.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"
#include "tegula/support/Routines.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace tegula;

/// tegula/backends/cuda/device/routines, compiled to LLVM's code.
static const unsigned char routines[] = {
#include "tegula/backends/cuda/DeviceCode.inc"
};

/// Adds the routines that the code calls.
static llvm::Error linkRoutines(Module &module) {
  StringRef bytes(reinterpret_cast<const char *>(routines), sizeof(routines));
  Expected<std::unique_ptr<Module>> library = getLazyBitcodeModule(
      MemoryBufferRef(bytes, "routines"), module.getContext());
  if (!library)
    return library.takeError();
  (*library)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*library),
                          Linker::Flags::LinkOnlyNeeded))
    return makeError("cannot link the routines of GPUs");
  return llvm::Error::success();
}

namespace {

/// While it lives, code is made of the context's functions without straight
/// line strength reduction: its time grows with the square of a block, and
/// variants that keep rows in registers are one large block each.
class LongBlocks : public OptPassGate {
public:
  explicit LongBlocks(LLVMContext &context)
      : context(context), before(context.getOptPassGate()) {
    context.setOptPassGate(*this);
  }
  ~LongBlocks() override { context.setOptPassGate(before); }

  bool isEnabled() const override { return true; }
  bool shouldRunPass(StringRef passName, StringRef) const override {
    return passName != "slsr";
  }

private:
  LLVMContext &context;
  OptPassGate &before;
};

} // namespace

/// Blocks have as many threads, so that what is divided by that is known; but
/// for those that have fewer at some launches.
static void fixThreads(Module &module, int64_t threads) {
  Function *count = module.getFunction(routine::tegulaGpuNumThreads);
  if (!count || count->isDeclaration())
    return;
  count->deleteBody();
  count->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", count));
  builder.CreateRet(builder.getInt32(static_cast<uint32_t>(threads)));
}

/// Kernels that call long routines keep as many registers as two blocks at once
/// have: rare ways would take more than those that are usual gain.
static void boundRegisters(Module &module, const StringSet<> &kernels) {
  constexpr unsigned longFrom = 1000;
  bool hasRoutine = llvm::any_of(module, [&](const Function &function) {
    return function.hasFnAttribute(Attribute::NoInline) &&
           function.getInstructionCount() >= longFrom;
  });
  if (!hasRoutine)
    return;
  for (Function &function : module) {
    // One block at once is of a kernel that has more in its accumulators.
    Attribute blocks = function.getFnAttribute("nvvm.minctasm");
    if (!kernels.contains(function.getName()) ||
        (blocks.isValid() && blocks.getValueAsString() == "1"))
      continue;
    function.removeFnAttr("nvvm.minctasm");
    function.addFnAttr("nvvm.maxnreg", "128");
  }
}

/// Lets a function, if the module has it, do this with its arguments.
static void addInstructions(Module &module, StringRef name, StringRef text,
                            StringRef operands) {
  Function *function = module.getFunction(name);
  if (!function || function->isDeclaration())
    return;
  IRBuilder<> builder(&function->getEntryBlock().front());
  SmallVector<Value *> arguments =
      llvm::map_to_vector(function->args(), [](Argument &argument) -> Value * {
        return &argument;
      });
  builder.CreateCall(InlineAsm::get(function->getFunctionType(), text, operands,
                                    /*hasSideEffects=*/true),
                     arguments);
}

/// What only newer chips do: launches that begin while earlier ones end, and
/// memory that is asked for in bulk.
static void addNewInstructions(Module &module, StringRef chip) {
  if (getChipNumber(chip) < tegulaGpuOverlapChip)
    return;
  addInstructions(module, routine::tegulaGpuAwaitEarlier,
                  "griddepcontrol.launch_dependents; griddepcontrol.wait;",
                  "~{memory}");
  addInstructions(module, routine::tegulaGpuPrefetchBulk,
                  "cp.async.bulk.prefetch.L2.global [$0], $1;", "l,r");
}

tegula::Expected<std::string> tegula::printDeviceCode(mlir::ModuleOp module,
                                                      const std::string &chip,
                                                      DeviceText text) {
  auto machine = makePtxMachine(chip);
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
  int64_t threads = cudaThreads;
  for (Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.setCallingConv(CallingConv::PTX_Kernel);
    function.setLinkage(GlobalValue::ExternalLinkage);
    if (function.hasFnAttribute("nvvm.reqntid"))
      threads = static_cast<int64_t>(
          function.getFnAttributeAsParsedInteger("nvvm.reqntid"));
    else if (!function.hasFnAttribute("nvvm.maxntid"))
      function.addFnAttr("nvvm.reqntid", std::to_string(cudaThreads));
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
  fixThreads(*translated, threads);
  addNewInstructions(*translated, chip);
  optimizeForPtx(*translated, **machine);
  boundRegisters(*translated, kernels);
  if (text == DeviceText::LlvmIr) {
    std::string printed;
    raw_string_ostream stream(printed);
    translated->print(stream, nullptr);
    return printed;
  }
  LongBlocks gate(context);
  return printPtx(*translated, **machine);
}

std::string tegula::writeBitcode(mlir::ModuleOp module) {
  LLVMContext context;
  std::unique_ptr<Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "tegula");
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  WriteBitcodeToFile(*translated, stream);
  return bytes.str().str();
}
