// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where calls that are measured are made.

#ifndef TEGULA_RUNTIME_CALLSITE_H
#define TEGULA_RUNTIME_CALLSITE_H

#include "tegula/launch/gpu/GpuArguments.h"
#include "tegula/runtime/Compiler.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// Arguments in memory that a target computes in. On a GPU they are copied
/// there once, and so many calls are timed together that it does not matter
/// what it takes to wait for them.
class CallSite {
public:
  using Call = llvm::function_ref<Error(llvm::ArrayRef<Argument>)>;

  /// For a target as text. If the thread's place is a GPU, the arguments are
  /// there.
  [[nodiscard]] static Expected<CallSite>
  make(llvm::StringRef target, llvm::ArrayRef<Argument> arguments);

  bool isOnGpu() const { return gpuStream.isNamed(); }
  const GpuStream &getStream() const { return gpuStream; }
  llvm::ArrayRef<Argument> getArguments() const {
    return copies ? copies->get() : arguments;
  }

  /// Makes a call, to be looked at or before others are timed; waits for it.
  [[nodiscard]] Error callOnce(Call call) const;

  /// The seconds that a call takes, again and again within about `budget`
  /// seconds, three times at least and `most` times at most.
  [[nodiscard]] Error callFor(double budget, uint64_t most, Call call,
                              std::vector<double> &times) const;

private:
  /// The seconds of so many calls.
  [[nodiscard]] Expected<double> time(uint64_t count, Call call) const;

  llvm::ArrayRef<Argument> arguments;
  std::unique_ptr<GpuArguments> copies;
  GpuStream gpuStream;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_CALLSITE_H
