// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/CudaContext.h"

using namespace tegula;
using namespace tegula::cuda;

ContextScope::~ContextScope() {
  Context left;
  if (isPushed)
    driver.contextPop(&left);
}

Result ContextScope::enter(const GpuPlace &place, Context known,
                           Device ofKnown) {
  if (Result result = driver.contextGetCurrent(&context))
    return result;
  if (context &&
      (!place.isNamed() || (context == known && ofKnown == place.device)))
    return 0;
  Device device;
  if (context) {
    if (Result result = driver.contextGetDevice(&device))
      return result;
    if (device == place.device)
      return 0;
  }
  if (Result result =
          driver.deviceGet(&device, place.isNamed() ? place.device : 0))
    return result;
  // Given back when the process ends: a kernel stays loaded there.
  if (Result result = driver.primaryContextRetain(&context, device))
    return result;
  if (!place.isNamed())
    return driver.contextSetCurrent(context);
  if (Result result = driver.contextPush(context))
    return result;
  isPushed = true;
  return 0;
}
