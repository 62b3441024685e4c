// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about the part of a tile that is not valid: filling it, and
// combining tiles of which one is valid where the other is not.
#include "tegula/frontend/builtins/Padding.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

/// fillpad(x, pad): the tile grown to its bounds
Object tegula::buildFillPad(const FillPadCall &call) {
  Value tile = call.x();
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(tile.getType())))
    if (!dim.hasBound())
      return call.fail("axis " + llvm::Twine(axis) + " of " +
                       describe(tile.getType()) +
                       " has no static bound to fill up to; load it with a "
                       "constant shape");
  Value value =
      padScalar(call, call.pad(), pl::getElementOrSelf(tile.getType()));
  if (!value)
    return Object::poison();
  Value result = call.emitter.create<pl::FillPadOp>(call.loc, "fillpad",
                                                    {tile, value}, {});
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

/// The number that leaves what it is combined with as it is.
static Value neutralScalar(const BuiltinCall &call, pl::Reduction kind,
                           mlir::Type element) {
  Emitter &emitter = call.emitter;
  switch (kind) {
  case pl::Reduction::Sum:
    // -0.0 + x is x even if x is -0.0
    return emitter.constant(call.loc,
                            pl::isFloat(element) ? Object::real(-0.0)
                                                 : Object::integer(0),
                            element);
  case pl::Reduction::Prod:
    return emitter.constant(call.loc, Object::integer(1), element);
  case pl::Reduction::Max:
  case pl::Reduction::Min:
    return extremeScalar(emitter, call.loc, element,
                         kind == pl::Reduction::Min);
  }
  llvm_unreachable("every kind is covered");
}

static Object combine(const BuiltinCall &call, pl::Reduction kind,
                      const Object &lhs, const Object &rhs) {
  Emitter &emitter = call.emitter;
  if (kind == pl::Reduction::Sum)
    return emitter.binary(call.loc, ast::BinaryOp::Add, lhs, rhs);
  if (kind == pl::Reduction::Prod)
    return emitter.binary(call.loc, ast::BinaryOp::Mul, lhs, rhs);
  return emitter.elementwise(
      call.loc, kind == pl::Reduction::Max ? "maximum" : "minimum", {lhs, rhs});
}

/// part_add(a, b): where only one is valid, that one; valid in the box around
/// both
Object tegula::buildPartial(const PartialCall &call, pl::Reduction kind) {
  Emitter &emitter = call.emitter;
  Value lhs = call.lhs(), rhs = call.rhs();
  mlir::Type element = pl::getElementOrSelf(lhs.getType());
  llvm::ArrayRef<pl::Dim> left = pl::getDims(lhs.getType());
  llvm::ArrayRef<pl::Dim> right = pl::getDims(rhs.getType());
  if (left.size() != right.size() || !pl::isNumber(element) ||
      element != pl::getElementOrSelf(rhs.getType()))
    return call.fail("'" + call.name +
                     "' takes two tiles of one rank and one number type, got " +
                     describe(lhs.getType()) + " and " +
                     describe(rhs.getType()));
  if (lhs.getType() == rhs.getType() &&
      mlir::cast<pl::TileType>(lhs.getType()).isExact())
    return combine(call, kind, Object(lhs), Object(rhs));
  pl::Dims dims;
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < left.size(); ++axis) {
    dims.push_back(left[axis].join(right[axis]));
    extents.push_back(emitter.indexExtreme(
        call.loc, /*isMax=*/true, emitter.extent(call.loc, lhs, axis),
        emitter.extent(call.loc, rhs, axis)));
    if (pl::dimOfExtent(extents.back()).isExact())
      dims.back() = pl::dimOfExtent(extents.back());
  }
  Value neutral = neutralScalar(call, kind, element);
  Value first = padTo(call, lhs, neutral, dims, extents);
  Value second = first ? padTo(call, rhs, neutral, dims, extents) : Value();
  return second ? combine(call, kind, Object(first), Object(second))
                : Object::poison();
}
