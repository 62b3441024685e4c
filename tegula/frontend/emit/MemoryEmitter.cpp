// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, windows, single elements.
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/emit/StoredMatmul.h"
#include "tegula/frontend/emit/TensorRoots.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/extents/IndexRange.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using namespace mlir;
using pl::getDims;

Value MemoryEmitter::toTile(Location loc, const Object &object) {
  if (Value tile = object.asTile())
    return tile;
  Value tensor = object.asTensor();
  if (!tensor)
    return {};
  uses.read(tensor, loc);
  auto type = pl::TileType::get(builder.getContext(), getDims(tensor.getType()),
                                pl::getElementOrSelf(tensor.getType()));
  return pl::LoadOp::create(builder, loc, type, tensor);
}

/// True if one step from `offset` lies inside an axis: `x[i : i + 1]` in a loop
/// over that axis.
bool MemoryEmitter::isInside(Location loc, Value shaped, unsigned axis,
                             Value offset) {
  auto argument = dyn_cast<BlockArgument>(offset);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  Value end;
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent);
      loop && argument == loop.getInductionVar())
    end = loop.getUpperBound();
  if (auto loop = dyn_cast_or_null<pl::ParallelOp>(parent))
    end = loop.getUpper();
  std::optional<int64_t> beyond =
      end ? pl::constantDifference(end,
                                   emitter.extents.settled(loc, shaped, axis))
          : std::nullopt;
  return pl::isNonNegative(offset) && beyond && *beyond <= 0;
}

/// A window of one step that is inside has exactly that extent, and can be
/// repeated to fit others.
void MemoryEmitter::sharpen(Location loc, Value shaped, ArrayRef<Value> offsets,
                            ArrayRef<Value> sizes, Value part) {
  pl::Dims dims(getDims(part.getType()));
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (dim == pl::Dim::atMost(1) &&
        pl::dimOfExtent(sizes[axis]).isExactly(1) &&
        isInside(loc, shaped, axis, offsets[axis]))
      dim = pl::Dim::exactly(1);
  part.setType(
      isa<pl::TensorViewType>(part.getType())
          ? Type(pl::TensorViewType::get(builder.getContext(), dims,
                                         pl::getElementOrSelf(part.getType())))
          : Type(pl::TileType::get(builder.getContext(), dims,
                                   pl::getElementOrSelf(part.getType()))));
}

/// Says of the axes of a window that are proved to lie inside that they are
/// not cut: `x[i : i + 16]`, if i goes in steps of 16 and 16 divides the
/// extent.
static void keepWholeAxes(pl::SliceOp slice) {
  pl::Dims dims(slice.getResult().getType().getDims());
  std::optional<pl::ExtentProver> prover;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    unsigned from = slice.getSourceAxis(axis);
    Value offset = slice.getOffsets()[from], size = slice.getSizes()[from];
    if (!dim.isBounded() || !pl::dimOfExtent(size).isExactly(dim.getBound()))
      continue;
    if (!prover)
      prover.emplace(slice);
    if (!prover->hasRequirements() &&
        !getDims(slice.getSource().getType())[from].isExact())
      continue;
    pl::ExtentTerms &terms = prover->getTerms();
    // A start below 0 is moved to 0, where less may be left.
    if (prover->isAtMost(pl::Polynomial(), terms.of(offset)) &&
        prover->isAtMost(terms.of(offset) + terms.of(size),
                         terms.ofExtent(slice.getSource(), from)))
      dim = pl::Dim::exactly(dim.getBound());
  }
  slice.getResult().setType(pl::TensorViewType::get(
      slice.getContext(), dims,
      pl::getElementOrSelf(slice.getSource().getType())));
}

Value MemoryEmitter::window(Location loc, Value shaped, ArrayRef<Value> offsets,
                            ArrayRef<Value> sizes, ArrayRef<int64_t> drop) {
  if (isa<pl::TensorViewType>(shaped.getType())) {
    auto slice =
        pl::SliceOp::create(builder, loc, shaped, offsets, sizes, drop);
    keepWholeAxes(slice);
    if (drop.empty())
      sharpen(loc, shaped, offsets, sizes, slice);
    return slice;
  }
  Value part = pl::WindowOp::create(builder, loc, shaped, offsets, sizes);
  if (drop.empty()) {
    sharpen(loc, shaped, offsets, sizes, part);
    return part;
  }
  // An axis of size 1 is exactly 1 in the type only if it is known to be
  // inside; here it must be, because it goes away.
  pl::Dims dims(getDims(part.getType())), kept;
  SmallVector<Value> remainingSizes;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    if (llvm::is_contained(drop, static_cast<int64_t>(axis))) {
      dim = pl::Dim::exactly(1);
      continue;
    }
    kept.push_back(dim);
    remainingSizes.push_back(emitter.extents.of(loc, part, axis));
  }
  Type element = pl::getElementOrSelf(part.getType());
  part.setType(pl::TileType::get(builder.getContext(), dims, element));
  return pl::ReshapeOp::create(
      builder, loc, pl::TileType::get(builder.getContext(), kept, element),
      part, remainingSizes);
}

Object MemoryEmitter::read(Location loc, Value shaped,
                           ArrayRef<Value> indices) {
  if (isa<pl::TensorViewType>(shaped.getType()))
    uses.read(shaped, loc);
  return Object(pl::ReadOp::create(builder, loc,
                                   pl::getElementOrSelf(shaped.getType()),
                                   shaped, indices)
                    .getResult());
}

bool MemoryEmitter::checkWritable(Location loc, Value tensor) {
  if (!uses.isReadOnly(tensor))
    return true;
  llvm::SmallVector<Value> roots = rootsOf(tensor);
  const DeclaredParameter *declared = uses.declarationOf(
      *llvm::find_if(roots, [&](Value root) { return uses.isReadOnly(root); }));
  emitter.fail(loc,
               "'" + declared->name +
                   "' is an input and cannot be written; declare it pl.Out or "
                   "pl.InOut",
               {{declared->loc, "declared here"}});
  return false;
}

/// A number or scalar as an element of a tensor. Only numbers, and INDEX for
/// integers, change their type.
Value MemoryEmitter::storable(Location loc, const Object &value, Type element) {
  Value scalar = value.asScalar();
  if (!scalar && !value.isNumeric()) {
    emitter.fail(loc, "cannot store " + describe(value) + " in a tensor of " +
                          dtypeName(element));
    return {};
  }
  bool isIndexForInteger = scalar && scalar.getType().isIndex() &&
                           !pl::isFloat(element) && !pl::isBool(element);
  bool isWeak = scalar && value.as<ValueObject>()->isWeak;
  if (scalar && scalar.getType() != element && !isIndexForInteger && !isWeak) {
    emitter.fail(loc, "cannot store " + describe(value) + " in a tensor of " +
                          dtypeName(element) + "; write pl.cast(value, pl." +
                          dtypeName(element) + ")");
    return {};
  }
  return emitter.scalars.toScalar(loc, value, element);
}

void MemoryEmitter::store(Location loc, const Object &value, Value target) {
  if (value.isPoison() || !checkWritable(loc, target))
    return;
  Type element = pl::getElementOrSelf(target.getType());
  Value tile = toTile(loc, value);
  uses.write(target);
  if (!tile) {
    Value scalar = storable(loc, value, element);
    if (!scalar)
      return;
    tile = emitter.shapes.fullLike(loc, scalar, target);
  } else if (tile = storedMatmul(emitter, loc,
                                 emitter.booleans.stored(loc, tile, element),
                                 element);
             pl::getElementOrSelf(tile.getType()) != element) {
    emitter.fail(loc, "cannot store " + describe(tile.getType()) +
                          " in a tensor of " + dtypeName(element) +
                          "; write pl.cast(value, pl." + dtypeName(element) +
                          ")");
    return;
  }
  tile = emitter.shapes.broadcastTo(loc, tile, target);
  if (tile)
    pl::StoreOp::create(builder, loc, tile, target);
}

void MemoryEmitter::write(Location loc, const Object &value, Value target,
                          ArrayRef<Value> indices) {
  if (value.isPoison() || !checkWritable(loc, target))
    return;
  uses.write(target);
  Value scalar = storable(loc, value, pl::getElementOrSelf(target.getType()));
  if (scalar)
    pl::WriteOp::create(builder, loc, scalar, target, indices);
}

/// An index into a tile, checked at run time unless it is known to be inside.
Value MemoryEmitter::checkedIndex(Location loc, Value position, Value tile,
                                  unsigned axis) {
  pl::Dim dim = getDims(tile.getType())[axis];
  llvm::APInt number;
  if (matchPattern(position, m_ConstantInt(&number)) && dim.isExact() &&
      number.getSExtValue() >= 0 && number.getSExtValue() < dim.getBound())
    return position;
  return pl::CheckIndexOp::create(builder, loc, position,
                                  emitter.extents.of(loc, tile, axis), axis);
}

Object MemoryEmitter::insert(Location loc, const Object &value, Value target,
                             ArrayRef<Value> offsets, ArrayRef<Value> sizes,
                             ArrayRef<int64_t> drop) {
  if (value.isPoison())
    return value;
  Type element = pl::getElementOrSelf(target.getType());
  SmallVector<Value> indices(offsets);
  for (int64_t axis : drop)
    indices[axis] = checkedIndex(loc, offsets[axis], target, axis);
  Value part = pl::WindowOp::create(builder, loc, target, indices, sizes);
  Value tile = toTile(loc, value);
  if (!tile) {
    Value scalar = storable(loc, value, element);
    if (!scalar)
      return Object::poison();
    tile = emitter.shapes.fullLike(loc, scalar, part);
  }
  tile = storedMatmul(emitter, loc, emitter.booleans.stored(loc, tile, element),
                      element);
  if (pl::getElementOrSelf(tile.getType()) != element)
    return emitter.fail(loc, "cannot put " + describe(tile.getType()) +
                                 " into a tile of " + dtypeName(element) +
                                 "; write pl.cast(value, pl." +
                                 dtypeName(element) + ")");
  // The dropped axes come back with extent 1.
  unsigned rank = getDims(target.getType()).size();
  unsigned tileRank = getDims(tile.getType()).size();
  if (!drop.empty() && tileRank == rank - drop.size()) {
    SmallVector<Value> shape;
    for (unsigned axis = 0, next = 0; axis < rank; ++axis)
      shape.push_back(llvm::is_contained(drop, static_cast<int64_t>(axis))
                          ? emitter.scalars.index(1)
                          : emitter.extents.of(loc, tile, next++));
    Object reshaped = emitter.reshapes.build(loc, tile, shape);
    if (reshaped.isPoison())
      return reshaped;
    tile = reshaped.asValue();
  }
  tile = emitter.shapes.broadcastTo(loc, tile, part);
  if (!tile)
    return Object::poison();
  SmallVector<Value> operands = {tile, target};
  llvm::append_range(operands, indices);
  Value result = emitter.create<pl::InsertOp>(loc, "insert", operands, {});
  return result ? Object(result) : Object::poison();
}
