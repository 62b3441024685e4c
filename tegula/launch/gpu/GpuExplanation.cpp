// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuExplanation.h"

#include "tegula/launch/device/DeviceFailure.h"
#include "tegula/launch/device/DeviceStream.h"
#include "tegula/launch/gpu/DescribeGpuCall.h"
#include "tegula/launch/gpu/driver/EmulatedDriver.h"
#include "tegula/launch/gpu/driver/GpuChip.h"

using namespace tegula;

/// A chip that the kernel was compiled for, with as many SMs as those
/// that kernels are tuned for, or as the one that is emulated.
static GpuChip assume(const GpuProgram &program, bool isEmulated) {
  int numSMs = 132, chip = program.codes.front().getChip();
  if (isEmulated)
    getEmulatedDriver(chip).deviceGetAttribute(&numSMs,
                                               cuda::multiprocessorCount, 0);
  return {chip / 10, chip % 10, numSMs};
}

void tegula::explainGpuCall(const TegulaGpuRequest &request,
                            CallDescriber &describer) {
  GpuProgram program;
  if (!program.read({request.program, size_t(request.programBytes)}))
    return reportDeviceFailure(
        request.state,
        {Problem::Kind::System, "the code of a GPU kernel is damaged"});
  GpuChip chip = assume(program, request.emulated);
  std::string problem;
  bool isThere =
      !request.emulated && findGpuChip(getDeviceStream().device, chip, problem);
  GpuCallDescription call = describeGpuCall(program, request.slots, chip);
  CallDescription described;
  described.text = std::move(call.text);
  if (call.cores != GpuCores::Ordinary)
    described.units = "its tensor cores";
  described.peak = isThere ? chip.getPeak(call.cores) : 0;
  if (!isThere) {
    described.text += request.emulated
                          ? "\nthis is for the chip that is emulated, of "
                          : "\nno GPU was asked: this is for a chip of ";
    described.text += std::to_string(chip.numSMs) + " SMs";
  }
  describer.set(std::move(described));
}
