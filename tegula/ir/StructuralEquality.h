// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether two functions are the same program. Names of values, locations in
/// the source, and the order of what has no effect do not count; ops,
/// attributes, types, dataflow, and the parameters of the function do.

#ifndef TEGULA_IR_STRUCTURALEQUALITY_H
#define TEGULA_IR_STRUCTURALEQUALITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"

#include <optional>
#include <string>

namespace tegula::pl {

/// The first thing in which two programs differ.
struct Difference {
  /// What it is in the one and what in the other, such as "pl.add in the first,
  /// pl.sub in the second".
  std::string message;
  /// Where it stands in each.
  mlir::Location first, second;
};

/// The first difference between two functions of one context, with the
/// functions they call; nothing if they are the same program.
std::optional<Difference> findDifference(mlir::func::FuncOp first,
                                         mlir::func::FuncOp second);

} // namespace tegula::pl

#endif // TEGULA_IR_STRUCTURALEQUALITY_H
