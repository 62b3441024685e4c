// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/device/DeviceRuntime.h"

using namespace tegula;

DeviceArguments::~DeviceArguments() = default;
DeviceRuntime::~DeviceRuntime() = default;

/// The first of which that is true, or null.
template <typename Test> static const DeviceRuntime *findRuntime(Test test) {
  for (const DeviceRuntime *runtime : listDeviceRuntimes())
    if (test(*runtime))
      return runtime;
  return nullptr;
}

const DeviceRuntime *tegula::findDeviceRuntime(std::string_view target) {
  return findRuntime(
      [&](const DeviceRuntime &runtime) { return runtime.runs(target); });
}

const DeviceRuntime *tegula::findDlpackRuntime(int32_t type) {
  return findRuntime([&](const DeviceRuntime &runtime) {
    return runtime.getDlpackType() == type;
  });
}

bool tegula::describesCalls(std::string_view target) {
  return findRuntime([&](const DeviceRuntime &runtime) {
           return runtime.describes(target);
         }) != nullptr;
}
