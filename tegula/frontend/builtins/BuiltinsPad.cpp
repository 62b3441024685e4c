// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about the part of a tile that is not valid: filling it, and
// combining tiles of which one is valid where the other is not.
#include "tegula/frontend/builtins/Padding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/NumberConstant.h"
#include "tegula/ir/Reduction.h"

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
  if (left.size() != right.size() || !pl::isNumber(element) ||
      element != pl::getElementOrSelf(rhs.getType()))
    return call.fail("'" + call.name +
                     "' takes two tiles of one rank and one number type, got " +
                     describe(lhs.getType()) + " and " +
                     describe(rhs.getType()));
  if (lhs.getType() == rhs.getType() &&
      mlir::cast<pl::TileType>(lhs.getType()).isExact())
    return combined(lhs, rhs);
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
  Value neutral =
      pl::buildNumber(emitter.builder, call.loc,
                      pl::getNeutral(kind, toDType(element)), element);
  Value first = padTo(call, lhs, neutral, dims, extents);
  Value second = first ? padTo(call, rhs, neutral, dims, extents) : Value();
  return second ? combined(first, second) : Object::poison();
}
