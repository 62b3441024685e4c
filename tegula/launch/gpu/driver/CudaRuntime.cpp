// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/CudaRuntime.h"

#include "tegula/launch/gpu/GpuArguments.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"
#include "tegula/launch/gpu/driver/GpuChip.h"

using namespace tegula;

bool CudaRuntime::runs(std::string_view target) const {
  constexpr std::string_view chips = "cuda:sm_";
  return target == "cuda" || target.substr(0, chips.size()) == chips;
}

bool CudaRuntime::describes(std::string_view target) const {
  constexpr std::string_view emulated = "cuda:emulate";
  return runs(target) || target.substr(0, emulated.size()) == emulated;
}

Problem CudaRuntime::findTarget(int device, std::string &target) const {
  std::string problem;
  const cuda::Driver *driver = cuda::findDriver(problem);
  if (!driver)
    return makeProblem(Problem::Kind::System, "{0}", problem);
  cuda::Device found;
  int major = 0, minor = 0;
  if (driver->deviceGet(&found, device) ||
      driver->deviceGetAttribute(&major, cuda::capabilityMajor, found) ||
      driver->deviceGetAttribute(&minor, cuda::capabilityMinor, found))
    return makeProblem(Problem::Kind::System, "there is no GPU {0}", device);
  // Instructions that only chips of one kind have go by a letter.
  constexpr int firstWithOwn = 9;
  target = "cuda:sm_" + std::to_string(10 * major + minor) +
           (major >= firstWithOwn ? "a" : "");
  return {};
}

Problem CudaRuntime::copy(llvm::ArrayRef<Argument> arguments,
                          std::unique_ptr<DeviceArguments> &made) const {
  std::unique_ptr<GpuArguments> copies;
  if (Problem problem = GpuArguments::make(arguments, copies))
    return problem;
  made = std::move(copies);
  return {};
}

Problem CudaRuntime::synchronize(const DeviceStream &stream) const {
  return finishGpuCalls(stream);
}

double CudaRuntime::measureCopyRate(int device, uint64_t bytes) const {
  return measureGpuCopyRate(device, bytes);
}
