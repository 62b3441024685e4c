// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What copies of a Kernel share: its source and the code compiled so far.
/// Internal to the runtime.

#ifndef TEGULA_RUNTIME_KERNELSTATE_H
#define TEGULA_RUNTIME_KERNELSTATE_H

#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/Guard.h"
#include "tegula/support/KernelAbi.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace tegula {

/// The compiled code of a kernel for one choice of types and shapes of its
/// open parameters. Never changes once it can be found.
struct Variant {
  Guard guard;
  /// Keeps the machine code alive.
  std::shared_ptr<void> code;
  TegulaKernel function = nullptr;
  /// The texts that TegulaCallState::site stands for.
  std::vector<std::string> sites;
  /// The variant compiled before this one, or null.
  Variant *next = nullptr;

  /// True if the open parameters of `declared` have this variant's types and
  /// shapes in `arguments`.
  bool matches(const Signature &declared,
               llvm::ArrayRef<Argument> arguments) const;
  /// Checks the arguments and runs the code.
  Error call(llvm::ArrayRef<Argument> arguments) const;
};

/// A kernel's source and its variants, newest first.
class KernelState {
public:
  KernelState(KernelSource source, Signature declared)
      : source(std::move(source)), declared(std::move(declared)),
        isOpen(this->declared.isOpen()) {}
  ~KernelState();

  /// The variant for `arguments`, or null. Takes no lock.
  const Variant *find(llvm::ArrayRef<Argument> arguments) const;

  /// The variant for `arguments`, compiled if there is none. Threads that ask
  /// for the same one at once compile it once.
  [[nodiscard]] Expected<const Variant *>
  findOrCompile(llvm::ArrayRef<Argument> arguments);

  /// Makes a new variant known.
  const Variant *add(std::unique_ptr<Variant> variant);

  /// The source with its text, so that a changed file does not matter.
  const KernelSource source;
  const Signature declared;
  /// Whether `declared` leaves anything open.
  const bool isOpen;
  std::atomic<uint64_t> compileCount = 0;

private:
  std::atomic<Variant *> variants = nullptr;
  std::mutex compiling;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_KERNELSTATE_H
