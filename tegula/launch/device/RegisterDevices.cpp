// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place outside their folders that knows all kinds of devices.

#include "tegula/launch/device/DeviceRuntime.h"
#include "tegula/launch/gpu/driver/CudaRuntime.h"

using namespace tegula;

llvm::ArrayRef<const DeviceRuntime *> tegula::listDeviceRuntimes() {
  static const CudaRuntime cuda;
  static const DeviceRuntime *const all[] = {&cuda};
  return all;
}
