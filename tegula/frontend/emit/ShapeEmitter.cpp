// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasting, and tiles in other shapes.
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/extents/IndexRange.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

bool ShapeEmitter::check(Location loc, Value lhs, unsigned lhsAxis, Value rhs,
                         unsigned rhsAxis) {
  Dim left = getDims(lhs.getType())[lhsAxis];
  Dim right = getDims(rhs.getType())[rhsAxis];
  bool isOpen = (left.isAny() && !right.isBounded()) ||
                (right.isAny() && !left.isBounded());
  if (!isOpen && left.meet(right))
    return true;
  if (emitter.extents.isSameExtent(loc, lhs, lhsAxis, rhs, rhsAxis) ||
      (isOpen &&
       requireEqual(emitter, loc, emitter.extents.settled(loc, lhs, lhsAxis),
                    emitter.extents.settled(loc, rhs, rhsAxis))))
    return true;
  std::vector<Note> notes;
  std::string first = emitter.extents.describeExtent(loc, lhs, lhsAxis, notes);
  std::string second = emitter.extents.describeExtent(loc, rhs, rhsAxis, notes);
  emitter.fail(loc,
               "the extents of axis " + llvm::Twine(lhsAxis) +
                   " differ: " + first + " and " + second,
               notes);
  return false;
}

/// The same for an axis counted from the end.
bool ShapeEmitter::checkAxis(Location loc, unsigned fromEnd, Value lead,
                             Value other) {
  return check(loc, lead, getDims(lead.getType()).size() - 1 - fromEnd, other,
               getDims(other.getType()).size() - 1 - fromEnd);
}
bool ShapeEmitter::isProvedEqual(Location loc, Value lhs, unsigned lhsAxis,
                                 Value rhs, unsigned rhsAxis) {
  if (pl::nearRootsOfExtent(lhs, lhsAxis) ==
      pl::nearRootsOfExtent(rhs, rhsAxis))
    return true;
  Value first = emitter.crossing.simple(loc, lhs, lhsAxis);
  Value second = emitter.crossing.simple(loc, rhs, rhsAxis);
  if (!first || !second)
    return false;
  if (first == second || pl::constantDifference(first, second) == 0)
    return true;
  if (proofsLeft == 0)
    return false;
  --proofsLeft;
  return emitter.extents.isEqual(first, second);
}
/// The tile that says the extent of an axis counted from the end; null if it
/// is exactly 1 everywhere, nothing if two tiles do not fit.
std::optional<Value> ShapeEmitter::leadOf(Location loc, ArrayRef<Value> tiles,
                                          unsigned fromEnd) {
  Value lead, unit;
  for (Value tile : tiles) {
    ArrayRef<Dim> dims = getDims(tile.getType());
    if (fromEnd >= dims.size())
      continue;
    Dim dim = dims[dims.size() - 1 - fromEnd];
    if (dim.isUnit()) {
      if (dim.isBounded() && !unit)
        unit = tile;
      continue;
    }
    if (!lead)
      lead = tile;
    else if (!checkAxis(loc, fromEnd, lead, tile))
      return std::nullopt;
  }
  return lead ? lead : unit;
}

bool ShapeEmitter::broadcastTogether(Location loc,
                                     MutableArrayRef<Value> tiles) {
  unsigned rank = 0;
  for (Value tile : tiles)
    rank = std::max<unsigned>(rank, getDims(tile.getType()).size());
  SmallVector<Value> leads;
  for (unsigned fromEnd = 0; fromEnd < rank; ++fromEnd) {
    std::optional<Value> lead = leadOf(loc, tiles, fromEnd);
    if (!lead)
      return false;
    leads.push_back(*lead);
  }
  SmallVector<Value> results;
  for (Value tile : tiles) {
    ArrayRef<Dim> dims = getDims(tile.getType());
    pl::Dims target;
    SmallVector<Value> sizes;
    for (unsigned axis = 0; axis < rank; ++axis) {
      unsigned fromEnd = rank - 1 - axis;
      bool exists = fromEnd < dims.size();
      Dim own = exists ? dims[dims.size() - 1 - fromEnd] : Dim::exactly(1);
      Value lead = leads[fromEnd];
      unsigned leadAxis =
          lead ? getDims(lead.getType()).size() - 1 - fromEnd : 0;
      bool isRepeated =
          lead && own.isUnit() &&
          (own.isExact() || !getDims(lead.getType())[leadAxis].isUnit());
      unsigned ownAxis = exists ? dims.size() - 1 - fromEnd : 0;
      target.push_back(
          isRepeated ? own.repeatedTo(getDims(lead.getType())[leadAxis]) : own);
      sizes.push_back(isRepeated ? emitter.extents.of(loc, lead, leadAxis)
                      : exists   ? emitter.extents.of(loc, tile, ownAxis)
                                 : emitter.scalars.index(1));
    }
    auto type = pl::TileType::get(builder.getContext(), target,
                                  pl::getElementOrSelf(tile.getType()));
    results.push_back(
        type == tile.getType()
            ? tile
            : pl::BroadcastOp::create(builder, loc, type, tile, sizes)
                  .getResult());
  }
  llvm::copy(results, tiles.begin());
  return true;
}

Value ShapeEmitter::broadcastTo(Location loc, Value tile, Value like) {
  ArrayRef<Dim> from = getDims(tile.getType()), to = getDims(like.getType());
  auto misfit = [&]() -> Value {
    emitter.fail(loc, describe(tile.getType()) + " does not fit " +
                          describe(like.getType()));
    return {};
  };
  if (from.size() > to.size())
    return misfit();
  for (unsigned i = 0; i < from.size(); ++i) {
    unsigned axis = to.size() - 1 - i, own = from.size() - 1 - i;
    if (from[own].isRepeatedTo(to[axis]))
      continue;
    if (to[axis].isExact() && from[own].isExact() && to[axis] != from[own])
      return misfit();
    if (!checkAxis(loc, i, tile, like))
      return {};
  }
  auto type = pl::TileType::get(builder.getContext(), pl::dimsInShape(from, to),
                                pl::getElementOrSelf(tile.getType()));
  if (type == tile.getType())
    return tile;
  SmallVector<Value> sizes = emitter.extents.allOf(loc, like);
  for (unsigned i = 0; i < from.size(); ++i)
    if (unsigned own = from.size() - 1 - i, axis = to.size() - 1 - i;
        !from[own].isRepeatedTo(to[axis]))
      sizes[axis] = emitter.extents.of(loc, tile, own);
  return pl::BroadcastOp::create(builder, loc, type, tile, sizes);
}

Value ShapeEmitter::relax(Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<pl::TileType>(type))
    return pl::RelaxOp::create(builder, loc, type, value);
  SmallVector<Value> sizes = emitter.extents.allOf(loc, value);
  SmallVector<Value> offsets(sizes.size(), emitter.scalars.index(0));
  return pl::SliceOp::create(builder, loc, llvm::cast<pl::TensorViewType>(type),
                             value, offsets, sizes,
                             builder.getDenseI64ArrayAttr({}));
}

Value ShapeEmitter::fullLike(Location loc, Value scalar, Value like) {
  auto type = pl::TileType::get(builder.getContext(), getDims(like.getType()),
                                scalar.getType());
  return pl::FullOp::create(builder, loc, type, scalar,
                            emitter.extents.allOf(loc, like));
}
