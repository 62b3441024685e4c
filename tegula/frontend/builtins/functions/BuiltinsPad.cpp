// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about the part of a tile that is not valid: filling it, and
// combining tiles of which one is valid where the other is not.
#include "tegula/frontend/builtins/Padding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/semantics/Reduction.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// A tile grown to its bounds along the axes that have one. All there is of the
/// others is valid.
static Value fillBounded(const BuiltinCall &call, Value tile, Value value) {
  pl::Dims dims(pl::getDims(tile.getType()));
  SmallVector<Value> extents = call.emitter.extents.allOf(call.loc, tile);
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (dim.isBounded()) {
      dim = pl::Dim::exactly(dim.getBound());
      extents[axis] = call.emitter.scalars.index(dim.getBound());
    }
  return padTo(call, tile, value, dims, extents);
}

/// fillpad(x, pad): the tile grown to its bounds
Object tegula::buildFillPad(const FillPadCall &call) {
  Value tile = call.x();
  Value value =
      padScalar(call, call.pad(), pl::getElementOrSelf(tile.getType()));
  if (!value)
    return Object::poison();
  Value result = llvm::all_of(pl::getDims(tile.getType()),
                              [](pl::Dim dim) { return dim.hasBound(); })
                     ? call.emitter.create<pl::FillPadOp>(call.loc, "fillpad",
                                                          {tile, value}, {})
                     : fillBounded(call, tile, value);
  return result ? Object(result) : Object::poison();
}

/// fillpad_expand(x, shape, pad): the tile in the corner of a larger one
Object tegula::buildFillPadExpand(const FillPadExpandCall &call) {
  Value tile = call.x();
  llvm::ArrayRef<Value> sizes = call.shape();
  llvm::ArrayRef<pl::Dim> source = pl::getDims(tile.getType());
  if (sizes.size() != source.size())
    return call.fail("'fillpad_expand' keeps the rank, got " +
                     describe(tile.getType()) + " and " +
                     llvm::Twine(sizes.size()) + " sizes");
  pl::Dims dims;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    dims.push_back(pl::dimOfExtent(size));
    if (dims.back().hasBound() && source[axis].hasBound() &&
        dims.back().getBound() < source[axis].getBound())
      return call.fail("'fillpad_expand' only grows: axis " +
                       llvm::Twine(axis) + " is " +
                       llvm::Twine(source[axis].getBound()) + ", got " +
                       llvm::Twine(dims.back().getBound()));
  }
  Value value =
      padScalar(call, call.pad(), pl::getElementOrSelf(tile.getType()));
  Value result = value ? padTo(call, tile, value, dims, sizes) : Value();
  return result ? Object(result) : Object::poison();
}

namespace {

/// What a tile is to be: its type and its extents.
struct Box {
  pl::Dims dims;
  SmallVector<Value> extents;
};

} // namespace

/// The smallest box around two tiles of one rank.
static Box boxAround(const BuiltinCall &call, Value lhs, Value rhs) {
  Emitter &emitter = call.emitter;
  llvm::ArrayRef<pl::Dim> left = pl::getDims(lhs.getType());
  llvm::ArrayRef<pl::Dim> right = pl::getDims(rhs.getType());
  Box box;
  for (unsigned axis = 0; axis < left.size(); ++axis) {
    box.dims.push_back(left[axis].join(right[axis]));
    box.extents.push_back(emitter.scalars.indexExtreme(
        call.loc, /*isMax=*/true, emitter.extents.of(call.loc, lhs, axis),
        emitter.extents.of(call.loc, rhs, axis)));
    if (pl::dimOfExtent(box.extents.back()).isExact())
      box.dims.back() = pl::dimOfExtent(box.extents.back());
  }
  return box;
}

/// part_add(a, b): where only one is valid, that one; valid in the box around
/// both
Object tegula::buildPartial(const PartialCall &call, pl::Reduction kind) {
  Emitter &emitter = call.emitter;
  auto combined = [&](Value first, Value second) {
    return Object(
        pl::buildCombination(emitter.builder, call.loc, kind, first, second));
  };
  Value lhs = call.lhs(), rhs = call.rhs();
  mlir::Type element = pl::getElementOrSelf(lhs.getType());
  llvm::ArrayRef<pl::Dim> left = pl::getDims(lhs.getType());
  llvm::ArrayRef<pl::Dim> right = pl::getDims(rhs.getType());
  if (left.size() != right.size() || !pl::isNumeric(element) ||
      element != pl::getElementOrSelf(rhs.getType()))
    return call.fail("'" + call.name +
                     "' takes two tiles of one rank and one number type, got " +
                     describe(lhs.getType()) + " and " +
                     describe(rhs.getType()));
  if (lhs.getType() == rhs.getType() &&
      mlir::cast<pl::TileType>(lhs.getType()).isExact())
    return combined(lhs, rhs);
  Box box = boxAround(call, lhs, rhs);
  Value neutral =
      pl::buildNumber(emitter.builder, call.loc,
                      pl::getNeutral(kind, toDType(element)), element);
  Value first = padTo(call, lhs, neutral, box.dims, box.extents);
  Value second =
      first ? padTo(call, rhs, neutral, box.dims, box.extents) : Value();
  return second ? combined(first, second) : Object::poison();
}

/// Whether each index of the box is in the tile.
static Object isWithin(const BuiltinCall &call, Value tile, const Box &box) {
  Emitter &emitter = call.emitter;
  mlir::Type boolean = emitter.builder.getI1Type();
  Value yes =
      emitter.scalars.constant(call.loc, Object::boolean(true), boolean);
  Value no =
      emitter.scalars.constant(call.loc, Object::boolean(false), boolean);
  Value mask = padTo(call, emitter.shapes.fullLike(call.loc, yes, tile), no,
                     box.dims, box.extents);
  return mask ? Object(mask) : Object::poison();
}

/// True if the two values and their indices can be picked from.
static bool checkIndices(const PartialIndexCall &call) {
  auto isAs = [](Value one, Value other) {
    return pl::getDims(one.getType()).size() ==
               pl::getDims(other.getType()).size() &&
           pl::getElementOrSelf(one.getType()) ==
               pl::getElementOrSelf(other.getType());
  };
  Value lhs = call.lhs();
  mlir::Type index = pl::getElementOrSelf(call.lhsIndex().getType());
  bool fit = isAs(lhs, call.rhs()) && isAs(call.lhsIndex(), call.rhsIndex()) &&
             pl::getDims(lhs.getType()).size() ==
                 pl::getDims(call.lhsIndex().getType()).size() &&
             pl::isNumeric(pl::getElementOrSelf(lhs.getType())) &&
             (pl::isSigned(index) || pl::isUnsigned(index));
  if (!fit)
    call.fail("'" + call.name +
              "' takes two tiles of one rank and one number type, and their "
              "indices, got " +
              describe(lhs.getType()) + ", " + describe(call.rhs().getType()) +
              " and " + describe(call.lhsIndex().getType()));
  return fit;
}

/// part_argmax(a, b, i, j): the larger values and the indices next to them
Object tegula::buildPartialIndex(const PartialIndexCall &call,
                                 pl::Reduction kind) {
  if (!checkIndices(call))
    return Object::poison();
  Emitter &emitter = call.emitter;
  Box box = boxAround(call, call.lhs(), call.rhs());
  mlir::Type element = pl::getElementOrSelf(call.lhs().getType());
  mlir::Type index = pl::getElementOrSelf(call.lhsIndex().getType());
  Value neutral =
      pl::buildNumber(emitter.builder, call.loc,
                      pl::getNeutral(kind, toDType(element)), element);
  Value zero = emitter.scalars.constant(call.loc, Object::integer(0), index);
  auto grown = [&](Value tile, Value pad) {
    Value result = padTo(call, tile, pad, box.dims, box.extents);
    return result ? Object(result) : Object::poison();
  };
  Object first = grown(call.lhs(), neutral),
         second = grown(call.rhs(), neutral);
  Object isBetter = emitter.elementwise.comparison(
      call.loc,
      kind == pl::Reduction::Max ? pl::Comparison::Ge : pl::Comparison::Le,
      first, second);
  // NaN wins, as in every maximum and minimum; of two the first.
  if (pl::isFloat(element))
    isBetter = emitter.elementwise.build(
        call.loc, "or_",
        {isBetter, emitter.elementwise.comparison(call.loc, pl::Comparison::Ne,
                                                  first, first)});
  Object isAlone = emitter.elementwise.build(call.loc, "not_",
                                             {isWithin(call, call.rhs(), box)});
  Object isFirst = emitter.elementwise.build(
      call.loc, "and_",
      {isWithin(call, call.lhs(), box),
       emitter.elementwise.build(call.loc, "or_", {isAlone, isBetter})});
  Object value = emitter.elementwise.select(call.loc, isFirst, first, second);
  Object position = emitter.elementwise.select(call.loc, isFirst,
                                               grown(call.lhsIndex(), zero),
                                               grown(call.rhsIndex(), zero));
  if (value.isPoison() || position.isPoison())
    return Object::poison();
  return Object::tuple({value, position});
}
