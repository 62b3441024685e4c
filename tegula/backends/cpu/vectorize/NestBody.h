// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the body of a nest makes of one vector of elements.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_NESTBODY_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_NESTBODY_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class ElementAccess;

class NestBody : NestPart {
public:
  NestBody(NestState &state, ElementAccess &access)
      : NestPart(state), access(access) {}

  /// What the body makes of the inputs here: the value to store, or the
  /// element to combine.
  mlir::Value compute(mlir::Value mask);
  /// The same, with one element for each lane.
  mlir::Value computeLanes(mlir::Value mask);
  /// `before`, combined with what is computed here.
  mlir::Value combine(mlir::Value before, mlir::Value mask);
  /// `before`, combined with what all iterations of the loops that reduce
  /// compute.
  mlir::Value reduce(mlir::Value before, mlir::Value mask) {
    return reduceFrom(0, before, mask);
  }

private:
  mlir::Value reduceFrom(unsigned position, mlir::Value before,
                         mlir::Value mask);

  ElementAccess &access;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_NESTBODY_H
