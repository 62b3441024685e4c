// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Devices with memory of their own that kernels are launched on, for those who
/// call, measure and describe kernels without knowing what the device is. One
/// kind is added by a folder with this class and a line in
/// RegisterDevices.cpp.

#ifndef TEGULA_LAUNCH_DEVICE_DEVICERUNTIME_H
#define TEGULA_LAUNCH_DEVICE_DEVICERUNTIME_H

#include "tegula/launch/Problem.h"
#include "tegula/launch/call/Argument.h"
#include "tegula/launch/device/DeviceStream.h"

#include <memory>
#include <string_view>
#include <vector>

namespace tegula {

/// Copies of tensors in a device's memory, and the scalars besides them, which
/// stay there over many calls. What calls write is not copied back.
class DeviceArguments {
public:
  virtual ~DeviceArguments();
  DeviceArguments(const DeviceArguments &) = delete;
  DeviceArguments &operator=(const DeviceArguments &) = delete;

  llvm::ArrayRef<Argument> get() const { return arguments; }
  /// Calls with them run there.
  const DeviceStream &getStream() const { return stream; }

protected:
  DeviceArguments() = default;

  DeviceStream stream;
  std::vector<Argument> arguments;
};

/// All devices of one kind. Never changes, and may be used by several threads
/// at once.
class DeviceRuntime {
public:
  virtual ~DeviceRuntime();

  /// What readers call a device, such as `the GPU`.
  virtual const char *getName() const = 0;

  /// The number that DLPack has for these devices.
  virtual int32_t getDlpackType() const = 0;

  /// Whether kernels for that target take tensors in memory of such a device.
  virtual bool runs(std::string_view target) const = 0;

  /// Whether calls of kernels for that target can be described
  /// (CallDescription.h); devices may be emulated, too.
  virtual bool describes(std::string_view target) const = 0;

  /// The target that kernels for a device are compiled for.
  virtual Problem findTarget(int device, std::string &target) const = 0;

  /// Copies arguments into memory of the first device.
  virtual Problem copy(llvm::ArrayRef<Argument> arguments,
                       std::unique_ptr<DeviceArguments> &made) const = 0;

  /// Waits until what was launched on a stream is done.
  virtual Problem synchronize(const DeviceStream &stream) const = 0;

  /// Bytes in a second, read and written, when a device copies memory; both
  /// halves together take `bytes`. Zero if it cannot.
  virtual double measureCopyRate(int device, uint64_t bytes) const = 0;
};

/// One for each kind of device.
llvm::ArrayRef<const DeviceRuntime *> listDeviceRuntimes();

/// The one that runs kernels for that target, or null.
const DeviceRuntime *findDeviceRuntime(std::string_view target);

/// The one of devices that DLPack has that number for, or null.
const DeviceRuntime *findDlpackRuntime(int32_t type);

/// Whether calls of kernels for that target can be described.
bool describesCalls(std::string_view target);

} // namespace tegula

#endif // TEGULA_LAUNCH_DEVICE_DEVICERUNTIME_H
