// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices, windows, loads and stores as source.
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/PlRequireOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

static std::optional<int64_t> constantOf(Value value) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

bool tegula::isWholeAxis(Value size, Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return constantOf(size) == dim.getBound();
  if (auto extent = size.getDefiningOp<pl::DimOp>())
    if (extent.getSource() == shaped && extent.getAxis() == axis)
      return true;
  auto roots = pl::rootsOfExtent(shaped, axis);
  return roots.size() == 1 && roots.front().value == OpFoldResult(size);
}

std::optional<std::string>
ExpressionWriter::subscript(Value base, ValueRange offsets, ValueRange sizes,
                            ArrayRef<int64_t> drop, bool isIdentity) {
  std::string text;
  for (unsigned axis = 0; axis < offsets.size(); ++axis) {
    text += axis ? ", " : "";
    Value offset = offsets[axis], size = sizes[axis];
    std::optional<int64_t> start = constantOf(offset), count = constantOf(size);
    // A negative one would count from the end.
    if (start.value_or(0) < 0 || count.value_or(0) < 0)
      return std::nullopt;
    if (llvm::is_contained(drop, static_cast<int64_t>(axis))) {
      text += write(offset, Wanted::Scalar, Strength::Any);
      continue;
    }
    // A window of everything says so by its first axis.
    bool isSaid = isIdentity && axis == 0;
    if (!isSaid && start == 0 && isWholeAxis(size, base, axis)) {
      text += ":";
      continue;
    }
    if (start && count) {
      text += std::to_string(*start) + ":" + std::to_string(*start + *count);
      continue;
    }
    auto difference = size.getDefiningOp<arith::SubIOp>();
    text += write(offset, Wanted::Scalar, Strength::Any) + " : ";
    if (start == 0)
      text += write(size, Wanted::Scalar, Strength::Any);
    else if (difference && difference.getRhs() == offset)
      text += write(difference.getLhs(), Wanted::Scalar, Strength::Any);
    else
      text += write(offset, Wanted::Scalar, Strength::Sum) + " + " +
              write(size, Wanted::Scalar, Strength::Product);
  }
  return write(base, Wanted::Value, Strength::Atom) +
         (offsets.empty() ? "[...]" : "[" + text + "]");
}

/// The dims a window has if nothing more is said.
static pl::Dims plainDims(Value source, ValueRange offsets, ValueRange sizes,
                          ArrayRef<int64_t> drop) {
  pl::Dims dims;
  for (auto [axis, dim] : llvm::enumerate(getDims(source.getType())))
    if (!llvm::is_contained(drop, static_cast<int64_t>(axis)))
      dims.push_back(pl::dimOfWindow(dim, offsets[axis], sizes[axis]));
  return dims;
}

/// True if the front end may give a window these dims: of some it can prove
/// that all of it is there, and one row must be. What it gives is compared.
static bool becomes(ArrayRef<Dim> plain, ArrayRef<Dim> dims) {
  return plain.size() == dims.size() &&
         llvm::all_of(llvm::zip(plain, dims), [](auto pair) {
           auto [from, to] = pair;
           return from == to || (to.isExact() && from.isBounded() &&
                                 from.getBound() == to.getBound());
         });
}

/// The dims that pl.slice and pl.load give a window: at least its sizes.
static pl::Dims nominalDims(ArrayRef<Dim> plain, ValueRange sizes) {
  pl::Dims dims(plain);
  for (auto [dim, size] : llvm::zip(dims, sizes))
    if (Dim nominal = pl::dimOfExtent(size);
        nominal.isExact() && dim != nominal)
      dim = Dim::atMost(nominal.getBound());
  return dims;
}

/// The dims that pl.set_validshape gives: the bounds stay.
static pl::Dims narrowedDims(Value source, ValueRange sizes) {
  pl::Dims dims(getDims(source.getType()));
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (dim.hasBound() && pl::dimOfExtent(sizes[axis]) != dim)
      dim = Dim::atMost(dim.getBound());
  return dims;
}

std::optional<WrittenSource> ExpressionWriter::window(Operation *op) {
  auto slice = dyn_cast<pl::SliceOp>(op);
  auto part = dyn_cast<pl::WindowOp>(op);
  Value source = op->getOperand(0);
  ValueRange offsets = slice ? slice.getOffsets() : part.getOffsets();
  ValueRange sizes = slice ? slice.getSizes() : part.getSizes();
  ArrayRef<int64_t> drop;
  if (slice)
    drop = slice.getDrop();
  ArrayRef<Dim> dims = getDims(op->getResult(0).getType());
  pl::Dims plain = plainDims(source, offsets, sizes, drop);
  bool isWhole = drop.empty();
  for (auto [axis, offset] : llvm::enumerate(offsets))
    isWhole &=
        constantOf(offset) == 0 && isWholeAxis(sizes[axis], source, axis);
  if (isWhole && slice && becomes(plain, dims) && !dims.empty())
    if (auto text = subscript(source, offsets, sizes, drop, isWhole))
      return WrittenSource{*text};
  // The same view under a type that says less.
  if (isWhole && slice)
    return WrittenSource{write(source, Wanted::Value, Strength::Atom)};
  if (becomes(plain, dims) && !isWhole) {
    std::optional<std::string> text = subscript(source, offsets, sizes, drop);
    return text ? std::optional<WrittenSource>({*text}) : std::nullopt;
  }
  if (drop.empty() && becomes(nominalDims(plain, sizes), dims))
    return WrittenSource{"pl.slice(" +
                         write(source, Wanted::Value, Strength::Any) + ", " +
                         list(sizes) + ", " + list(offsets) + ")"};
  bool startsAtZero = llvm::all_of(
      offsets, [](Value offset) { return constantOf(offset) == 0; });
  if (drop.empty() && startsAtZero &&
      dims == ArrayRef<Dim>(narrowedDims(source, sizes)))
    return WrittenSource{"pl.set_validshape(" +
                         write(source, Wanted::Value, Strength::Any) + ", " +
                         list(sizes) + ")"};
  return std::nullopt;
}

/// `t[i, a:b]` of a tile: a window whose axes of size 1 go away.
std::optional<WrittenSource>
ExpressionWriter::droppingWindow(pl::ReshapeOp op) {
  auto part = op.getSource().getDefiningOp<pl::WindowOp>();
  if (!part || !part->hasOneUse() || !nameOfValue(part).empty())
    return std::nullopt;
  ArrayRef<Dim> dims = getDims(part.getType());
  pl::Dims plain =
      plainDims(part.getSource(), part.getOffsets(), part.getSizes(), {});
  if (plain == dims)
    return std::nullopt;
  SmallVector<int64_t> drop;
  pl::Dims kept;
  size_t rank = getDims(op.getType()).size();
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    bool mustGo = dim != plain[axis];
    bool mayGo = dim.isExactly(1) && constantOf(part.getSizes()[axis]) == 1 &&
                 dims.size() - axis > rank - kept.size();
    if (mustGo || mayGo)
      drop.push_back(axis);
    else
      kept.push_back(dim);
  }
  if (ArrayRef<Dim>(kept) != getDims(op.getType()))
    return std::nullopt;
  std::optional<std::string> text =
      subscript(part.getSource(), part.getOffsets(), part.getSizes(), drop);
  return text ? std::optional<WrittenSource>({*text}) : std::nullopt;
}

/// What is stored in a view, without what the front end adds to fit it.
std::string ExpressionWriter::stored(Value value, Type view) {
  value = shownValue(value);
  bool isNamed = !isa<BlockArgument>(value) && !nameOfValue(value).empty();
  ArrayRef<Dim> dims = getDims(value.getType());
  if (style == SourceStyle::Short && !isNamed) {
    auto full = value.getDefiningOp<pl::FullOp>();
    if (full && dims == getDims(view))
      return write(full.getValue(), Wanted::Scalar, Strength::Any);
    auto repeat = value.getDefiningOp<pl::BroadcastOp>();
    Value source = repeat ? shownValue(repeat.getSource()) : Value();
    if (source && getDims(source.getType()).size() <= getDims(view).size() &&
        dims == ArrayRef<Dim>(
                    pl::dimsInShape(getDims(source.getType()), getDims(view))))
      return write(source, Wanted::Tile, Strength::Any);
  }
  return write(value, Wanted::Tile, Strength::Any);
}

/// `pl.store(t, [i, j], y)` where the view is cut to the tile.
std::optional<std::string> ExpressionWriter::storeAt(pl::StoreOp op,
                                                     pl::SliceOp slice) {
  ArrayRef<int64_t> drop = slice.getDrop();
  if (style != SourceStyle::Short ||
      getDims(op.getTile().getType()) != getDims(slice.getType()))
    return std::nullopt;
  for (auto [position, axis] : llvm::enumerate(drop))
    if (axis != static_cast<int64_t>(position))
      return std::nullopt;
  bool isCut = false;
  for (auto [axis, size] : llvm::enumerate(slice.getSizes())) {
    bool isDropped = axis < drop.size();
    auto difference = size.getDefiningOp<arith::SubIOp>();
    bool isWritten =
        isDropped || constantOf(size) ||
        isWholeAxis(size, slice.getSource(), axis) ||
        (difference && difference.getRhs() == slice.getOffsets()[axis]);
    isCut |= !isWritten;
  }
  if (!isCut)
    return std::nullopt;
  return "pl.store(" +
         write(shownValue(op.getTile()), Wanted::Tile, Strength::Any) + ", " +
         list(slice.getOffsets()) + ", " +
         write(slice.getSource(), Wanted::Value, Strength::Any) + ")";
}

std::optional<std::string> ExpressionWriter::store(pl::StoreOp op) {
  Value view = op.getTarget();
  auto slice = view.getDefiningOp<pl::SliceOp>();
  bool isOwn = slice && slice->hasOneUse() && nameOfValue(view).empty();
  if (isOwn)
    if (std::optional<std::string> text = storeAt(op, slice))
      return text;
  std::optional<std::string> target;
  if (isOwn && becomes(plainDims(slice.getSource(), slice.getOffsets(),
                                 slice.getSizes(), slice.getDrop()),
                       getDims(view.getType())))
    target = subscript(slice.getSource(), slice.getOffsets(), slice.getSizes(),
                       slice.getDrop());
  if (!target)
    target = write(view, Wanted::Value, Strength::Atom) +
             (getDims(view.getType()).empty() ? "[...]" : "[:]");
  return *target + " = " + stored(op.getTile(), view.getType());
}

std::string ExpressionWriter::list(ValueRange values) {
  std::string text = "[";
  for (auto [position, value] : llvm::enumerate(values))
    text +=
        (position ? ", " : "") + write(value, Wanted::Scalar, Strength::Any);
  return text + "]";
}

FailureOr<std::string> ExpressionWriter::statement(Operation *op) {
  if (auto write_ = dyn_cast<pl::WriteOp>(op)) {
    SmallVector<int64_t> drop;
    for (unsigned axis = 0; axis < write_.getIndices().size(); ++axis)
      drop.push_back(axis);
    std::optional<std::string> target = subscript(
        write_.getTarget(), write_.getIndices(), write_.getIndices(), drop);
    if (target)
      return *target + " = " +
             write(write_.getValue(), Wanted::Scalar, Strength::Any);
  }
  if (auto storing = dyn_cast<pl::StoreOp>(op))
    if (std::optional<std::string> text = store(storing))
      return *text;
  if (auto scatter = dyn_cast<pl::ScatterStoreOp>(op))
    return scatterStore(scatter);
  if (std::optional<std::string> text = ordering(op))
    return *text;
  if (auto barrier = dyn_cast<pl::BarrierOp>(op))
    return std::string(barrier.getKind() == pl::LoopKind::Grid
                           ? "pl.system.syncall()"
                           : "pl.system.sync_wait()");
  if (auto requirement = dyn_cast<pl::RequireOp>(op))
    return "pl.assume(" +
           write(requirement.getCondition(), Wanted::Value, Strength::Any) +
           ")";
  if (std::optional<std::string> text = message(op))
    return *text;
  if (std::optional<std::string> text = call(op))
    return *text;
  return op->emitError("'")
         << op->getName() << "' cannot be written as kernel source";
}
