// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much a function computes in a call that brings given sizes: what a rate
/// is counted in, and what a machine's peak is held against.

#ifndef TEGULA_IR_COUNTWORK_H
#define TEGULA_IR_COUNTWORK_H

#include "tegula/ir/extents/SizeEvaluation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::pl {

/// What a call computes.
struct Work {
  /// Additions, multiplications and the like: two for each multiply-add of a
  /// matmul, and for a function such as exp as many as it costs.
  double operations = 0;
  /// False if it depends on data how often something happens, or on more than
  /// is looked at; then it is an estimate.
  bool isExact = true;
};

/// Counts what `function` does, which calls nothing, in a call whose parameters
/// have the extents and values in `given`.
Work countWork(mlir::func::FuncOp function,
               const std::map<SizeInput, int64_t> &given);

} // namespace tegula::pl

#endif // TEGULA_IR_COUNTWORK_H
