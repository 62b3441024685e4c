// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuStream.h"

#include "tegula/launch/gpu/CudaDriver.h"

using namespace tegula;

static thread_local GpuStream current;

const GpuStream &tegula::getGpuStream() { return current; }

GpuStreamScope::GpuStreamScope(const GpuStream &gpuStream) : before(current) {
  current = gpuStream;
}

GpuStreamScope::~GpuStreamScope() { current = before; }

bool tegula::isGpuTarget(std::string_view target) {
  constexpr std::string_view chips = "cuda:sm_";
  return target == "cuda" || target.substr(0, chips.size()) == chips;
}

bool tegula::isGpuProgram(std::string_view target) {
  constexpr std::string_view emulated = "cuda:emulate";
  return isGpuTarget(target) || target.substr(0, emulated.size()) == emulated;
}

Problem tegula::findGpuTarget(int device, std::string &target) {
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
