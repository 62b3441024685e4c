// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/DeviceModule.h"

#include "tegula/backends/LlvmPasses.h"
#include "tegula/backends/cpu/ObjectFile.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/launch/gpu/GpuTiles.h"
#include "tegula/launch/gpu/device/DeviceThread.h"
#include "tegula/launch/gpu/hopper/ProductAbi.h"
#include "tegula/launch/gpu/tiles/TileAbi.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
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

/// tegula/launch/gpu/tiles, the same.
static const unsigned char tiles[] = {
#include "tegula/backends/cuda/TilesCode.inc"
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
  // The oldest that assemblers of today know, and the instructions need; for
  // chips that it does not know, the oldest that does.
  constexpr unsigned firstUnknown = 100;
  StringRef features = getChipNumber(chip) < firstUnknown ? "+ptx81" : "";
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

namespace {

/// While it lives, code is made of the context's functions without straight
/// line strength reduction: its time grows with the square of a block, and
/// forms that keep rows in registers are one large block each.
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

/// All blocks have as many threads, so that what is divided by that is known.
static void fixThreads(Module &module) {
  Function *count = module.getFunction("tegulaGpuNumThreads");
  if (!count || count->isDeclaration())
    return;
  count->deleteBody();
  count->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", count));
  builder.CreateRet(builder.getInt32(cudaThreads));
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
  for (Function &function : module)
    if (kernels.contains(function.getName()) &&
        !function.hasFnAttribute("nvvm.minctasm"))
      function.addFnAttr("nvvm.maxnreg", "128");
}

/// What a kernel that waits for earlier launches does on such a chip.
static void fixOverlap(Module &module, StringRef chip) {
  Function *wait = module.getFunction("tegulaGpuAwaitEarlier");
  if (!wait || wait->isDeclaration() ||
      getChipNumber(chip) < tegulaGpuOverlapChip)
    return;
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  IRBuilder<> builder(&wait->getEntryBlock().front());
  builder.CreateCall(InlineAsm::get(type,
                                    "griddepcontrol.launch_dependents; "
                                    "griddepcontrol.wait;",
                                    "~{memory}", /*hasSideEffects=*/true));
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
  fixThreads(*translated);
  fixOverlap(*translated, chip);
  optimize(*translated, **machine);
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
  for (Function &function : library)
    if (!function.isDeclaration() &&
        function.getCallingConv() != CallingConv::PTX_Kernel)
      function.setLinkage(GlobalValue::InternalLinkage);
  return llvm::Error::success();
}

namespace {

/// Which of the kernels of tegula/launch/gpu/hopper are wanted.
struct HopperKernels {
  /// How their names begin, and one that helps them.
  std::string prefix, helper;
  /// How many parameters are read where they were passed.
  unsigned numParameters;
  int32_t threads;
  /// What they do with sums.
  StringRef store;

  HopperKernels(const GpuProduct &product, StringRef store)
      : prefix(product.getPrefix()), helper(product.getRepack()),
        numParameters(3), threads(tegulaProductThreads), store(store) {}
  explicit HopperKernels(const GpuAttention &attention)
      : prefix(attention.getKernel()), numParameters(4),
        threads(tegulaAttentionThreads(attention.headSize)) {}
};

} // namespace

/// Calls `finish` with the kernels.
template <typename Result>
static tegula::Expected<Result> makeHopperKernels(
    const std::string &chip, const HopperKernels &kernels,
    tegula::Expected<Result> (*finish)(Module &, TargetMachine &)) {
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
  if (llvm::Error error = linkStore(**library, kernels.store))
    return error;
  for (Function &function : make_early_inc_range(**library)) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    if (function.getName() == kernels.helper)
      continue;
    if (!function.getName().starts_with(kernels.prefix)) {
      function.eraseFromParent();
      continue;
    }
    // Maps are used where they were passed.
    for (unsigned i = 0; i < kernels.numParameters; ++i)
      function.addParamAttr(i, Attribute::get(context, "nvvm.grid_constant"));
    function.addFnAttr("nvvm.reqntid",
                       std::to_string(function.getName().contains("Split")
                                          ? tegulaSplitThreads
                                          : kernels.threads));
    function.addFnAttr("nvvm.minctasm", "1");
  }
  return finish(**library, **machine);
}

static tegula::Expected<std::string> print(Module &library,
                                           TargetMachine &machine) {
  optimize(library, machine);
  return printPtx(library, machine);
}

/// The kernels as they are before that: nothing gets faster by having sums
/// stored in a hundred places.
static tegula::Expected<EmulatedKernels> emulate(Module &library,
                                                 TargetMachine &) {
  return emulateKernels(library);
}

tegula::Expected<std::string> tegula::printProducts(const std::string &chip,
                                                    const GpuProduct &product,
                                                    StringRef store) {
  return makeHopperKernels(chip, HopperKernels(product, store), print);
}

tegula::Expected<std::string>
tegula::printAttention(const std::string &chip, const GpuAttention &attention) {
  return makeHopperKernels(chip, HopperKernels(attention), print);
}

tegula::Expected<EmulatedKernels>
tegula::emulateProducts(const std::string &chip, const GpuProduct &product,
                        StringRef store) {
  return makeHopperKernels(chip, HopperKernels(product, store), emulate);
}

tegula::Expected<EmulatedKernels>
tegula::emulateAttention(const std::string &chip,
                         const GpuAttention &attention) {
  return makeHopperKernels(chip, HopperKernels(attention), emulate);
}

bool tegula::hasTiles(StringRef chip) {
  constexpr unsigned first = 80;
  return getChipNumber(chip) >= first;
}

/// Calls `finish` with the kernels of products in tiles.
template <typename Result>
static tegula::Expected<Result>
makeTileKernels(const std::string &chip, GpuElement element, StringRef store,
                tegula::Expected<Result> (*finish)(Module &, TargetMachine &)) {
  auto machine = makeMachine(chip);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  StringRef bytes(reinterpret_cast<const char *>(tiles), sizeof(tiles));
  llvm::Expected<std::unique_ptr<Module>> library =
      parseBitcodeFile(MemoryBufferRef(bytes, "tiles"), context);
  if (!library)
    return library.takeError();
  (*library)->setDataLayout((*machine)->createDataLayout());
  if (llvm::Error error = linkStore(**library, store))
    return error;
  std::string prefix = getTilePrefix(element), copy = getTileCopy(element);
  for (Function &function : make_early_inc_range(**library)) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    if (function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    StringRef name = function.getName();
    if (!name.starts_with(prefix) && name != copy) {
      function.eraseFromParent();
      continue;
    }
    // Numbers are read where they were passed.
    function.addParamAttr(0, Attribute::get(context, "nvvm.grid_constant"));
    int64_t threads = tegulaTileThreads;
    for (const GpuTile &tile : getTiles(element))
      if (name.ends_with(tile.getName())) {
        threads = tile.threads;
        function.addFnAttr("nvvm.minctasm", std::to_string(tile.blocks));
      }
    function.addFnAttr("nvvm.reqntid", std::to_string(threads));
  }
  return finish(**library, **machine);
}

tegula::Expected<std::string> tegula::printTiles(const std::string &chip,
                                                 GpuElement element,
                                                 StringRef store) {
  return makeTileKernels(chip, element, store, print);
}

tegula::Expected<EmulatedKernels> tegula::emulateTiles(const std::string &chip,
                                                       GpuElement element,
                                                       StringRef store) {
  return makeTileKernels(chip, element, store, emulate);
}
