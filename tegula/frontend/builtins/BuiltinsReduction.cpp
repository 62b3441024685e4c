// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that reduce an axis, and those that combine a tile with a column or
// a row.
#include "tegula/frontend/builtins/Builtins.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

static Object reduce(BuiltinCall &call, pl::Reduction reduction, Value tile,
                     unsigned axis) {
  pl::ReduceOp::Properties properties;
  Emitter &emitter = call.emitter;
  tile = emitter.countBooleans(call.loc, {Object(tile)}).front().asValue();
  properties.reduction =
      pl::ReductionAttr::get(emitter.getContext(), reduction);
  properties.axis = emitter.builder.getI64IntegerAttr(axis);
  Value result =
      emitter.create<pl::ReduceOp>(call.loc, call.name, tile, properties);
  return result ? Object(result) : Object::poison();
}

/// row_sum and the like reduce the last axis.
template <pl::Reduction reduction> static Object buildRow(BuiltinCall &call) {
  Value tile = call.tile(0);
  if (!tile)
    return Object::poison();
  unsigned rank = pl::getDims(tile.getType()).size();
  if (rank == 0)
    return call.fail("'" + call.name + "' needs at least one axis");
  return reduce(call, reduction, tile, rank - 1);
}

/// col_sum and the like reduce the axis before the last.
template <pl::Reduction reduction> static Object buildCol(BuiltinCall &call) {
  Value tile = call.tile(0);
  if (!tile)
    return Object::poison();
  unsigned rank = pl::getDims(tile.getType()).size();
  if (rank < 2)
    return call.fail("'" + call.name + "' needs at least two axes, got " +
                     describe(tile.getType()));
  return reduce(call, reduction, tile, rank - 2);
}

/// The axes named by one axis or a tuple of them, in order, each once.
static bool listAxes(BuiltinCall &call, unsigned position, unsigned rank,
                     SmallVector<unsigned> &axes) {
  const CallArgument given = *call.arguments[position];
  std::vector<Object> entries = given.object.asTuple()
                                    ? *given.object.asTuple()
                                    : std::vector<Object>{given.object};
  for (const Object &entry : entries) {
    call.arguments[position]->object = entry;
    std::optional<unsigned> axis = call.axis(position, rank);
    if (!axis)
      return false;
    if (llvm::is_contained(axes, *axis)) {
      call.fail("axis " + llvm::Twine(*axis) + " is named twice");
      return false;
    }
    axes.push_back(*axis);
  }
  call.arguments[position] = given;
  llvm::sort(axes);
  return true;
}

/// A tile without axes of extent 1.
static Object dropAxes(BuiltinCall &call, Value tile,
                       llvm::ArrayRef<unsigned> axes) {
  SmallVector<Value> sizes;
  for (auto [axis, size] :
       llvm::enumerate(call.emitter.extents(call.loc, tile)))
    if (!llvm::is_contained(axes, axis))
      sizes.push_back(size);
  return call.emitter.reshape(call.loc, tile, sizes);
}

/// sum(x, axis, keepdims) reduces any axis, or several. Narrow floats are
/// rounded once for all of them.
template <pl::Reduction reduction> static Object buildAxis(BuiltinCall &call) {
  Value tile = call.tile(0);
  std::optional<bool> keepsAxes = call.flag(2, true);
  if (!tile || !keepsAxes)
    return Object::poison();
  if (!call.has(1))
    return call.fail("'" + call.name + "' needs an axis, or use pl.row_" +
                     call.name);
  SmallVector<unsigned> axes;
  if (!listAxes(call, 1, pl::getDims(tile.getType()).size(), axes))
    return Object::poison();
  mlir::Type element = pl::getElementOrSelf(tile.getType());
  bool isWidened = axes.size() > 1 && pl::isFloat(element) &&
                   element.getIntOrFloatBitWidth() < 32;
  Object result(tile);
  if (isWidened)
    result =
        call.emitter.cast(call.loc, result, call.emitter.builder.getF32Type(),
                          pl::Rounding::None);
  for (unsigned axis : axes) {
    result = reduce(call, reduction, result.asValue(), axis);
    if (result.isPoison())
      return result;
  }
  if (isWidened)
    result = call.emitter.cast(call.loc, result, element, pl::Rounding::Rint);
  return *keepsAxes ? result : dropAxes(call, result.asValue(), axes);
}

/// max(a, b) of two scalars, max(x, axis) of a tile
template <bool isMax> static Object buildExtreme(BuiltinCall &call) {
  bool isReduction = call[0].asTensor() || call[0].asTile();
  if (isReduction) {
    bool hasTwoTiles = call.has(1) && (call[1].asTensor() || call[1].asTile());
    if (hasTwoTiles)
      return call.fail("'" + call.name +
                       "' takes two scalars, or a tile and "
                       "an axis; use pl." +
                       (isMax ? "maximum" : "minimum") + " for elements");
    if (call.has(2))
      call.arguments[1] = call.arguments[2];
    call.arguments[2] = call.arguments[3];
    return buildAxis<isMax ? pl::Reduction::Max : pl::Reduction::Min>(call);
  }
  if (!call.has(1))
    return call.fail(call.name + "() missing required argument 'rhs'");
  return call.emitter.extreme(call.loc, isMax, call[0], call[1]);
}

/// The vector of a row or column op in a shape that broadcasts: [M, 1] or
/// [1, N].
static Value vectorFor(BuiltinCall &call, Value tile, bool isRow) {
  Value vector = call.tile(1);
  if (!vector)
    return {};
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(vector.getType());
  unsigned rank = pl::getDims(tile.getType()).size();
  if (rank < 2) {
    call.fail("'" + call.name + "' needs at least two axes, got " +
              describe(tile.getType()));
    return {};
  }
  if (dims.size() == 1 && isRow) {
    SmallVector<Value> sizes = {call.emitter.extent(call.loc, vector, 0),
                                call.emitter.index(1)};
    return call.emitter.reshape(call.loc, vector, sizes).asValue();
  }
  bool isUnit = isRow ? dims.back().isExactly(1)
                      : dims.size() < 2 || dims[dims.size() - 2].isExactly(1);
  if (!isUnit) {
    call.fail("'" + call.name + "' takes a " +
              (isRow ? "column [M, 1]" : "row [1, N]") + ", got " +
              describe(vector.getType()));
    return {};
  }
  return vector;
}

using Combine = Object (*)(Emitter &, mlir::Location, const Object &,
                           const Object &);

static Object keepSecond(Emitter &emitter, mlir::Location loc,
                         const Object &tile, const Object &vector) {
  SmallVector<Value> tiles = {tile.asValue(), vector.asValue()};
  return emitter.broadcastTogether(loc, tiles) ? Object(tiles[1])
                                               : Object::poison();
}

template <ast::BinaryOp op>
static Object combine(Emitter &emitter, mlir::Location loc, const Object &tile,
                      const Object &vector) {
  return emitter.binary(loc, op, tile, vector);
}

template <bool isMax>
static Object combineExtreme(Emitter &emitter, mlir::Location loc,
                             const Object &tile, const Object &vector) {
  return emitter.elementwise(loc, isMax ? "maximum" : "minimum",
                             {tile, vector});
}

/// exp(tile - vector)
static Object combineExpDif(Emitter &emitter, mlir::Location loc,
                            const Object &tile, const Object &vector) {
  Object difference = emitter.binary(loc, ast::BinaryOp::Sub, tile, vector);
  return difference.isPoison() ? difference
                               : emitter.elementwise(loc, "exp", {difference});
}

template <bool isRow, Combine function>
static Object buildExpand(BuiltinCall &call) {
  Value tile = call.tile(0);
  Value vector = tile ? vectorFor(call, tile, isRow) : Value();
  if (!vector)
    return Object::poison();
  return function(call.emitter, call.loc, Object(tile), Object(vector));
}

using R = pl::Reduction;
using Op = ast::BinaryOp;

static constexpr Builtin table[] = {
    {"row_sum", "x tmp_tile?", buildRow<R::Sum>, false,
     "the sum of each row: `[M, N]` to `[M, 1]`"},
    {"row_prod", "x tmp_tile?", buildRow<R::Prod>, false,
     "the product of each row"},
    {"row_max", "x tmp_tile?", buildRow<R::Max>, false,
     "the largest of each row"},
    {"row_min", "x tmp_tile?", buildRow<R::Min>, false,
     "the smallest of each row"},
    {"col_sum", "x tmp_tile?", buildCol<R::Sum>, false,
     "the sum of each column: `[M, N]` to `[1, N]`"},
    {"col_prod", "x tmp_tile?", buildCol<R::Prod>, false,
     "the product of each column"},
    {"col_max", "x tmp_tile?", buildCol<R::Max>, false,
     "the largest of each column"},
    {"col_min", "x tmp_tile?", buildCol<R::Min>, false,
     "the smallest of each column"},
    {"sum", "x axis? keepdims?", buildAxis<R::Sum>, false,
     "the sum along an axis, or a tuple of them, which stays with extent 1 "
     "unless `keepdims` is False"},
    {"prod", "x axis? keepdims?", buildAxis<R::Prod>, false,
     "the product along an axis"},
    {"max", "lhs rhs? axis? keepdims?", buildExtreme<true>, false,
     "the largest along an axis; of two scalars the larger"},
    {"min", "lhs rhs? axis? keepdims?", buildExtreme<false>, false,
     "the smallest along an axis; of two scalars the smaller"},
    {"row_expand", "x v", buildExpand<true, keepSecond>, false,
     "the column `v` in the shape of `x`"},
    {"row_expand_add", "x v tmp?", buildExpand<true, combine<Op::Add>>, false,
     "`x + v`, where the column `v` has a number for each row"},
    {"row_expand_sub", "x v tmp?", buildExpand<true, combine<Op::Sub>>, false,
     "`x - v` by row"},
    {"row_expand_mul", "x v tmp?", buildExpand<true, combine<Op::Mul>>, false,
     "`x * v` by row"},
    {"row_expand_div", "x v tmp?", buildExpand<true, combine<Op::Div>>, false,
     "`x / v` by row"},
    {"row_expand_max", "x v tmp?", buildExpand<true, combineExtreme<true>>,
     false, "the larger of `x` and `v` by row"},
    {"row_expand_min", "x v tmp?", buildExpand<true, combineExtreme<false>>,
     false, "the smaller of `x` and `v` by row"},
    {"row_expand_expdif", "x v tmp?", buildExpand<true, combineExpDif>, false,
     "`exp(x - v)` by row"},
    {"col_expand", "x v", buildExpand<false, keepSecond>, false,
     "the row `v` in the shape of `x`"},
    {"col_expand_add", "x v tmp?", buildExpand<false, combine<Op::Add>>, false,
     "`x + v`, where the row `v` has a number for each column"},
    {"col_expand_sub", "x v tmp?", buildExpand<false, combine<Op::Sub>>, false,
     "`x - v` by column"},
    {"col_expand_mul", "x v tmp?", buildExpand<false, combine<Op::Mul>>, false,
     "`x * v` by column"},
    {"col_expand_div", "x v tmp?", buildExpand<false, combine<Op::Div>>, false,
     "`x / v` by column"},
    {"col_expand_max", "x v tmp?", buildExpand<false, combineExtreme<true>>,
     false, "the larger of `x` and `v` by column"},
    {"col_expand_min", "x v tmp?", buildExpand<false, combineExtreme<false>>,
     false, "the smaller of `x` and `v` by column"},
    {"col_expand_expdif", "x v tmp?", buildExpand<false, combineExpDif>, false,
     "`exp(x - v)` by column"},
};

llvm::ArrayRef<Builtin> tegula::reductionBuiltins() { return table; }
