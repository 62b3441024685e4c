// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The reference interpreter: runs a function of pl, func, scf, arith and math
/// ops on data in memory. It is the oracle that passes and back ends are
/// checked against: simple, exact where that is possible, and in order.

#ifndef TEGULA_IR_INTERPRETER_INTERPRETER_H
#define TEGULA_IR_INTERPRETER_INTERPRETER_H

#include "tegula/ir/Scalar.h"
#include "tegula/ir/interpreter/RankOptions.h"
#include "tegula/support/TensorView.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"

#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace mlir {
class Operation;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace tegula::pl {

/// A tile: its valid elements in row-major order.
struct Tile {
  DType dtype = DType::FP32;
  /// The valid region.
  llvm::SmallVector<int64_t, 4> extents;
  /// As many as the product of the extents.
  std::vector<Slot> elements;
};

/// A tensor, and the memory it keeps alive if a pl.create_tensor made it.
struct Memory {
  TensorView view;
  std::shared_ptr<char[]> owner;
};

/// What an SSA value holds while the program runs. Tiles never change.
using RuntimeValue = std::variant<Scalar, std::shared_ptr<const Tile>, Memory>;

/// What a call passes for one parameter.
using Argument = std::variant<Scalar, TensorView>;

/// Limits and hooks of one interpretation.
struct InterpreterOptions {
  /// Ops run before giving up; 0 for no limit.
  uint64_t maxSteps = 0;
  /// Elements of the largest tile or tensor the program may make.
  int64_t maxElements = int64_t(1) << 29;
  /// Regions and calls within each other.
  unsigned maxDepth = 1000;
  /// Fails where two iterations of a loop that is called independent touch the
  /// same element and one of them writes it.
  bool checkIndependence = false;
  /// The ranks that run the function. With more than one, all share the memory
  /// of the arguments, and accesses that nothing orders are errors.
  RankOptions ranks = {};
  /// Called after every op that has results, with their values.
  std::function<void(mlir::Operation *, llvm::ArrayRef<RuntimeValue>)> observer;
};

/// Runs `function` on `arguments`; it writes to their memory. Anything wrong
/// with the call, the program or its run is reported as a diagnostic at the op
/// it concerns; memory may then be partly written.
llvm::LogicalResult interpret(mlir::func::FuncOp function,
                              llvm::ArrayRef<Argument> arguments,
                              const InterpreterOptions &options = {});

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_INTERPRETER_H
