// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The variables of the loops around an op: which iteration it is in.

#ifndef TEGULA_IR_EXTENTS_LOOPVARIABLES_H
#define TEGULA_IR_EXTENTS_LOOPVARIABLES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace tegula::pl {

/// A loop's variable, and how it is called.
struct LoopVariable {
  std::string name;
  mlir::Value value;
};

/// Those of the loops around `op` in its function, the outermost first.
llvm::SmallVector<LoopVariable, 4> listLoopVariables(mlir::Operation *op);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_LOOPVARIABLES_H
