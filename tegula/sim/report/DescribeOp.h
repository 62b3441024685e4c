// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations in words, for timelines.

#ifndef TEGULA_SIM_REPORT_DESCRIBEOP_H
#define TEGULA_SIM_REPORT_DESCRIBEOP_H

#include "tegula/sim/engine/Observer.h"
#include <string>

namespace tegula::sim {

/// "load left", "multiply 512x512x128", "exp and sum 8x2048".
std::string describeOp(const OpRecord &record);

/// Bytes that a transfer moves; 0 for other operations.
int64_t getTransferBytes(const TegulaTraceOp &op);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_DESCRIBEOP_H
