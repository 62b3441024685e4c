// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One kernel as its callers see it: finds the code for a call in memory, then
/// in the cache on disk, and compiles it if there is none.

#ifndef TEGULA_LAUNCH_CALL_DISPATCHER_H
#define TEGULA_LAUNCH_CALL_DISPATCHER_H

#include "tegula/launch/cache/KernelCache.h"
#include "tegula/launch/call/VariantTable.h"

#include <thread>

namespace tegula {

/// What a dispatcher compiles.
class KernelOrigin {
public:
  virtual ~KernelOrigin() = default;

  /// The same for the same program in every process; empty if it must not be
  /// kept on disk.
  virtual std::string getKey() const = 0;
  /// The parameters as the source declares them.
  virtual Problem describe(Signature &declared) = 0;
  /// Compiles for calls like this one.
  virtual Problem compile(llvm::ArrayRef<Argument> arguments,
                          KernelImage &image) = 0;
  /// The files that were read so far, besides what is in the key.
  virtual std::vector<FileUse> listFiles() const { return {}; }
};

/// A kernel with its variants. May be used from several threads at once.
class Dispatcher {
public:
  explicit Dispatcher(std::unique_ptr<KernelOrigin> origin);

  /// The variant for `arguments`, or null if there is none yet or their number
  /// is wrong. Takes no lock.
  const Variant *find(llvm::ArrayRef<Argument> arguments) const {
    const Signature *known = declared.load(std::memory_order_acquire);
    if (LLVM_UNLIKELY(!known || known->parameters.size() != arguments.size()))
      return nullptr;
    return variants.find(arguments);
  }

  /// The variant for `arguments`, made if there is none. Threads that ask for
  /// the same one at once make it once.
  Problem findOrMake(llvm::ArrayRef<Argument> arguments,
                     const Variant *&variant);

  /// The only variant of a kernel that leaves nothing open, made without a
  /// call.
  Problem makeOnly(const Variant *&variant);

  /// The parameters as the source declares them, or null as long as nobody has
  /// asked the compiler for them.
  const Signature *getKnown() const {
    return declared.load(std::memory_order_acquire);
  }

  /// The parameters as the source declares them.
  Problem getDeclared(const Signature *&signature);

  /// All variants so far, oldest first.
  std::vector<const Variant *> listVariants() const { return variants.list(); }

  /// Says why there is a dispatcher at all, if it is not the first of its
  /// kernel, for those who want to know why it compiles.
  void setCause(std::string text) { cause = std::move(text); }

  /// How often something was compiled here, not found on disk.
  uint64_t getCompileCount() const { return compileCount; }

private:
  /// One thread at a time makes something, and the others wait for it.
  class Lease;

  Problem describe();
  /// The variant from the disk, or compiled.
  Problem make(llvm::ArrayRef<Argument> arguments, const Variant *&variant);
  Problem compile(llvm::ArrayRef<Argument> arguments,
                  std::unique_ptr<Variant> &variant);
  Problem compileAndLog(llvm::ArrayRef<Argument> arguments, KernelImage &image);

  std::unique_ptr<KernelOrigin> origin;
  std::string cause;
  KernelCache kept;
  /// Set once.
  std::atomic<const Signature *> declared = nullptr;
  Signature declaredStorage;
  std::timed_mutex making;
  /// The thread that has `making`.
  std::atomic<std::thread::id> maker = std::thread::id();
  VariantTable variants;
  std::atomic<uint64_t> compileCount = 0;
};

/// How often this process has compiled a kernel to machine code.
uint64_t getProcessCompileCount();

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_DISPATCHER_H
