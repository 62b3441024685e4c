// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/GpuChip.h"

#include "tegula/launch/gpu/driver/CudaContext.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"

#include <algorithm>
#include <chrono>

using namespace tegula;

double GpuChip::getPeak(GpuCores cores) const {
  // Operations of an SM in a cycle, as NVIDIA's papers on chips say.
  double each = 0;
  if (cores != GpuCores::Ordinary)
    each = major >= 9 ? 4096 : major == 8 && minor == 0 ? 2048 : 1024;
  else
    each = major >= 9 || (major == 8 && minor > 0) ? 256 : 128;
  if (cores == GpuCores::TensorTf32)
    each /= 2;
  if (cores == GpuCores::TensorBytes)
    each *= 2;
  return each * static_cast<double>(numSMs) * clock;
}

bool tegula::findGpuChip(int device, GpuChip &chip, std::string &problem) {
  const cuda::Driver *driver = cuda::findDriver(problem);
  if (!driver)
    return false;
  cuda::Device found;
  cuda::Context context = nullptr;
  bool isOfContext = device < 0 && driver->contextGetCurrent(&context) == 0 &&
                     context && driver->contextGetDevice(&found) == 0;
  if (!isOfContext && driver->deviceGet(&found, std::max(device, 0)) != 0) {
    problem = "there is no GPU " + std::to_string(std::max(device, 0));
    return false;
  }
  int numSMs = 0, kilohertz = 0;
  driver->deviceGetAttribute(&chip.major, cuda::capabilityMajor, found);
  driver->deviceGetAttribute(&chip.minor, cuda::capabilityMinor, found);
  driver->deviceGetAttribute(&numSMs, cuda::multiprocessorCount, found);
  driver->deviceGetAttribute(&kilohertz, cuda::clockRate, found);
  chip.numSMs = numSMs;
  chip.clock = kilohertz * 1e3;
  return true;
}

double tegula::measureGpuCopyRate(int device, uint64_t bytes) {
  std::string problem;
  const cuda::Driver *driver = cuda::findDriver(problem);
  if (!driver)
    return 0;
  DeviceStream stream;
  stream.device = device;
  cuda::ContextScope context(*driver);
  if (context.enter(stream) != 0)
    return 0;
  constexpr uint64_t least = 1 << 12;
  uint64_t half = std::max(bytes / 2, least);
  cuda::Address memory = 0;
  if (driver->allocate(&memory, 2 * half, nullptr) != 0)
    return 0;
  auto copyTimes = [&](int times) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i)
      driver->copy(memory + half, memory, half, nullptr);
    driver->synchronize(nullptr);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  driver->fill(memory, 0, 2 * half, nullptr);
  copyTimes(3);
  // What starting costs is in both, and falls out.
  constexpr int few = 5, many = 25;
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    double each = (copyTimes(many) - copyTimes(few)) / (many - few);
    if (each > 0)
      best = std::max(best, static_cast<double>(2 * half) / each);
  }
  driver->free(memory, nullptr);
  driver->synchronize(nullptr);
  return best;
}
