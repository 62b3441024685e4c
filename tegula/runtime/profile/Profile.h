// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the time of a kernel goes, and how much it does in that time.

#ifndef TEGULA_RUNTIME_PROFILE_PROFILE_H
#define TEGULA_RUNTIME_PROFILE_PROFILE_H

#include "tegula/launch/device/CallDescription.h"
#include "tegula/launch/device/DeviceRuntime.h"
#include "tegula/runtime/Compiler.h"

namespace tegula {

/// How often a line was seen at work.
struct LineShare {
  SourceLocation location;
  uint64_t samples = 0;
};

/// A call on a device with memory of its own.
struct ProfiledDevice {
  const DeviceRuntime *runtime = nullptr;
  /// The number of the device.
  int number = 0;
  CallDescription call;
};

/// What was found.
struct Profile {
  /// The median of calls that nobody looked at, and how many there were.
  double seconds = 0;
  uint64_t calls = 0;
  /// Of the calls that were looked at: how often, and where. Lines that were
  /// seen most come first. What no line of the source accounts for is not
  /// among them.
  uint64_t samples = 0;
  std::vector<LineShare> lines;
  /// How often it was not at work but started other threads or waited for them.
  uint64_t waiting = 0;
  /// How many threads a call may use.
  unsigned threads = 1;
  /// If it ran on one, whose code does not say which lines it comes from.
  std::optional<ProfiledDevice> device = std::nullopt;
  /// What a call computes, and whether that is exact or an estimate.
  double operations = 0;
  bool isCounted = true;
  /// What the compiler could not do, and why.
  std::vector<Diagnostic> remarks;
};

/// Compiles the kernel for its target such that instructions can be told by
/// their lines, calls it for about `seconds`, and looks where it is. It writes
/// to the memory of `arguments`. One thread is looked at, the one that calls.
/// On a device with memory of its own the call is timed and described.
[[nodiscard]] Expected<Profile> profile(const KernelSource &source,
                                        llvm::ArrayRef<Argument> arguments,
                                        double seconds);

/// Sets what a call computes; nothing is run.
[[nodiscard]] Error countOperations(const KernelSource &source,
                                    llvm::ArrayRef<Argument> arguments,
                                    Profile &profile);

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_PROFILE_H
