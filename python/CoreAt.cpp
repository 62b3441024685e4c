// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that run where their tensors are.

#include "python/Dlpack.h"
#include "python/KernelObject.h"
#include "tegula/launch/call/ProgramOrigin.h"
#include "tegula/launch/device/DeviceRuntime.h"

using namespace tegula;

Problem tegula::findCoreAt(KernelCore &core, const DeviceStream &stream,
                           KernelCore *&found) {
  found = &core;
  if (LLVM_LIKELY(!stream.isNamed()) || findDeviceRuntime(core.program->target))
    return {};
  if (!core.followsTensors)
    return makeCallProblem("the tensors are on cuda:{0}, but the kernel is for "
                           "the target '{1}'",
                           stream.device, core.program->target);
  std::shared_ptr<KernelCore> &there = core.onDevices[stream.device];
  if (LLVM_UNLIKELY(!there)) {
    auto program = std::make_shared<Program>(*core.program);
    if (Problem problem = findDlpackRuntime(dlpack::Cuda)
                              ->findTarget(stream.device, program->target))
      return problem;
    there = std::make_shared<KernelCore>(
        program, std::make_unique<ProgramOrigin>(program));
  }
  found = there.get();
  return {};
}
