// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where calls that are measured are made.

#ifndef TEGULA_RUNTIME_PROFILE_CALLSITE_H
#define TEGULA_RUNTIME_PROFILE_CALLSITE_H

#include "tegula/launch/device/DeviceRuntime.h"
#include "tegula/runtime/Compiler.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// Arguments in memory that a target computes in. On a device with memory of
/// its own they are copied there once, and so many calls are timed together
/// that it does not matter what it takes to wait for them.
class CallSite {
public:
  using Call = llvm::function_ref<Error(llvm::ArrayRef<Argument>)>;

  /// For a target as text. If the thread's stream is of a device, the arguments
  /// are there.
  [[nodiscard]] static Expected<CallSite>
  make(llvm::StringRef target, llvm::ArrayRef<Argument> arguments);

  /// What runs the calls if they are launched on a device; else null.
  const DeviceRuntime *getRuntime() const { return runtime; }
  const DeviceStream &getStream() const { return stream; }
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
  std::unique_ptr<DeviceArguments> copies;
  const DeviceRuntime *runtime = nullptr;
  DeviceStream stream;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_CALLSITE_H
