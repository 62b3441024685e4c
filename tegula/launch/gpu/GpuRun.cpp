// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a kernel for GPUs, from its host code.

#include "tegula/launch/device/DeviceFailure.h"
#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/GpuExplanation.h"
#include "tegula/launch/gpu/driver/EmulatedDriver.h"

#include <atomic>

using namespace tegula;

/// Read once, and kept for as long as the process: host code may be unloaded
/// while its last launch is still running.
static cuda::Kernel *load(const TegulaGpuRequest &request) {
  auto *slot = reinterpret_cast<std::atomic<cuda::Kernel *> *>(request.loaded);
  if (cuda::Kernel *known = slot->load(std::memory_order_acquire))
    return known;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (cuda::Kernel *known = slot->load(std::memory_order_acquire))
    return known;
  GpuProgram program;
  std::string problem;
  const cuda::Driver *driver = nullptr;
  if (!program.read({request.program, size_t(request.programBytes)})) {
    problem = "the code of a GPU kernel is damaged";
  } else if (request.emulated) {
    setEmulatedKernels(program, request.emulated);
    driver = &getEmulatedDriver(program.codes.front().getChip());
  } else {
    driver = cuda::findDriver(problem);
  }
  if (!driver) {
    reportDeviceFailure(request.state, {Problem::Kind::System, problem});
    return nullptr;
  }
  auto *kept = new cuda::Kernel(std::move(program), *driver);
  slot->store(kept, std::memory_order_release);
  return kept;
}

void tegulaGpuRun(const TegulaGpuRequest *request) {
  if (CallDescriber *describer = CallDescriber::getCurrent())
    return explainGpuCall(*request, *describer);
  if (cuda::Kernel *kernel = load(*request))
    kernel->run(*request);
}
