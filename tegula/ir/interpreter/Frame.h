// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of one function while the interpreter runs it: what each SSA value
/// holds. Ops read their operands from it and put their results in it.

#ifndef TEGULA_IR_INTERPRETER_FRAME_H
#define TEGULA_IR_INTERPRETER_FRAME_H

#include "tegula/ir/interpreter/Interpreter.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace tegula::pl {

using RuntimeValues = llvm::SmallVector<RuntimeValue, 4>;

class CooperativeBlocks;
class InterpretedRanks;
class TensorViewType;
class TouchRecord;
enum class Touch;

/// What all frames of one interpretation share.
struct InterpreterState {
  const InterpreterOptions &options;
  uint64_t steps = 0;
  unsigned depth = 0;
  /// Of the grid, and of the lanes, that run: who waits at barriers.
  CooperativeBlocks *blocks = nullptr, *lanes = nullptr;
  /// Of the loops that run and whose independence is checked.
  llvm::SmallVector<TouchRecord *, 2> watched = {};
  /// All ranks, and which of them this is; null if there is one.
  InterpretedRanks *ranks = nullptr;
  int64_t rank = 0;
  /// What is to be waited for at the end of the dispatch that it is in.
  bool isInDispatch = false;
  std::vector<std::function<llvm::LogicalResult()>> deferred = {};
};

/// The values of one function's run.
class Frame {
public:
  explicit Frame(InterpreterState &state) : state(state) {}
  /// The run of a function that `call` in another one calls.
  Frame(InterpreterState &state, const Frame *caller, mlir::Operation *call)
      : state(state), caller(caller), callOp(call) {}

  /// The run that called this one, and its op that did; null if there is none.
  const Frame *getCaller() const { return caller; }
  mlir::Operation *getCall() const { return callOp; }

  /// What a value of any type holds.
  const RuntimeValue &get(mlir::Value value) const {
    auto it = values.find(value);
    assert(it != values.end() && "the verifier checks that uses are dominated");
    return it->second;
  }
  RuntimeValues get(mlir::ValueRange range) const;
  const Scalar &getScalar(mlir::Value value) const {
    return std::get<Scalar>(get(value));
  }
  int64_t getIndex(mlir::Value value) const {
    return getScalar(value).getInteger();
  }
  llvm::SmallVector<int64_t, 4> getIndices(mlir::ValueRange range) const;
  const Tile &getTile(mlir::Value value) const {
    return *std::get<std::shared_ptr<const Tile>>(get(value));
  }
  const TensorView &getTensor(mlir::Value value) const {
    return std::get<Memory>(get(value)).view;
  }

  /// Gives a value what it holds from now on. Fails, with a diagnostic at the
  /// op, if the extents are not what the type of the value says.
  llvm::LogicalResult set(mlir::Value value, RuntimeValue concrete);
  llvm::LogicalResult set(mlir::Value value, Tile tile);

  /// Fails if a tile or tensor of these extents is absurd.
  llvm::LogicalResult checkSize(mlir::Operation *op,
                                llvm::ArrayRef<int64_t> extents) const;
  /// What a tensor of that type and sizes looks like, row by row; the memory is
  /// still to be had.
  llvm::FailureOr<TensorView> makeView(mlir::Operation *op, TensorViewType type,
                                       mlir::ValueRange sizes) const;
  /// An empty tile of that type and extents with room for its elements.
  llvm::FailureOr<Tile> makeTile(mlir::Operation *op, DType dtype,
                                 llvm::ArrayRef<int64_t> extents) const;

  /// Runs the single block of a region with these arguments and returns the
  /// operands of its terminator, which is not run itself.
  llvm::FailureOr<RuntimeValues> run(mlir::Region &region,
                                     llvm::ArrayRef<RuntimeValue> arguments);

  /// Tells the loops that are watched, and other ranks, what `op` does to the
  /// first `extents` elements of a tensor. Fails if two iterations, or ranks,
  /// meet.
  llvm::LogicalResult touch(mlir::Operation *op, Touch touch,
                            const TensorView &view,
                            llvm::ArrayRef<int64_t> extents) const {
    bool isWatched = !state.watched.empty() || state.ranks;
    return isWatched ? record(op, touch, view, extents) : llvm::success();
  }
  llvm::LogicalResult touch(mlir::Operation *op, Touch kind,
                            const TensorView &view) const {
    return touch(op, kind, view, view.getSizes());
  }

  InterpreterState &getState() { return state; }

private:
  llvm::LogicalResult step(mlir::Operation *op);
  llvm::LogicalResult record(mlir::Operation *op, Touch touch,
                             const TensorView &view,
                             llvm::ArrayRef<int64_t> extents) const;

  InterpreterState &state;
  const Frame *caller = nullptr;
  mlir::Operation *callOp = nullptr;
  llvm::DenseMap<mlir::Value, RuntimeValue> values;
};

/// Runs an op of a dialect that is not ours; an op without a rule is an error.
llvm::LogicalResult interpretForeign(mlir::Operation *op, Frame &frame);

/// The rule of an arith or math op on scalars, if it has one.
using ScalarRule = llvm::FailureOr<Scalar> (*)(mlir::Operation *,
                                               llvm::ArrayRef<Scalar>);
ScalarRule findScalarRule(mlir::Operation *op);

/// Runs a function that is already known to fit its arguments; `from` is the
/// run of the function that `caller` is in, if there is one.
llvm::FailureOr<RuntimeValues> call(mlir::func::FuncOp function,
                                    llvm::ArrayRef<RuntimeValue> arguments,
                                    mlir::Operation *caller,
                                    InterpreterState &state,
                                    const Frame *from = nullptr);

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_FRAME_H
