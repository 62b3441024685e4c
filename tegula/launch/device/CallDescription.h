// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What calls of kernels that are launched on a device would do, for those who
/// ask.

#ifndef TEGULA_LAUNCH_DEVICE_CALLDESCRIPTION_H
#define TEGULA_LAUNCH_DEVICE_CALLDESCRIPTION_H

#include <string>

namespace tegula {

/// What a call does.
struct CallDescription {
  /// Which variant of the kernel it runs, and why. Lines.
  std::string text;
  /// The units of the device that compute, such as `its tensor cores`; empty if
  /// they are the ordinary ones.
  std::string units;
  /// Multiplications and additions that these can do in a second, if the device
  /// is there.
  double peak = 0;
};

/// As long as one is there, calls that this thread makes of such kernels are
/// described and not run. Nothing of the tensors is touched.
class CallDescriber {
public:
  CallDescriber();
  ~CallDescriber();
  CallDescriber(const CallDescriber &) = delete;
  CallDescriber &operator=(const CallDescriber &) = delete;

  /// That of this thread, or null.
  static CallDescriber *getCurrent();

  /// For those who run such kernels.
  void set(CallDescription described) { description = std::move(described); }

  /// What the last call would do.
  const CallDescription &get() const { return description; }

private:
  CallDescriber *before;
  CallDescription description;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_DEVICE_CALLDESCRIPTION_H
