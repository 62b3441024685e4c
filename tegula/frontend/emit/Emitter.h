// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Builds IR for the operations of the language on objects: conversion of
/// constants, promotion, broadcasting, loads of views that are used as values.
/// It knows no syntax. A mistake is reported at the given place and yields a
/// null value or a poisoned object; no op is ever built that does not verify.

#ifndef TEGULA_FRONTEND_EMIT_EMITTER_H
#define TEGULA_FRONTEND_EMIT_EMITTER_H

#include "mlir/IR/Builders.h"
#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include "tegula/frontend/emit/TensorUse.h"
#include "tegula/frontend/syntax/Ast.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/support/MachineParts.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace tegula {

/// The parameter of a function that a value is, whatever is said of its
/// extents; null if it is none.
mlir::BlockArgument asParameter(mlir::Value value);

/// An extent of one of the values that come out of a loop, a branch, a region
/// or a call.
struct CrossingExtent {
  /// Which of the values, and which axis of it.
  unsigned position, axis;
  /// What it is; null if it comes out as a further value.
  mlir::Value known;
  /// False if the value knows its extents by itself: they are said only if all
  /// of them are known, so that others can be compared with them.
  bool mustBeSaid;
};

/// How a matmul takes its operands.
struct MatmulFlags {
  bool transposeLhs = false, transposeRhs = false;
  /// How they may be rounded, if they may.
  std::optional<pl::Precision> precision = std::nullopt;
};

/// Generates ops at the insertion point of its builder.
class Emitter {
public:
  Emitter(mlir::Block *entry, llvm::StringRef function,
          const MachineParts &parts, Reporter &reporter)
      : builder(mlir::OpBuilder::atBlockEnd(entry)), function(function),
        parts(parts), reporter(reporter), entry(entry) {}

  mlir::OpBuilder builder;
  /// What the author calls the function that is generated.
  llvm::StringRef function;
  /// What the program is told of the machine.
  MachineParts parts;
  Reporter &reporter;
  /// What is known of reads and writes of parameters.
  TensorUse uses;

  mlir::MLIRContext *getContext() { return builder.getContext(); }
  /// Reports an error and gives the poisoned object.
  Object fail(mlir::Location loc, const llvm::Twine &message,
              llvm::ArrayRef<Note> notes = {});
  /// Erases an op generated on trial.
  void eraseTrial(mlir::Operation *op);

  // Scalars: EmitScalars.cpp.

  /// An index constant, kept at the top of the function.
  mlir::Value index(int64_t value);
  /// A number known while compiling as a scalar of `type`; null if it does not
  /// fit.
  mlir::Value constant(mlir::Location loc, const Object &number,
                       mlir::Type type);
  /// A scalar as `type`, which keeps its value but for the loss of precision of
  /// narrower floats.
  mlir::Value convert(mlir::Location loc, mlir::Value scalar, mlir::Type type);
  /// A number or scalar as `type`. Floats do not become integers.
  mlir::Value toScalar(mlir::Location loc, const Object &object,
                       mlir::Type type);
  /// An integer or integer scalar as index; `what` names it in the error.
  mlir::Value toIndex(mlir::Location loc, const Object &object,
                      llvm::StringRef what);
  /// A number or scalar as i1.
  mlir::Value toCondition(mlir::Location loc, const Object &object);
  /// The type a number has if nothing else says: INDEX, FP32 or BOOL.
  mlir::Type defaultType(const Object &number);
  /// A number as a run-time value of its default type, anything else itself.
  Object materialize(mlir::Location loc, const Object &object);
  /// An operator on index values, folded as far as it goes and shared with
  /// equal ones before it.
  mlir::Value indexBinary(mlir::Location loc, ast::BinaryOp op, mlir::Value lhs,
                          mlir::Value rhs);
  mlir::Value indexExtreme(mlir::Location loc, bool isMax, mlir::Value lhs,
                           mlir::Value rhs);

  // Operators: EmitOperators.cpp.

  Object unary(mlir::Location loc, ast::UnaryOp op, const Object &operand);
  Object binary(mlir::Location loc, ast::BinaryOp op, const Object &lhs,
                const Object &rhs);
  Object compare(mlir::Location loc, ast::CompareOp op, const Object &lhs,
                 const Object &rhs);
  /// True for a float, and for what has floats as elements.
  static bool holdsFloats(const Object &object);
  /// The smaller or larger of two scalars or numbers.
  Object extreme(mlir::Location loc, bool isMax, const Object &lhs,
                 const Object &rhs);
  /// `lhs @ rhs`, added to `acc` unless it is null: EmitMatmul.cpp.
  Object matmul(mlir::Location loc, const Object &lhs, const Object &rhs,
                mlir::Value acc, const MatmulFlags &flags = {});

  // Elementwise ops: EmitElementwise.cpp.

  /// The elementwise op `pl.<mnemonic>`, its operands promoted to one element
  /// type and broadcast to one shape. Errors call it `name`, if there is one.
  Object elementwise(mlir::Location loc, llvm::StringRef mnemonic,
                     llvm::ArrayRef<Object> operands,
                     llvm::StringRef name = "");
  Object comparison(mlir::Location loc, pl::Comparison comparison,
                    const Object &lhs, const Object &rhs);
  Object select(mlir::Location loc, const Object &mask, const Object &lhs,
                const Object &rhs);
  Object cast(mlir::Location loc, const Object &operand, mlir::Type element,
              pl::Rounding rounding);
  /// The operands of arithmetic, booleans among them as 0 and 1 if no other
  /// operand decides what they become: EmitBooleans.cpp. They are then of the
  /// type that was compared, if they come from comparisons, and otherwise FP32
  /// beside a float and INT32.
  llvm::SmallVector<Object> countBooleans(mlir::Location loc,
                                          llvm::ArrayRef<Object> operands);
  /// A tile of booleans as 0 and 1 for a tensor or tile of `element`; other
  /// tiles as they are.
  mlir::Value storedBooleans(mlir::Location loc, mlir::Value tile,
                             mlir::Type element);
  /// How many operands `pl.<mnemonic>` takes if it is an elementwise op without
  /// attributes, otherwise 0.
  unsigned elementwiseArity(llvm::StringRef mnemonic);

  // Extents: EmitExtents.cpp.

  /// The extent of a tensor or tile along an axis.
  mlir::Value extent(mlir::Location loc, mlir::Value shaped, unsigned axis);
  llvm::SmallVector<mlir::Value> extents(mlir::Location loc,
                                         mlir::Value shaped);
  /// The same as an object: an integer where it is known.
  Object extentObject(mlir::Location loc, mlir::Value shaped, unsigned axis);
  /// An extent in terms of values as near to the parameters as possible.
  mlir::Value settledExtent(mlir::Location loc, mlir::Value shaped,
                            unsigned axis);
  /// True if a value of a called function depends on nothing but its arguments
  /// and their extents.
  static bool isImportable(mlir::Value value);
  /// Such a value in terms of the arguments of a call.
  mlir::Value importExtent(mlir::Location loc, mlir::Value value,
                           llvm::ArrayRef<mlir::Value> arguments) {
    llvm::DenseMap<mlir::Value, mlir::Value> imported;
    return importExtent(loc, value, arguments, imported);
  }
  /// True if a value can be used at the insertion point.
  bool isVisible(mlir::Value value);
  /// True if two index values are provably equal.
  bool isEqual(mlir::Value lhs, mlir::Value rhs);
  /// True if the extents are provably equal.
  bool isSameExtent(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
                    mlir::Value rhs, unsigned rhsAxis);
  /// "M", "128" or "a run-time value", and where a symbol is declared.
  std::string describeExtent(mlir::Location loc, mlir::Value shaped,
                             unsigned axis, std::vector<Note> &notes);

  // Extents of what comes from elsewhere: EmitCrossing.cpp.

  /// The extents that nothing says once the values have crossed, in order:
  /// those that are not exact. None is known yet.
  std::vector<CrossingExtent> crossingExtents(mlir::ValueRange values);
  /// An extent in terms of values that can be used here, if it comes from one
  /// place; null otherwise.
  mlir::Value simpleExtent(mlir::Location loc, mlir::Value shaped,
                           unsigned axis);
  /// Takes those out that are not known and need not be said.
  static void dropUnknown(std::vector<CrossingExtent> &extents);
  /// True if an extent is the same here as there: proved if it must be said,
  /// seen at once otherwise.
  bool isSameAcross(const CrossingExtent &extent, mlir::Value here,
                    mlir::Value there);
  /// Says of the values, on the other side, what their extents are. Those that
  /// crossed are `further`, in order.
  void stateExtents(mlir::Location loc, llvm::ArrayRef<CrossingExtent> extents,
                    llvm::MutableArrayRef<mlir::Value> values,
                    mlir::ValueRange further);
  /// Adds to the values, on the near side, the extents that cross with them.
  void addFurtherExtents(mlir::Location loc,
                         llvm::ArrayRef<CrossingExtent> extents,
                         llvm::SmallVectorImpl<mlir::Value> &values);

  // Shapes: EmitShapes.cpp.

  /// True if two axes can be combined: their extents are equal, or a static
  /// bound covers both. Otherwise says that they differ.
  bool checkExtents(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
                    mlir::Value rhs, unsigned rhsAxis);
  /// Brings tiles to one shape; false if they have none.
  bool broadcastTogether(mlir::Location loc,
                         llvm::MutableArrayRef<mlir::Value> tiles);
  /// A tile repeated to the shape of `like`; null if it does not fit.
  mlir::Value broadcastTo(mlir::Location loc, mlir::Value tile,
                          mlir::Value like);
  /// `target op= value`: of a tile, the part where the value is valid changes.
  Object update(mlir::Location loc, ast::BinaryOp op, const Object &target,
                const Object &value);
  /// The same tile or tensor under a type that says less.
  mlir::Value relax(mlir::Location loc, mlir::Value value, mlir::Type type);
  /// A tile of the extents of `like`, every element `scalar`.
  mlir::Value fullLike(mlir::Location loc, mlir::Value scalar,
                       mlir::Value like);
  /// The elements of a tile in another shape, given as sizes.
  Object reshape(mlir::Location loc, mlir::Value tile,
                 llvm::ArrayRef<mlir::Value> sizes);

  // Memory: EmitMemory.cpp.

  /// The tile of a tensor (loaded here) or a tile; null for anything else.
  mlir::Value toTile(mlir::Location loc, const Object &object);
  /// A window of a tensor (a view) or a tile (a value); axes in `drop` have
  /// size 1 and go away.
  mlir::Value window(mlir::Location loc, mlir::Value shaped,
                     llvm::ArrayRef<mlir::Value> offsets,
                     llvm::ArrayRef<mlir::Value> sizes,
                     llvm::ArrayRef<int64_t> drop);
  Object read(mlir::Location loc, mlir::Value shaped,
              llvm::ArrayRef<mlir::Value> indices);
  /// Writes a tile, scalar or number to a whole tensor view.
  void store(mlir::Location loc, const Object &value, mlir::Value target);
  void write(mlir::Location loc, const Object &value, mlir::Value target,
             llvm::ArrayRef<mlir::Value> indices);
  /// A tile with a window of it replaced by a tile, scalar or number.
  Object insert(mlir::Location loc, const Object &value, mlir::Value target,
                llvm::ArrayRef<mlir::Value> offsets,
                llvm::ArrayRef<mlir::Value> sizes,
                llvm::ArrayRef<int64_t> drop);
  /// True if the tensor may be written; otherwise says what to declare.
  bool checkWritable(mlir::Location loc, mlir::Value tensor);

  /// Builds an op with inferred result type; null if its types do not fit,
  /// which is reported with `name`.
  template <typename OpType>
  mlir::Value create(mlir::Location loc, llvm::StringRef name,
                     mlir::ValueRange operands,
                     const typename OpType::Properties &properties) {
    typename OpType::Properties copy = properties;
    llvm::SmallVector<mlir::Type> types;
    unsigned before = reporter.getNumErrors();
    if (failed(OpType::inferReturnTypes(getContext(), std::nullopt, operands,
                                        {}, &copy, {}, types))) {
      explain(loc, name, [&] {
        (void)OpType::inferReturnTypes(getContext(), loc, operands, {}, &copy,
                                       {}, types);
      });
      assert(reporter.getNumErrors() > before && "a failure is explained");
      return {};
    }
    return verified(OpType::create(builder, loc, types, operands, properties),
                    name);
  }

private:
  mlir::Value importExtent(mlir::Location loc, mlir::Value value,
                           llvm::ArrayRef<mlir::Value> arguments,
                           llvm::DenseMap<mlir::Value, mlir::Value> &imported);
  mlir::Value shared(mlir::Operation *op);
  mlir::Value buildIndexBinary(mlir::Location loc, ast::BinaryOp op,
                               mlir::Value lhs, mlir::Value rhs);
  Object indexOperator(mlir::Location loc, ast::BinaryOp op, const Object &lhs,
                       const Object &rhs);
  Object power(mlir::Location loc, const Object &lhs, const Object &rhs);
  Object floorQuotient(mlir::Location loc, const Object &lhs,
                       const Object &rhs);
  bool isIndexLike(const Object &object);
  bool combinesAsIndex(const Object &lhs, const Object &rhs);
  mlir::Type commonElement(mlir::Location loc, llvm::ArrayRef<Object> operands);
  bool unify(mlir::Location loc, llvm::StringRef name,
             llvm::ArrayRef<Object> operands,
             llvm::SmallVectorImpl<mlir::Value> &values);
  bool broadcastOperands(mlir::Location loc,
                         llvm::MutableArrayRef<mlir::Value> values);
  mlir::Value rebuild(mlir::Operation *op,
                      llvm::ArrayRef<mlir::Value> operands);
  mlir::Value settle(mlir::Value value,
                     const llvm::SmallPtrSetImpl<mlir::Operation *> &made);
  mlir::Value verified(mlir::Operation *op, llvm::StringRef name);
  void explain(mlir::Location loc, llvm::StringRef name,
               llvm::function_ref<void()> attempt);
  bool checkOperands(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
                     mlir::Value rhs, unsigned rhsAxis);
  bool checkAccumulator(mlir::Location loc, mlir::Value acc, mlir::Value lhs,
                        unsigned rows, mlir::Value rhs, unsigned columns);
  bool keepsAxis(mlir::Location loc, mlir::Value tile, unsigned axis,
                 mlir::Value size);
  std::optional<pl::Dims> dimsWithUnits(mlir::Location loc, mlir::Value tile,
                                        llvm::ArrayRef<mlir::Value> sizes);
  bool checkAxis(mlir::Location loc, unsigned fromEnd, mlir::Value lead,
                 mlir::Value other);
  bool isProvedEqual(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
                     mlir::Value rhs, unsigned rhsAxis);
  std::optional<mlir::Value> leadOf(mlir::Location loc,
                                    llvm::ArrayRef<mlir::Value> tiles,
                                    unsigned fromEnd);
  bool isInside(mlir::Location loc, mlir::Value shaped, unsigned axis,
                mlir::Value offset);
  void sharpen(mlir::Location loc, mlir::Value shaped,
               llvm::ArrayRef<mlir::Value> offsets,
               llvm::ArrayRef<mlir::Value> sizes, mlir::Value part);
  mlir::Value checkedIndex(mlir::Location loc, mlir::Value position,
                           mlir::Value tile, unsigned axis);
  mlir::Value storable(mlir::Location loc, const Object &value,
                       mlir::Type element);

  mlir::Block *entry;
  /// How often it is still tried to prove that tiles with bounds are equally
  /// long: a long kernel is compiled in reasonable time all the same.
  unsigned proofsLeft = 100;
  /// A DenseMap could not hold the greatest and the least number.
  std::map<int64_t, mlir::Value> indices;
  /// What settledExtent found, so that it need not look again.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> settledExtents;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_EMITTER_H
