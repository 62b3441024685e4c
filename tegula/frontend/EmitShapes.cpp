// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents, broadcasting, and tiles in other shapes.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/Emitter.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

void Emitter::setExtent(Value parameter, unsigned axis, Value value) {
  parameterExtents[{parameter, axis}] = value;
}

Value Emitter::extent(Location loc, Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return index(dim.getBound());
  if (Value known = parameterExtents.lookup({shaped, axis}))
    return known;
  return shared(pl::DimOp::create(builder, loc, shaped, axis));
}

SmallVector<Value> Emitter::extents(Location loc, Value shaped) {
  SmallVector<Value> values;
  for (unsigned axis = 0; axis < getDims(shaped.getType()).size(); ++axis)
    values.push_back(extent(loc, shaped, axis));
  return values;
}

Object Emitter::extentObject(Location loc, Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return Object::integer(dim.getBound());
  return Object(settledExtent(loc, shaped, axis));
}

/// Resolves the dims in what a shape function built after `last`, folds it, and
/// shares it with equal values before it.
Value Emitter::settle(Value value, Operation *last) {
  Operation *op = value.getDefiningOp();
  bool isNew = op && op->getBlock() == builder.getInsertionBlock() &&
               (!last || last->isBeforeInBlock(op));
  if (!isNew || op->getNumRegions() != 0)
    return value;
  if (auto dim = dyn_cast<pl::DimOp>(op)) {
    Value source = dim.getSource();
    unsigned axis = dim.getAxis();
    if (!parameterExtents.count({source, axis}) &&
        !source.getDefiningOp<pl::ExtentsOpInterface>())
      return value;
    return settledExtent(op->getLoc(), source, axis);
  }
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return index(number.getSExtValue());
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(settle(operand, last));
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  SmallVector<Value, 1> folded;
  if (succeeded(builder.tryFold(copy, folded))) {
    copy->erase();
    return folded.front();
  }
  return shared(copy);
}

Value Emitter::settledExtent(Location loc, Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return index(dim.getBound());
  if (Value known = parameterExtents.lookup({shaped, axis}))
    return known;
  Value known = settledExtents.lookup({shaped, axis});
  if (known && (!known.getDefiningOp() || isVisible(known.getDefiningOp())))
    return known;
  auto producer = shaped.getDefiningOp<pl::ExtentsOpInterface>();
  if (!producer)
    return extent(loc, shaped, axis);
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  Value raw = producer.reifyExtent(builder, axis);
  Operation *lastRaw = block->empty() ? nullptr : &block->back();
  Value value = settle(raw, last);
  // What the shape function built has been rebuilt; drop it, uses first.
  while (lastRaw && lastRaw != last) {
    Operation *previous = lastRaw->getPrevNode();
    if (lastRaw->use_empty() && lastRaw != value.getDefiningOp())
      lastRaw->erase();
    lastRaw = previous;
  }
  settledExtents[{shaped, axis}] = value;
  return value;
}

bool Emitter::isSameExtent(Location loc, Value lhs, unsigned lhsAxis, Value rhs,
                           unsigned rhsAxis) {
  Dim left = getDims(lhs.getType())[lhsAxis];
  Dim right = getDims(rhs.getType())[rhsAxis];
  if (left.isExact() && right.isExact())
    return left == right;
  Value leftExtent = settledExtent(loc, lhs, lhsAxis);
  Value rightExtent = settledExtent(loc, rhs, rhsAxis);
  if (leftExtent == rightExtent)
    return true;
  FailureOr<bool> isEqual =
      ValueBoundsConstraintSet::areEqual(leftExtent, rightExtent);
  return succeeded(isEqual) && *isEqual;
}

std::string Emitter::describeExtent(Location loc, Value shaped, unsigned axis,
                                    std::vector<Note> &notes) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return std::to_string(dim.getBound());
  Value value = settledExtent(loc, shaped, axis);
  if (auto bind = value.getDefiningOp<pl::BindOp>()) {
    notes.push_back(
        {bind.getLoc(), bind.getSymbol().str() + " is declared here"});
    return bind.getSymbol().str();
  }
  if (auto known = value.getDefiningOp<pl::DimOp>())
    notes.push_back({known.getLoc(), "one extent comes from here"});
  return dim.hasBound() ? "at most " + std::to_string(dim.getBound())
                        : "a run-time value";
}

/// `lead` and `other` meet on an axis counted from the end, both not 1.
bool Emitter::checkAxis(Location loc, unsigned fromEnd, Value lead,
                        Value other) {
  unsigned leadAxis = getDims(lead.getType()).size() - 1 - fromEnd;
  unsigned otherAxis = getDims(other.getType()).size() - 1 - fromEnd;
  Dim left = getDims(lead.getType())[leadAxis];
  Dim right = getDims(other.getType())[otherAxis];
  bool isOpen = (left.isAny() && !right.isBounded()) ||
                (right.isAny() && !left.isBounded());
  if (!isOpen && left.meet(right))
    return true;
  if (isSameExtent(loc, lead, leadAxis, other, otherAxis))
    return true;
  std::vector<Note> notes;
  std::string first = describeExtent(loc, lead, leadAxis, notes);
  std::string second = describeExtent(loc, other, otherAxis, notes);
  fail(loc,
       "the extents of axis " + llvm::Twine(leadAxis) + " differ: " + first +
           " and " + second + (isOpen ? "; declare both with one symbol" : ""),
       notes);
  return false;
}

bool Emitter::broadcastTogether(Location loc, MutableArrayRef<Value> tiles) {
  unsigned rank = 0;
  for (Value tile : tiles)
    rank = std::max<unsigned>(rank, getDims(tile.getType()).size());
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

Value Emitter::broadcastTo(Location loc, Value tile, Value like) {
  ArrayRef<Dim> from = getDims(tile.getType()), to = getDims(like.getType());
  auto misfit = [&]() -> Value {
    fail(loc, describe(tile.getType()) + " does not fit " +
                  describe(like.getType()));
    return {};
  };
  if (from.size() > to.size())
    return misfit();
  pl::Dims target(to);
  for (unsigned i = 0; i < from.size(); ++i) {
    unsigned axis = to.size() - 1 - i, own = from.size() - 1 - i;
    if (from[own].isExactly(1))
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
    if (unsigned own = from.size() - 1 - i; !from[own].isExactly(1))
      sizes[to.size() - 1 - i] = extent(loc, tile, own);
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

Object Emitter::reshape(Location loc, Value tile, ArrayRef<Value> sizes) {
  pl::Dims dims;
  for (Value size : sizes)
    dims.push_back(pl::dimOfExtent(size));
  ArrayRef<Dim> source = getDims(tile.getType());
  auto isExact = [](Dim dim) { return dim.isExact(); };
  auto count = [](ArrayRef<Dim> all) {
    int64_t product = 1;
    for (Dim dim : all)
      product *= dim.getBound();
    return product;
  };
  auto shape = describe(pl::TileType::get(
      getContext(), dims, pl::getElementOrSelf(tile.getType())));
  if (llvm::all_of(source, isExact) && llvm::all_of(dims, isExact)) {
    if (count(source) != count(dims))
      return fail(loc, "cannot reshape " + describe(tile.getType()) + " into " +
                           shape + ": " + llvm::Twine(count(source)) +
                           " elements and " + llvm::Twine(count(dims)));
  } else {
    // Axes that are not 1 keep their order and their extents.
    SmallVector<unsigned> kept;
    for (unsigned axis = 0; axis < source.size(); ++axis)
      if (!source[axis].isExactly(1))
        kept.push_back(axis);
    unsigned next = 0;
    for (Dim &dim : dims)
      if (!dim.isExactly(1) && next < kept.size() &&
          (!dim.isExact() || source[kept[next]].isAny() ||
           source[kept[next]].getBound() == dim.getBound()))
        dim = source[kept[next++]];
      else if (!dim.isExactly(1))
        next = kept.size() + 1;
    if (next != kept.size())
      return fail(loc, "cannot reshape " + describe(tile.getType()) + " into " +
                           shape +
                           ": with run-time extents only axes of extent 1 can "
                           "be added or removed");
  }
  SmallVector<Value> exactSizes(sizes);
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (dim.isExact())
      exactSizes[axis] = index(dim.getBound());
  auto type = pl::TileType::get(getContext(), dims,
                                pl::getElementOrSelf(tile.getType()));
  if (type == tile.getType())
    return Object(tile);
  return Object(
      pl::ReshapeOp::create(builder, loc, type, tile, exactSizes).getResult());
}
