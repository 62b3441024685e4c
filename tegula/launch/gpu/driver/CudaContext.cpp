// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/CudaContext.h"

using namespace tegula;
using namespace tegula::cuda;

ContextScope::~ContextScope() {
  Context left;
  if (isPushed)
    driver.contextPop(&left);
}

Result ContextScope::enter(const DeviceStream &stream, Context known,
                           Device ofKnown) {
  if (Result result = driver.contextGetCurrent(&context))
    return result;
  if (context &&
      (!stream.isNamed() || (context == known && ofKnown == stream.device)))
    return 0;
  Device device;
  if (context) {
    if (Result result = driver.contextGetDevice(&device))
      return result;
    if (device == stream.device)
      return 0;
  }
  if (Result result =
          driver.deviceGet(&device, stream.isNamed() ? stream.device : 0))
    return result;
  // Given back when the process ends: a kernel stays loaded there.
  if (Result result = driver.primaryContextRetain(&context, device))
    return result;
  if (!stream.isNamed())
    return driver.contextSetCurrent(context);
  if (Result result = driver.contextPush(context))
    return result;
  isPushed = true;
  return 0;
}
