// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How C programs pass numbers to kernels that were compiled ahead of time.

#ifndef TEGULA_LAUNCH_CALL_PASSEDTYPE_H
#define TEGULA_LAUNCH_CALL_PASSEDTYPE_H

#include "tegula/support/DType.h"

namespace tegula {

/// How a number of the type is passed in C: Int8 to UInt64, FP32 or FP64.
DType getPassedType(DType dtype);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_PASSEDTYPE_H
