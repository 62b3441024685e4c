// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/CudaDriver.h"

#include <dlfcn.h>

using namespace tegula::cuda;

namespace {

/// The driver as it was found, once.
struct FoundDriver {
  Driver driver = {};
  std::string problem;

  FoundDriver() {
    void *library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      problem = "there is no driver for NVIDIA GPUs (libcuda.so.1); install "
                "one, or use target 'cpu' or 'cuda:emulate'";
      return;
    }
    bind(library);
    if (!problem.empty())
      return;
    if (Result result = driver.init(0)) {
      const char *words = "unknown error";
      driver.errorString(result, &words);
      problem =
          std::string("the driver for NVIDIA GPUs does not start: ") + words;
    }
  }

private:
  template <typename F>
  static void look(void *library, const char *name, F &function) {
    function = reinterpret_cast<F>(::dlsym(library, name));
  }
  template <typename F>
  void take(void *library, const char *name, F &function) {
    look(library, name, function);
    if (!function && problem.empty())
      problem =
          std::string("the driver for NVIDIA GPUs is too old: it has no ") +
          name;
  }

  void bind(void *library) {
    take(library, "cuInit", driver.init);
    take(library, "cuDeviceGet", driver.deviceGet);
    take(library, "cuDeviceGetAttribute", driver.deviceGetAttribute);
    take(library, "cuDevicePrimaryCtxRetain", driver.primaryContextRetain);
    take(library, "cuCtxGetCurrent", driver.contextGetCurrent);
    take(library, "cuCtxSetCurrent", driver.contextSetCurrent);
    take(library, "cuCtxGetDevice", driver.contextGetDevice);
    take(library, "cuCtxPushCurrent_v2", driver.contextPush);
    take(library, "cuCtxPopCurrent_v2", driver.contextPop);
    take(library, "cuModuleLoadData", driver.moduleLoadData);
    take(library, "cuModuleGetFunction", driver.moduleGetFunction);
    take(library, "cuFuncSetAttribute", driver.functionSetAttribute);
    take(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor",
         driver.occupancy);
    take(library, "cuLaunchKernel", driver.launch);
    take(library, "cuLaunchCooperativeKernel", driver.launchTogether);
    look(library, "cuLaunchKernelEx", driver.launchWith);
    look(library, "cuMemAlloc_v2", driver.allocateAtOnce);
    look(library, "cuStreamGetId", driver.streamNumber);
    look(library, "cuStreamIsCapturing", driver.streamCaptures);
    look(library, "cuThreadExchangeStreamCaptureMode",
         driver.exchangeCaptureMode);
    Result (*getVersion)(int *);
    look(library, "cuDriverGetVersion", getVersion);
    constexpr int firstWithOverlap = 12030;
    int version = 0;
    driver.overlaps = driver.launchWith && getVersion &&
                      getVersion(&version) == 0 && version >= firstWithOverlap;
    take(library, "cuMemAllocAsync", driver.allocate);
    take(library, "cuMemFreeAsync", driver.free);
    take(library, "cuMemHostAlloc", driver.hostAllocate);
    take(library, "cuMemHostGetDevicePointer_v2", driver.hostAddress);
    take(library, "cuMemcpyHtoDAsync_v2", driver.copyIn);
    take(library, "cuMemcpyDtoHAsync_v2", driver.copyOut);
    take(library, "cuMemcpyDtoDAsync_v2", driver.copy);
    take(library, "cuMemsetD8Async", driver.fill);
    take(library, "cuStreamSynchronize", driver.synchronize);
    take(library, "cuPointerGetAttribute", driver.pointerAttribute);
    take(library, "cuTensorMapEncodeTiled", driver.encodeMap);
    take(library, "cuGetErrorString", driver.errorString);
  }
};

} // namespace

int tegula::cuda::getChip(const Driver &driver, Device device) {
  if (driver.emulatedChip)
    return driver.emulatedChip;
  int major = 0, minor = 0;
  driver.deviceGetAttribute(&major, capabilityMajor, device);
  driver.deviceGetAttribute(&minor, capabilityMinor, device);
  return 10 * major + minor;
}

const Driver *tegula::cuda::findDriver(std::string &problem) {
  static const FoundDriver found;
  problem = found.problem;
  return found.problem.empty() ? &found.driver : nullptr;
}
