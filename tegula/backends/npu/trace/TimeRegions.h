// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What vector regions cost on a machine whose vector units run code.

#ifndef TEGULA_BACKENDS_NPU_TRACE_TIMEREGIONS_H
#define TEGULA_BACKENDS_NPU_TRACE_TIMEREGIONS_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tegula {

/// Gives every npu.vector the time that its code takes on the machine's vector
/// core. What cannot be timed keeps its operations per element. Does nothing
/// for lanes.
void timeRegions(mlir::ModuleOp module, const sim::Machine &machine);

/// The code of the vector regions as text, each kind once, with its position
/// and its time. Fails for lanes, which run none.
[[nodiscard]] Expected<std::string> printRegions(mlir::ModuleOp module,
                                                 const sim::Machine &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_TIMEREGIONS_H
