// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuExplanation.h"

#include "tegula/launch/gpu/GpuChip.h"
#include "tegula/launch/gpu/GpuFailure.h"
#include "tegula/launch/gpu/GpuStream.h"
#include "tegula/launch/gpu/emulator/EmulatedDriver.h"

using namespace tegula;

static thread_local GpuExplanation *current = nullptr;

GpuExplanation::GpuExplanation() : before(current) { current = this; }

GpuExplanation::~GpuExplanation() { current = before; }

GpuExplanation *GpuExplanation::getCurrent() { return current; }

/// A chip that the kernel was compiled for, with as many SMs as those
/// that kernels are tuned for, or as the one that is emulated.
static GpuChip assume(const GpuProgram &program, bool isEmulated) {
  int numSMs = 132, chip = program.codes.front().getChip();
  if (isEmulated)
    getEmulatedDriver(chip).deviceGetAttribute(&numSMs,
                                               cuda::multiprocessorCount, 0);
  return {chip / 10, chip % 10, numSMs};
}

void GpuExplanation::take(const TegulaGpuRequest &request) {
  GpuProgram program;
  if (!program.read({request.program, size_t(request.programBytes)}))
    return reportGpuFailure(
        request.state,
        {Problem::Kind::System, "the code of a GPU kernel is damaged"});
  GpuChip chip = assume(program, request.emulated);
  std::string problem;
  bool isThere =
      !request.emulated && findGpuChip(getGpuStream().device, chip, problem);
  description = describeGpuCall(program, request.slots, chip);
  if (isThere)
    return;
  description.text += request.emulated
                          ? "\nthis is for the chip that is emulated, of "
                          : "\nno GPU was asked: this is for a chip of ";
  description.text += std::to_string(chip.numSMs) + " SMs";
}
