// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The device and the stream that calls of a thread run on.

#ifndef TEGULA_LAUNCH_DEVICE_DEVICESTREAM_H
#define TEGULA_LAUNCH_DEVICE_DEVICESTREAM_H

namespace tegula {

/// A device with memory of its own, by its number, and a stream of it. Who
/// names a device has all tensors in its memory.
struct DeviceStream {
  /// Negative if nobody named one: then it is the device of the thread's
  /// context, or else the first, and tensors may be anywhere.
  int device = -1;
  /// Null is the default stream.
  void *stream = nullptr;

  bool isNamed() const { return device >= 0; }
};

/// The one for calls of this thread.
const DeviceStream &getDeviceStream();

/// Sets it for a while.
class DeviceStreamScope {
public:
  explicit DeviceStreamScope(const DeviceStream &stream);
  ~DeviceStreamScope();
  DeviceStreamScope(const DeviceStreamScope &) = delete;
  DeviceStreamScope &operator=(const DeviceStreamScope &) = delete;

private:
  DeviceStream before;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_DEVICE_DEVICESTREAM_H
