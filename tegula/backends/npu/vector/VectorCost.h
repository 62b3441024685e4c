// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a vector region costs on a machine whose vector units are RISC-V cores:
/// it is compiled for the core, and the loop that comes out is timed.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_VECTORCOST_H
#define TEGULA_BACKENDS_NPU_VECTOR_VECTORCOST_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/support/Error.h"
#include "tegula/support/TraceAbi.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// rows x (rowCycles + ceil(elements / iterationElements) x iterationCycles) +
/// fillCycles
struct VectorCost {
  /// Registers to a vector: of 1, 2 and 4 the one with the fewest cycles per
  /// element.
  unsigned lmul;
  /// Elements of an iteration of the loop over a row.
  unsigned iterationElements;
  double iterationCycles;
  /// Once per row: what stands before and after its loop.
  double rowCycles;
  /// Once.
  double fillCycles;

  /// Writes the cost into a formula of the trace, in whole cycles, upwards.
  void fillIn(TegulaTraceFormula &formula) const;
};

/// Whether the machine has lanes, or a core that LLVM has a model of with the
/// registers of that model. The error names those that can be had.
[[nodiscard]] Error checkVectorCore(const sim::Machine &machine);

/// The cost of a region on memory, whose rows are its innermost loop, on the
/// vector core of `machine`. The error says why it was not timed: the machine
/// has lanes or fails checkVectorCore, or the region has no loop of vectors.
/// Each kind of region is timed once in a process, but by every thread that
/// asks for it at that time. All dialects of registerRowDialects have to be
/// loaded.
[[nodiscard]] Expected<VectorCost> timeRegion(mlir::linalg::GenericOp region,
                                              const sim::Machine &machine);

/// How many regions were timed so far, for tests.
unsigned countTimedRegions();

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_VECTORCOST_H
