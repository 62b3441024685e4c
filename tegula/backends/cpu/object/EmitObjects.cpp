// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/object/EmitObjects.h"

#include "tegula/backends/ConcurrentStep.h"
#include "tegula/backends/cpu/object/LlvmModule.h"
#include "tegula/support/Error.h"
#include "tegula/support/Recovery.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/Threading.h"

#include <optional>
#include <set>

using namespace llvm;
using namespace tegula;

static Expected<FileBytes> emitOne(Module &module, TargetMachine &machine) {
  if (Error error = optimizeLlvm(module, machine))
    return error;
  return emitObject(module, machine);
}

/// The names of functions that are the other thread's: the largest first, each
/// to whoever has less to do. None if that is too little for a thread.
static std::set<std::string> chooseOthers(const Module &module) {
  std::vector<std::pair<unsigned, std::string>> functions;
  for (const Function &function : module)
    if (!function.isDeclaration())
      functions.emplace_back(function.getInstructionCount(),
                             function.getName().str());
  llvm::stable_sort(functions, [](const auto &lhs, const auto &rhs) {
    return lhs.first > rhs.first;
  });
  std::set<std::string> others;
  uint64_t mine = 0, theirs = 0;
  for (const auto &[count, name] : functions) {
    bool isTheirs = theirs < mine;
    (isTheirs ? theirs : mine) += count;
    if (isTheirs)
      others.insert(name);
  }
  constexpr uint64_t leastShare = 4;
  return theirs * leastShare >= mine ? others : std::set<std::string>();
}

/// Lets both halves see what was local, and nobody outside of the library.
/// Constants stay: each half has those that it uses.
static void shareLocals(Module &module) {
  for (GlobalValue &value : module.global_values()) {
    auto *variable = dyn_cast<GlobalVariable>(&value);
    if (!value.hasLocalLinkage() || (variable && variable->isConstant()))
      continue;
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setVisibility(GlobalValue::HiddenVisibility);
    value.setDSOLocal(true);
  }
}

/// Leaves the functions of one half; variables belong to the first.
static void keepHalf(Module &module, const std::set<std::string> &others,
                     bool isFirst) {
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (others.count(function.getName().str()) != 0) == isFirst)
      function.deleteBody();
  for (GlobalVariable &variable : module.globals())
    if (!isFirst && !variable.hasLocalLinkage())
      variable.setInitializer(nullptr);
}

/// True if there is enough to do for two, and nothing that cannot be shared.
static bool isHalved(const Module &module, unsigned leastHalved) {
  auto isPlain = [](const GlobalVariable &variable) {
    return !variable.hasAppendingLinkage() && !variable.hasComdat() &&
           (variable.hasName() || variable.isConstant());
  };
  return module.getInstructionCount() >= leastHalved &&
         hardware_concurrency().compute_thread_count() > 1 &&
         !module.getNamedMetadata("llvm.dbg.cu") && module.alias_empty() &&
         module.ifunc_empty() && llvm::all_of(module.globals(), isPlain);
}

namespace {

/// The second half, concurrently with this thread.
class OtherHalf {
public:
  OtherHalf(StringRef bitcode, const std::set<std::string> &others,
            const CpuOptions &options)
      : bitcode(bitcode), others(others), options(options) {}

  /// Waits for it.
  Expected<FileBytes> finish(bool stops) {
    if (Error ended = concurrent.finish(stops))
      return ended;
    return object ? std::move(*object) : FileBytes();
  }

private:
  Expected<FileBytes> emit() {
    auto machine = createTargetMachine(options);
    if (!machine)
      return machine.takeError();
    LLVMContext context;
    auto module = parseBitcodeFile({bitcode, "kernel"}, context);
    if (!module)
      return module.takeError();
    keepHalf(**module, others, /*isFirst=*/false);
    return emitOne(**module, **machine);
  }

  StringRef bitcode;
  const std::set<std::string> &others;
  const CpuOptions &options;
  std::optional<Expected<FileBytes>> object;
  // The last, so that all else is there when it begins.
  ConcurrentStep concurrent{[this] { object.emplace(emit()); }};
};

} // namespace

static Expected<std::vector<FileBytes>>
emitHalves(Module &module, const std::set<std::string> &others,
           TargetMachine &machine, const CpuOptions &options) {
  shareLocals(module);
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  OtherHalf other({bitcode.data(), bitcode.size()}, others, options);
  keepHalf(module, others, /*isFirst=*/true);
  std::optional<Expected<FileBytes>> first;
  Error ended = runRecovering([&] { first.emplace(emitOne(module, machine)); });
  Expected<FileBytes> second = other.finish(/*stops=*/bool(ended));
  if (ended) {
    consumeError(second.takeError());
    return endStep(std::move(ended));
  }
  if (!*first || !second)
    return joinErrors(first->takeError(), second.takeError());
  std::vector<FileBytes> objects;
  objects.push_back(std::move(**first));
  objects.push_back(std::move(*second));
  return objects;
}

Expected<std::vector<FileBytes>> tegula::emitObjects(Module &module,
                                                     TargetMachine &machine,
                                                     const CpuOptions &options,
                                                     unsigned leastHalved) {
  std::set<std::string> others;
  if (isHalved(module, leastHalved))
    others = chooseOthers(module);
  if (!others.empty())
    return emitHalves(module, others, machine, options);
  Expected<FileBytes> object = emitOne(module, machine);
  if (!object)
    return object.takeError();
  std::vector<FileBytes> objects;
  objects.push_back(std::move(*object));
  return objects;
}
