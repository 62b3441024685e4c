// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/CudaContext.h"

using namespace tegula;
using namespace tegula::cuda;

ContextScope::~ContextScope() {
  Context left;
  if (isPushed)
    driver.contextPop(&left);
}

Result ContextScope::enter(const GpuStream &gpuStream, Context known,
                           Device ofKnown) {
  if (Result result = driver.contextGetCurrent(&context))
    return result;
  if (context && (!gpuStream.isNamed() ||
                  (context == known && ofKnown == gpuStream.device)))
    return 0;
  Device device;
  if (context) {
    if (Result result = driver.contextGetDevice(&device))
      return result;
    if (device == gpuStream.device)
      return 0;
  }
  if (Result result =
          driver.deviceGet(&device, gpuStream.isNamed() ? gpuStream.device : 0))
    return result;
  // Given back when the process ends: a kernel stays loaded there.
  if (Result result = driver.primaryContextRetain(&context, device))
    return result;
  if (!gpuStream.isNamed())
    return driver.contextSetCurrent(context);
  if (Result result = driver.contextPush(context))
    return result;
  isPushed = true;
  return 0;
}
