// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/KernelLibrary.h"

#include "tegula/backends/ConcurrentStep.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/assembler/PtxMachine.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/abi/TileAbi.h"
#include "tegula/launch/gpu/variants/GpuTiles.h"
#include "tegula/support/Recovery.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

using namespace llvm;
using namespace tegula;

/// tegula/backends/cuda/device/hopper, compiled to LLVM's code.
static const unsigned char matmuls[] = {
#include "tegula/backends/cuda/HopperCode.inc"
};

/// tegula/backends/cuda/device/tiles, the same.
static const unsigned char tiles[] = {
#include "tegula/backends/cuda/TilesCode.inc"
};

bool tegula::hasMatmuls(StringRef chip) { return chip == "sm_90a"; }

bool tegula::hasTiles(StringRef chip) {
  constexpr unsigned first = 80;
  return getChipNumber(chip) >= first;
}

namespace {

/// Kernels of one of the folders, of which a program takes some.
struct KernelLibrary {
  ArrayRef<unsigned char> bytes;
  /// LLVM's bitcode of their epilogue. Empty if they do the same for all
  /// programs.
  StringRef store;

  KernelLibrary(ArrayRef<unsigned char> bytes, StringRef store)
      : bytes(bytes), store(store) {}
  virtual ~KernelLibrary() = default;
  KernelLibrary(const KernelLibrary &) = delete;

  /// Adds what is known about a kernel; false if the program does not take it.
  virtual bool describe(Function &kernel) const = 0;
};

/// Of tegula/backends/cuda/device/hopper.
struct HopperKernels : KernelLibrary {
  /// How their names begin, and one that helps them.
  std::string prefix, helper;
  /// So many parameters are read where they were passed.
  unsigned numParameters;
  int32_t threads;

  HopperKernels(const GpuMatmul &matmul, StringRef store)
      : KernelLibrary(matmuls, store), prefix(matmul.getPrefix()),
        helper(matmul.getRepack()), numParameters(4),
        threads(tegulaMatmulThreads) {}
  explicit HopperKernels(const GpuAttention &attention)
      : KernelLibrary(matmuls, ""), prefix(attention.getKernel()),
        numParameters(4), threads(tegulaAttentionThreads(attention.headSize)) {}

  bool describe(Function &kernel) const override {
    if (kernel.getName() == helper)
      return true;
    if (!kernel.getName().starts_with(prefix))
      return false;
    // Maps are used where they were passed.
    for (unsigned i = 0;
         i < std::min<unsigned>(numParameters, kernel.arg_size()); ++i)
      kernel.addParamAttr(
          i, Attribute::get(kernel.getContext(), "nvvm.grid_constant"));
    bool isSplit = kernel.getName().contains("Split");
    kernel.addFnAttr("nvvm.reqntid",
                     std::to_string(isSplit ? tegulaSplitThreads : threads));
    kernel.addFnAttr("nvvm.minctasm", "1");
    return true;
  }
};

/// Of tegula/backends/cuda/device/tiles.
struct TileKernels : KernelLibrary {
  GpuOperandType type;
  std::string prefix, copy;

  TileKernels(GpuElement element, StringRef store)
      : KernelLibrary(tiles, store),
        type(getOperandType(element, MatmulCode::Tiles)),
        prefix(getTilePrefix(type)), copy(getTileCopy(element)) {}

  bool describe(Function &kernel) const override {
    StringRef name = kernel.getName();
    if (!name.starts_with(prefix) && name != copy)
      return false;
    // Numbers are read where they were passed.
    kernel.addParamAttr(
        0, Attribute::get(kernel.getContext(), "nvvm.grid_constant"));
    int64_t threads = tegulaTileThreads;
    for (const GpuTile &tile : getTiles(type))
      if (name.ends_with(tile.getName())) {
        threads = tile.threads;
        kernel.addFnAttr("nvvm.minctasm", std::to_string(tile.blocks));
      }
    kernel.addFnAttr("nvvm.reqntid", std::to_string(threads));
    return true;
  }
};

/// Some of the kernels that a program takes: one in `count` of them.
struct Part {
  unsigned number = 0, count = 1;
};

} // namespace

/// Adds the epilogue.
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
    return makeError("cannot link the epilogue of a matmul");
  for (Function &function : library)
    if (!function.isDeclaration() &&
        function.getCallingConv() != CallingConv::PTX_Kernel)
      function.setLinkage(GlobalValue::InternalLinkage);
  return llvm::Error::success();
}

/// Keeps the kernels of a part, and what they call. Returns how many they are.
static unsigned keep(Module &module, const KernelLibrary &library, Part part) {
  unsigned taken = 0, kept = 0;
  for (Function &function : make_early_inc_range(module)) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    if (function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    if (library.describe(function) && taken++ % part.count == part.number)
      ++kept;
    else
      function.eraseFromParent();
  }
  return kept;
}

/// The kernels of a part; null if there are none.
static tegula::Expected<std::unique_ptr<Module>>
readPart(LLVMContext &context, const TargetMachine &machine,
         const KernelLibrary &library, Part part) {
  StringRef bytes = toStringRef(library.bytes);
  llvm::Expected<std::unique_ptr<Module>> module =
      parseBitcodeFile(MemoryBufferRef(bytes, "kernels"), context);
  if (!module)
    return module.takeError();
  (*module)->setDataLayout(machine.createDataLayout());
  if (llvm::Error error = linkStore(**module, library.store))
    return error;
  if (keep(**module, library, part) == 0)
    return nullptr;
  return std::move(*module);
}

/// A part as text. Names that others may have too are the part's own then.
static tegula::Expected<std::string>
printPart(const std::string &chip, const KernelLibrary &library, Part part) {
  auto machine = makePtxMachine(chip);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  auto module = readPart(context, **machine, library, part);
  if (!module)
    return module.takeError();
  if (!*module)
    return std::string();
  optimizeForPtx(**module, **machine);
  for (GlobalObject &object : (*module)->global_objects())
    if (object.hasLocalLinkage())
      object.setName(object.getName() + "_" + Twine(part.number));
  return printPtx(**module, **machine);
}

/// What stands before all else in such a text.
static StringRef getPtxHead(StringRef ptx) {
  StringRef last = ".address_size 64\n";
  return ptx.take_front(ptx.find(last) + last.size());
}

namespace {

/// A part that is compiled concurrently with others.
struct PrintedPart {
  PrintedPart(const std::string &chip, const KernelLibrary &library, Part part)
      : concurrent([&chip, &library, part, this] {
          text.emplace(printPart(chip, library, part));
        }) {}

  std::optional<tegula::Expected<std::string>> text;
  ConcurrentStep concurrent;
};

} // namespace

/// The kernels that a program takes, as one text. Parts of them are made at the
/// same time.
static tegula::Expected<std::string> print(const std::string &chip,
                                           const KernelLibrary &library) {
  constexpr unsigned mostModules = 16;
  Part part;
  part.count = std::clamp(std::thread::hardware_concurrency(), 1U, mostModules);
  std::vector<std::unique_ptr<PrintedPart>> parts;
  for (; part.number < part.count; ++part.number)
    parts.push_back(std::make_unique<PrintedPart>(chip, library, part));
  std::string all;
  llvm::Error problem = llvm::Error::success(), ended = llvm::Error::success();
  for (auto &made : parts) {
    llvm::Error own = made->concurrent.finish(/*stops=*/bool(ended));
    if (own && ended)
      consumeError(std::move(own));
    else if (own)
      ended = std::move(own);
    else if (!made->text)
      continue;
    else if (!*made->text)
      problem = joinErrors(std::move(problem), made->text->takeError());
    else if (const std::string &text = **made->text; !text.empty())
      all += all.empty() ? text : text.substr(getPtxHead(text).size());
  }
  if (ended) {
    consumeError(std::move(problem));
    return endStep(std::move(ended));
  }
  if (problem)
    return problem;
  return all;
}

/// The kernels as they are before that: nothing gets faster by having
/// accumulators stored in a hundred places.
static tegula::Expected<EmulatedKernels> emulate(const std::string &chip,
                                                 const KernelLibrary &library) {
  auto machine = makePtxMachine(chip);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  auto module = readPart(context, **machine, library, Part());
  if (!module)
    return module.takeError();
  return emulateKernels(**module);
}

tegula::Expected<std::string> tegula::printMatmuls(const std::string &chip,
                                                   const GpuMatmul &matmul,
                                                   StringRef store) {
  return print(chip, HopperKernels(matmul, store));
}

tegula::Expected<std::string>
tegula::printAttention(const std::string &chip, const GpuAttention &attention) {
  return print(chip, HopperKernels(attention));
}

tegula::Expected<std::string> tegula::printTiles(const std::string &chip,
                                                 GpuElement element,
                                                 StringRef store) {
  return print(chip, TileKernels(element, store));
}

tegula::Expected<EmulatedKernels>
tegula::emulateMatmuls(const std::string &chip, const GpuMatmul &matmul,
                       StringRef store) {
  return emulate(chip, HopperKernels(matmul, store));
}

tegula::Expected<EmulatedKernels>
tegula::emulateAttention(const std::string &chip,
                         const GpuAttention &attention) {
  return emulate(chip, HopperKernels(attention));
}

tegula::Expected<EmulatedKernels> tegula::emulateTiles(const std::string &chip,
                                                       GpuElement element,
                                                       StringRef store) {
  return emulate(chip, TileKernels(element, store));
}
