// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasting, and tiles in other shapes.
#include "tegula/frontend/Emitter.h"
#include "tegula/frontend/Requirements.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

bool Emitter::checkExtents(Location loc, Value lhs, unsigned lhsAxis, Value rhs,
                           unsigned rhsAxis) {
  Dim left = getDims(lhs.getType())[lhsAxis];
  Dim right = getDims(rhs.getType())[rhsAxis];
  bool isOpen = (left.isAny() && !right.isBounded()) ||
                (right.isAny() && !left.isBounded());
  if (!isOpen && left.meet(right))
    return true;
  if (isSameExtent(loc, lhs, lhsAxis, rhs, rhsAxis) ||
      (isOpen && requireEqual(*this, loc, settledExtent(loc, lhs, lhsAxis),
                              settledExtent(loc, rhs, rhsAxis))))
    return true;
  std::vector<Note> notes;
  std::string first = describeExtent(loc, lhs, lhsAxis, notes);
  std::string second = describeExtent(loc, rhs, rhsAxis, notes);
  fail(loc,
       "the extents of axis " + llvm::Twine(lhsAxis) + " differ: " + first +
           " and " + second,
       notes);
  return false;
}

/// The same for an axis counted from the end.
bool Emitter::checkAxis(Location loc, unsigned fromEnd, Value lead,
                        Value other) {
  return checkExtents(loc, lead, getDims(lead.getType()).size() - 1 - fromEnd,
                      other, getDims(other.getType()).size() - 1 - fromEnd);
}

/// A tile whose axis of at most 1 is exactly 1: that there is none is an error
/// of the call.
Value Emitter::unitAxis(Location loc, Value tile, unsigned axis) {
  pl::Dims dims(getDims(tile.getType()));
  dims[axis] = Dim::exactly(1);
  SmallVector<Value> sizes = extents(loc, tile);
  sizes[axis] = index(1);
  SmallVector<Value> zeros(sizes.size(), index(0));
  auto type = pl::TileType::get(getContext(), dims,
                                pl::getElementOrSelf(tile.getType()));
  return pl::WindowOp::create(builder, loc, type, tile, zeros, sizes);
}

/// The dim of an axis counted from the end; nothing if there is none.
static std::optional<Dim> dimFromEnd(Value tile, unsigned fromEnd) {
  ArrayRef<Dim> dims = getDims(tile.getType());
  if (fromEnd >= dims.size())
    return std::nullopt;
  return dims[dims.size() - 1 - fromEnd];
}

/// A tile with at most 1 along an axis where another one has more is repeated,
/// so there must be one.
void Emitter::repeatRows(Location loc, unsigned fromEnd,
                         MutableArrayRef<Value> tiles) {
  bool isWide = llvm::any_of(tiles, [&](Value tile) {
    std::optional<Dim> dim = dimFromEnd(tile, fromEnd);
    return dim && !(dim->hasBound() && dim->getBound() <= 1);
  });
  for (Value &tile : tiles)
    if (isWide && dimFromEnd(tile, fromEnd) == Dim::atMost(1))
      tile = unitAxis(loc, tile, getDims(tile.getType()).size() - 1 - fromEnd);
}

bool Emitter::broadcastTogether(Location loc, MutableArrayRef<Value> tiles) {
  unsigned rank = 0;
  for (Value tile : tiles)
    rank = std::max<unsigned>(rank, getDims(tile.getType()).size());
  for (unsigned fromEnd = 0; fromEnd < rank; ++fromEnd)
    repeatRows(loc, fromEnd, tiles);
  // For each axis, the tile that says its extent; null if it is 1 everywhere.
  SmallVector<Value> leads(rank);
  for (unsigned fromEnd = 0; fromEnd < rank; ++fromEnd) {
    Value &lead = leads[fromEnd];
    for (Value tile : tiles) {
      ArrayRef<Dim> dims = getDims(tile.getType());
      if (fromEnd >= dims.size() ||
          dims[dims.size() - 1 - fromEnd].isExactly(1))
        continue;
      if (!lead)
        lead = tile;
      else if (!checkAxis(loc, fromEnd, lead, tile))
        return false;
    }
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
      Value from = own.isExactly(1) ? leads[fromEnd] : tile;
      unsigned fromAxis =
          from ? getDims(from.getType()).size() - 1 - fromEnd : 0;
      target.push_back(from ? getDims(from.getType())[fromAxis] : own);
      sizes.push_back(from ? extent(loc, from, fromAxis) : index(1));
    }
    auto type = pl::TileType::get(getContext(), target,
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

/// True if an axis of extent 1 has to be repeated to fit another one.
static bool repeats(Dim from, Dim to) {
  return from.isExactly(1) && !(to.hasBound() && to.getBound() <= 1);
}

Value Emitter::broadcastTo(Location loc, Value tile, Value like) {
  ArrayRef<Dim> from = getDims(tile.getType()), to = getDims(like.getType());
  auto misfit = [&]() -> Value {
    fail(loc, describe(tile.getType()) + " does not fit " +
                  describe(like.getType()));
    return {};
  };
  if (from.size() > to.size())
    return misfit();
  for (unsigned i = 0; i < from.size(); ++i) {
    Dim wanted = to[to.size() - 1 - i];
    if (from[from.size() - 1 - i] == Dim::atMost(1) &&
        !(wanted.hasBound() && wanted.getBound() <= 1))
      tile = unitAxis(loc, tile, from.size() - 1 - i);
    from = getDims(tile.getType());
  }
  pl::Dims target(to);
  for (unsigned i = 0; i < from.size(); ++i) {
    unsigned axis = to.size() - 1 - i, own = from.size() - 1 - i;
    if (repeats(from[own], to[axis]))
      continue;
    if (to[axis].isExact() && from[own].isExact() && to[axis] != from[own])
      return misfit();
    if (!checkAxis(loc, i, tile, like))
      return {};
    target[axis] = from[own];
  }
  auto type = pl::TileType::get(getContext(), target,
                                pl::getElementOrSelf(tile.getType()));
  if (type == tile.getType())
    return tile;
  SmallVector<Value> sizes = extents(loc, like);
  for (unsigned i = 0; i < from.size(); ++i)
    if (unsigned own = from.size() - 1 - i, axis = to.size() - 1 - i;
        !repeats(from[own], to[axis]))
      sizes[axis] = extent(loc, tile, own);
  return pl::BroadcastOp::create(builder, loc, type, tile, sizes);
}

Value Emitter::relax(Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<pl::TileType>(type))
    return pl::RelaxOp::create(builder, loc, type, value);
  SmallVector<Value> sizes = extents(loc, value);
  SmallVector<Value> offsets(sizes.size(), index(0));
  return pl::SliceOp::create(builder, loc, llvm::cast<pl::TensorViewType>(type),
                             value, offsets, sizes,
                             builder.getDenseI64ArrayAttr({}));
}

Value Emitter::fullLike(Location loc, Value scalar, Value like) {
  auto type = pl::TileType::get(getContext(), getDims(like.getType()),
                                scalar.getType());
  return pl::FullOp::create(builder, loc, type, scalar, extents(loc, like));
}
