// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From what compiled code pushes to operations.

#ifndef TEGULA_SIM_PRODUCER_DECODEOPS_H
#define TEGULA_SIM_PRODUCER_DECODEOPS_H

#include "tegula/sim/producer/TensorMap.h"
#include "tegula/support/TraceAbi.h"
#include <vector>

namespace tegula::sim {

/// Adds what TegulaTraceNumbers describe to `ops`: one operation, none if it
/// has no elements, or several if it moves a box of more than three axes.
void decodeOps(int32_t kind, const int64_t *numbers, const TensorMap &tensors,
               std::vector<TegulaTraceOp> &ops);

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_DECODEOPS_H
