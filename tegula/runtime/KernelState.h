// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What copies of a Kernel share: its source and the code compiled so far.
/// Internal to the runtime.

#ifndef TEGULA_RUNTIME_KERNELSTATE_H
#define TEGULA_RUNTIME_KERNELSTATE_H

#include "tegula/launch/VariantTable.h"
#include "tegula/runtime/Compiler.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace tegula {

/// A kernel's source and its variants.
class KernelState {
public:
  KernelState(KernelSource source, Signature declared)
      : source(std::move(source)), declared(std::move(declared)) {}

  /// The variant for `arguments`, or null. Takes no lock.
  const Variant *find(llvm::ArrayRef<Argument> arguments) const {
    return variants.find(arguments);
  }

  /// The variant for `arguments`, compiled if there is none. Threads that ask
  /// for the same one at once compile it once.
  [[nodiscard]] Expected<const Variant *>
  findOrCompile(llvm::ArrayRef<Argument> arguments);

  /// Makes a new variant known.
  const Variant *add(std::unique_ptr<Variant> variant);

  /// The source with its text, so that a changed file does not matter.
  const KernelSource source;
  const Signature declared;
  std::atomic<uint64_t> compileCount = 0;

private:
  VariantTable variants;
  std::mutex compiling;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_KERNELSTATE_H
