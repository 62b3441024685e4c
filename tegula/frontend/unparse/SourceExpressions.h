// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops as expressions and simple statements of the kernel language. How their
/// operands are written is left to the caller, who may also just want to know
/// which ones are mentioned.

#ifndef TEGULA_FRONTEND_UNPARSE_SOURCEEXPRESSIONS_H
#define TEGULA_FRONTEND_UNPARSE_SOURCEEXPRESSIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/unparse/SourcePrinter.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/PlOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace tegula {

/// How tightly an expression holds together, as in Python's grammar.
enum class Strength {
  Any,
  Conditional,
  Or,
  And,
  Not,
  Comparison,
  BitOr,
  BitXor,
  BitAnd,
  Shift,
  Sum,
  Product,
  Unary,
  Atom
};

/// A piece of source.
struct WrittenSource {
  std::string text;
  Strength strength = Strength::Atom;
};

/// What may stand where a value is written.
enum class Wanted {
  /// A tile: a tensor is loaded here, a number takes the type of its neighbour.
  Tile,
  /// A number that takes the type that is wanted here.
  Scalar,
  /// The value itself: a number says its type, unless that is what a number
  /// has if nothing says otherwise.
  Value,
  /// The same, and a number always says its type.
  Typed
};

/// Writes ops with the help of a function that writes their operands.
class ExpressionWriter {
public:
  using WriteValue =
      llvm::function_ref<std::string(mlir::Value, Wanted, Strength)>;

  ExpressionWriter(SourceStyle style, WriteValue write)
      : style(style), write(write) {}

  /// An op with one result and no regions; failure, with an error, if the
  /// language cannot say it.
  llvm::FailureOr<WrittenSource> expression(mlir::Operation *op);
  /// An op without results and regions.
  llvm::FailureOr<std::string> statement(mlir::Operation *op);
  /// `[a, b]` of index values.
  std::string list(mlir::ValueRange values);

private:
  // Scalars: SourceScalars.cpp.
  std::optional<WrittenSource> arithmetic(mlir::Operation *op);
  WrittenSource infix(mlir::Value lhs, llvm::StringRef symbol, mlir::Value rhs,
                      Strength strength, Wanted wanted = Wanted::Scalar);
  std::optional<WrittenSource> select(mlir::Operation *op);
  std::optional<WrittenSource> remainder(mlir::Operation *op);
  WrittenSource cast(mlir::Value operand, mlir::Type type,
                     pl::Rounding rounding);

  // Elementwise ops: SourceElementwise.cpp.
  WrittenSource elementwise(mlir::Operation *op);

  // Windows and memory: SourceWindows.cpp.
  std::optional<WrittenSource> window(mlir::Operation *op);
  std::optional<std::string>
  subscript(mlir::Value base, mlir::ValueRange offsets, mlir::ValueRange sizes,
            llvm::ArrayRef<int64_t> drop, bool isIdentity = false);
  std::optional<WrittenSource> droppingWindow(pl::ReshapeOp op);
  std::optional<std::string> store(pl::StoreOp op);
  std::optional<std::string> storeAt(pl::StoreOp op, pl::SliceOp slice);
  std::string stored(mlir::Value value, mlir::Type view);
  // SourceScatter.cpp.
  std::string scatterStore(pl::ScatterStoreOp op);
  // SourceInserts.cpp.
  WrittenSource insert(pl::InsertOp op);
  WrittenSource insertAt(pl::InsertOp op, llvm::ArrayRef<mlir::Value> offsets,
                         llvm::ArrayRef<int64_t> drop);

  // Other tile ops: SourceTiles.cpp.
  std::optional<WrittenSource> tileOp(mlir::Operation *op);
  WrittenSource transpose(pl::TransposeOp op);
  WrittenSource broadcast(pl::BroadcastOp op);
  // SourceOrder.cpp.
  std::optional<std::string> ordering(mlir::Operation *op);
  // What is printed and asserted: SourceMessages.cpp.
  std::optional<std::string> message(mlir::Operation *op);
  // `and` and `or` that look at their right side only if they must.
  WrittenSource shortCircuit(mlir::scf::IfOp op);
  // Calls that are generated from the declarations of the functions:
  // SourceCalls.cpp.
  std::optional<std::string> call(mlir::Operation *op);

  SourceStyle style;
  WriteValue write;
};

/// The value that is written for `value`: a type that says less of a tile is
/// not seen in the source, and the least of twice the same is that.
mlir::Value shownValue(mlir::Value value);

/// What the call of an op that orders elements gives: what is loaded from the
/// memory it writes, or that memory if nobody loads it. Nothing for other ops,
/// and where the memory is used in other ways.
llvm::SmallVector<mlir::Value, 2> orderedResults(mlir::Operation *op);

/// The op that gives what `load` loads; null if it is no result of a call.
mlir::Operation *orderingOf(mlir::Operation *load);

/// True for a branch that is `a and b` or `a or b`: one side is a constant, the
/// other an expression.
bool isShortCircuit(mlir::Operation *op);

/// What decides together with the condition of such a branch.
mlir::Value undecidedSide(mlir::scf::IfOp op);

/// The operands of an elementwise op as they are written: without the
/// broadcasts and constant tiles that the front end puts in by itself.
llvm::SmallVector<mlir::Value> shownOperands(mlir::Operation *op,
                                             SourceStyle style);

/// A number of the program as it is written, if `value` is one.
std::optional<WrittenSource> writeNumber(mlir::Value value, Wanted wanted);

/// "pl.FP32".
std::string writeDtype(mlir::Type type);

/// The start, end and step of a loop as they are written: that a step must be
/// positive goes without saying.
std::array<mlir::Value, 3> shownBounds(mlir::Operation *loop);

/// True if `size` is the whole extent of an axis of a tensor or tile.
bool isWholeAxis(mlir::Value size, mlir::Value shaped, unsigned axis);

} // namespace tegula

#endif // TEGULA_FRONTEND_UNPARSE_SOURCEEXPRESSIONS_H
