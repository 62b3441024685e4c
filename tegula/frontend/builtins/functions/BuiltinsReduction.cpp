// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that reduce an axis.
#include "tegula/frontend/builtins/BooleanReduction.h"
#include "tegula/ir/ops/semantics/Reduction.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// Reduces one axis of numbers.
static Object reduceNumbers(const BuiltinCall &call, pl::Reduction reduction,
                            Value tile, unsigned axis) {
  pl::ReduceOp::Properties properties;
  Emitter &emitter = call.emitter;
  properties.reduction =
      pl::ReductionAttr::get(emitter.getContext(), reduction);
  properties.axis = emitter.builder.getI64IntegerAttr(axis);
  Value result =
      emitter.create<pl::ReduceOp>(call.loc, call.name, tile, properties);
  return result ? Object(result) : Object::poison();
}

static Object reduce(const BuiltinCall &call, pl::Reduction reduction,
                     Value tile, unsigned axis) {
  Value counted = countedBooleans(call, reduction, tile, {axis});
  return reducedBooleans(call, reduction, tile,
                         reduceNumbers(call, reduction, counted, axis));
}

/// row_sum and the like reduce the last axis.
Object tegula::buildRow(const RowCall &call, pl::Reduction reduction) {
  unsigned rank = pl::getDims(call.x().getType()).size();
  if (rank == 0)
    return call.fail("'" + call.name + "' needs at least one axis");
  return reduce(call, reduction, call.x(), rank - 1);
}

/// col_sum and the like reduce the axis before the last.
Object tegula::buildColumn(const ColumnCall &call, pl::Reduction reduction) {
  unsigned rank = pl::getDims(call.x().getType()).size();
  if (rank == 0)
    return call.fail("'" + call.name + "' needs at least one axis");
  if (rank > 1)
    return reduce(call, reduction, call.x(), rank - 2);
  // A list is a row.
  Object row = call.emitter.reshapes.build(
      call.loc, call.x(),
      {call.emitter.scalars.index(1),
       call.emitter.extents.of(call.loc, call.x(), 0)});
  return row.isPoison() ? row : reduce(call, reduction, row.asValue(), 0);
}

/// A tile without axes of extent 1.
static Object dropAxes(const BuiltinCall &call, Value tile,
                       llvm::ArrayRef<unsigned> axes) {
  SmallVector<Value> sizes;
  for (auto [axis, size] :
       llvm::enumerate(call.emitter.extents.allOf(call.loc, tile)))
    if (!llvm::is_contained(axes, axis))
      sizes.push_back(size);
  return call.emitter.reshapes.build(call.loc, tile, sizes);
}

/// Any axis, several, or all. Narrow floats are rounded once for all of them.
static Object reduceAxes(const BuiltinCall &call, pl::Reduction reduction,
                         Value tile, const BuiltinArgument &given,
                         bool keepsAxes) {
  std::optional<SmallVector<unsigned>> axes =
      given.axes(pl::getDims(tile.getType()).size());
  if (!axes)
    return Object::poison();
  mlir::Type element = pl::getElementOrSelf(tile.getType());
  bool isWidened = !pl::isChoice(reduction) && axes->size() > 1 &&
                   pl::isFloat(element) && element.getIntOrFloatBitWidth() < 32;
  Object result(countedBooleans(call, reduction, tile, *axes));
  if (isWidened)
    result = call.emitter.elementwise.cast(call.loc, result,
                                           call.emitter.builder.getF32Type(),
                                           pl::Rounding::None);
  for (unsigned axis : *axes) {
    result = reduceNumbers(call, reduction, result.asValue(), axis);
    if (result.isPoison())
      return result;
  }
  result = reducedBooleans(call, reduction, tile, result);
  if (isWidened)
    result = call.emitter.elementwise.cast(call.loc, result, element,
                                           pl::Rounding::Rint);
  return keepsAxes ? result : dropAxes(call, result.asValue(), *axes);
}

/// sum(x, axis, keepdims)
Object tegula::buildAxis(const AxisCall &call, pl::Reduction reduction) {
  return reduceAxes(call, reduction, call.x(), call.axis(), call.keepdims());
}

/// max(a, b) of two scalars, max(x, axis) of a tile
Object tegula::buildExtreme(const ExtremeCall &call, pl::Reduction reduction) {
  bool isMax = reduction == pl::Reduction::Max;
  auto isShaped = [](const BuiltinArgument &argument) {
    return argument.isGiven() && (argument->asTensor() || argument->asTile());
  };
  if (isShaped(call.lhs())) {
    if (isShaped(call.rhs()))
      return call.fail("'" + call.name +
                       "' takes two scalars, or a tile and "
                       "an axis; use pl." +
                       (isMax ? "maximum" : "minimum") + " for elements");
    return reduceAxes(call, reduction, call.lhs().tile(),
                      call.axis().isGiven() ? call.axis() : call.rhs(),
                      call.keepdims());
  }
  if (!call.rhs().isGiven())
    return call.fail(call.name + "() missing required argument 'rhs'");
  return call.emitter.operators.extreme(call.loc, isMax, call.lhs(),
                                        call.rhs());
}
