// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/expressions/Subscripts.h"
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/extents/IndexRange.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

Object Subscripts::evaluate(const ast::Subscript &node, Location loc) {
  Object value = expressions.evaluate(*node.value);
  if (value.isPoison())
    return value;
  if (value.asTuple() || value.is<DictObject>()) {
    const auto *index = std::get_if<ast::ExprPtr>(&node.items.front());
    if (!index || node.items.size() != 1)
      return fail(loc, value.asTuple()
                           ? "a tuple takes one integer as its index"
                           : "a dict takes one key");
    Object position = expressions.evaluate(**index);
    if (position.isPoison())
      return position;
    return expressions.usable(foldItem(value, position), locate(**index));
  }
  if (const auto *tasks = value.as<TaskObject>())
    if (tasks->count)
      return readTaskIndex(node, *tasks->count, loc) ? Object(TaskObject{})
                                                     : Object::poison();
  Value shaped = value.asTensor() ? value.asTensor() : value.asTile();
  if (!shaped)
    return fail(loc, describe(value) + " cannot be indexed");
  Window window;
  if (!readWindow(node, shaped, loc, window))
    return Object::poison();
  Location indexLoc = pl::withIndexLocations(loc, window.locations);
  if (window.drop.size() == pl::getDims(shaped.getType()).size()) {
    if (!window.added.empty())
      return fail(loc, "one element has no axes to add to; write "
                       "pl.full([1], dtype, value)");
    return emitter.memory.read(indexLoc, shaped, window.offsets);
  }
  Object read =
      window.isWhole
          ? value
          : Object(emitter.memory.window(indexLoc, shaped, window.offsets,
                                         window.sizes, window.drop));
  return withNewAxes(read, window, loc);
}

/// `x[None, :]`: what is read in another shape.
Object Subscripts::withNewAxes(const Object &read, const Window &window,
                               Location loc) {
  if (window.added.empty() || read.isPoison())
    return read;
  Value shaped = read.asTensor() ? read.asTensor() : read.asTile();
  llvm::SmallVector<Value> sizes = emitter.extents.allOf(loc, shaped);
  for (unsigned axis : window.added)
    sizes.insert(sizes.begin() + axis, emitter.scalars.index(1));
  return emitter.reshapes.build(loc, shaped, sizes);
}

/// The index into an array of tasks. There is nothing in it to read, but a
/// wrong index is a mistake all the same.
bool Subscripts::readTaskIndex(const ast::Subscript &node, int64_t count,
                               Location loc) {
  const auto *item = std::get_if<ast::ExprPtr>(&node.items.front());
  if (!item || node.items.size() != 1) {
    fail(loc, "an array takes one index");
    return false;
  }
  Object index = expressions.evaluate(**item);
  if (index.isPoison() ||
      !emitter.scalars.toIndex(locate(**item), index, "an index"))
    return false;
  std::optional<int64_t> constant = index.asInteger();
  if (constant && (*constant >= count || *constant < -count)) {
    fail(locate(**item), "index " + llvm::Twine(*constant) +
                             " is out of range for " +
                             describe(Object(TaskObject{count})));
    return false;
  }
  return true;
}

std::vector<std::optional<Object>>
Subscripts::evaluateItems(const ast::Subscript &node) {
  std::vector<std::optional<Object>> items;
  for (const ast::SubscriptItem &item : node.items) {
    const auto *expr = std::get_if<ast::ExprPtr>(&item);
    items.push_back(expr ? std::optional(expressions.evaluate(**expr))
                         : std::nullopt);
  }
  return items;
}

/// `...`, and `None`, which adds an axis, under any name.
static bool isEllipsis(const std::optional<Object> &item) {
  return item && item->is<EllipsisObject>();
}
static bool isNewAxis(const std::optional<Object> &item) {
  return item && item->is<NoneObject>();
}

bool Subscripts::readWindow(const ast::Subscript &node, Value shaped,
                            Location loc, Window &window) {
  unsigned rank = pl::getDims(shaped.getType()).size();
  std::vector<std::optional<Object>> items = evaluateItems(node);
  unsigned numEllipses = llvm::count_if(items, isEllipsis);
  unsigned numGiven =
      items.size() - numEllipses - llvm::count_if(items, isNewAxis);
  if (numEllipses > 1) {
    fail(loc, "only one '...' can stand in a subscript");
    return false;
  }
  if (numGiven > rank) {
    fail(loc, "too many indices: " + llvm::Twine(numGiven) + " for " +
                  describe(shaped.getType()));
    return false;
  }
  bool isRight = true;
  unsigned axis = 0;
  auto addWhole = [&](unsigned count) {
    for (; count > 0; --count, ++axis) {
      window.offsets.push_back(emitter.scalars.index(0));
      window.sizes.push_back(emitter.extents.of(loc, shaped, axis));
      window.locations.push_back(loc);
    }
  };
  for (auto [item, value] : llvm::zip(node.items, items)) {
    if (isEllipsis(value)) {
      addWhole(rank - numGiven);
      continue;
    }
    if (isNewAxis(value)) {
      window.added.push_back(axis - window.drop.size() + window.added.size());
      continue;
    }
    if (const auto *slice = std::get_if<ast::Slice>(&item))
      isRight &= readSlice(*slice, shaped, axis, window);
    else
      isRight &= readIndex(*value, locate(*std::get<ast::ExprPtr>(item)),
                           shaped, axis, window);
    ++axis;
  }
  addWhole(rank - axis);
  return isRight;
}

/// A position as an index value; a negative constant counts from the end.
Value Subscripts::fromEnd(const Object &position, Value shaped, unsigned axis,
                          Location loc, llvm::StringRef what) {
  Object counted = position;
  if (position.asInteger().value_or(0) < 0)
    counted = emitter.operators.binary(
        loc, ast::BinaryOp::Add, emitter.extents.objectOf(loc, shaped, axis),
        position);
  return emitter.scalars.toIndex(loc, counted, what);
}

/// Where a slice begins or ends: `-3` is, as in Python, three before the end
/// but never before the start.
Value Subscripts::sliceBound(const Object &position, Value shaped,
                             unsigned axis, Location loc,
                             llvm::StringRef what) {
  Value bound = fromEnd(position, shaped, axis, loc, what);
  if (!bound || position.asInteger().value_or(0) >= 0)
    return bound;
  pl::ExtentProver prover(emitter.builder.getInsertionBlock());
  if (prover.isAtMost(pl::Polynomial(), prover.getTerms().of(bound)))
    return bound;
  return emitter.scalars.indexExtreme(loc, /*isMax=*/true, bound,
                                      emitter.scalars.index(0));
}

/// True for a boolean, or a tile or tensor of them: masks in NumPy, not
/// indices.
static bool isMask(const Object &position) {
  Value value = position.asValue();
  return position.is<BoolObject>() ||
         (value && pl::isBool(pl::getElementOrSelf(value.getType())));
}

bool Subscripts::readIndex(const Object &position, Location loc, Value shaped,
                           unsigned axis, Window &window) {
  window.isWhole = false;
  window.locations.push_back(loc);
  window.drop.push_back(axis);
  window.sizes.push_back(emitter.scalars.index(1));
  window.offsets.push_back({});
  if (position.isPoison())
    return false;
  if (isMask(position)) {
    fail(loc, "a boolean is a mask and no index, got " + describe(position) +
                  "; choose elements with pl.where(mask, a, b), or index with "
                  "an integer");
    return false;
  }
  pl::Dim dim = pl::getDims(shaped.getType())[axis];
  std::optional<int64_t> constant = position.asInteger();
  bool isOutside = constant && dim.hasBound() &&
                   (*constant >= dim.getBound() || *constant < -dim.getBound());
  if (isOutside) {
    fail(loc, "index " + llvm::Twine(*constant) + " is out of range for axis " +
                  llvm::Twine(axis) + " of extent " +
                  (dim.isExact() ? "" : "at most ") +
                  llvm::Twine(dim.getBound()));
    return false;
  }
  window.offsets.back() = fromEnd(position, shaped, axis, loc, "an index");
  return window.offsets.back() != nullptr;
}

/// How far `upper` is from `lower`, if it is that plus a number: `p : p + 1`
/// of an integer of 32 bits or more, which does not wrap where there are rows.
static std::optional<int64_t> writtenDistance(const Object &lower,
                                              const Object &upper) {
  Value first = lower.asScalar(), last = upper.asScalar();
  auto sum = last ? last.getDefiningOp<pl::AddOp>() : nullptr;
  llvm::APInt number;
  bool isPlus = sum && first && sum.getLhs() == first &&
                pl::isSigned(first.getType()) &&
                first.getType().getIntOrFloatBitWidth() >= 32 &&
                mlir::matchPattern(sum.getRhs(), mlir::m_ConstantInt(&number));
  return isPlus ? std::optional<int64_t>(number.getSExtValue()) : std::nullopt;
}

/// `stop - start`, a constant if it is one whatever the values are.
static Value difference(Emitter &emitter, Location loc, Value stop,
                        Value start) {
  if (std::optional<int64_t> number = pl::constantDifference(stop, start))
    return emitter.scalars.index(*number);
  return emitter.scalars.indexBinary(loc, ast::BinaryOp::Sub, stop, start);
}

bool Subscripts::readSlice(const ast::Slice &slice, Value shaped, unsigned axis,
                           Window &window) {
  Location loc = locate(slice.loc);
  window.locations.push_back(loc);
  window.offsets.push_back({});
  window.sizes.push_back({});
  if (slice.step) {
    Object step = expressions.evaluate(*slice.step);
    if (!step.isPoison() && step.asInteger() != 1)
      fail(locate(*slice.step),
           "a slice takes no step; take every element, or loop over them");
    if (step.asInteger() != 1)
      return false;
  }
  Object lower =
      slice.lower ? expressions.evaluate(*slice.lower) : Object::none();
  Object upper =
      slice.upper ? expressions.evaluate(*slice.upper) : Object::none();
  if (lower.isPoison() || upper.isPoison())
    return false;
  bool startsAtZero = lower.is<NoneObject>() || lower.asInteger() == 0;
  if (startsAtZero && upper.is<NoneObject>()) {
    window.offsets.back() = emitter.scalars.index(0);
    window.sizes.back() = emitter.extents.of(loc, shaped, axis);
    return true;
  }
  window.isWhole = false;
  Value start = startsAtZero
                    ? emitter.scalars.index(0)
                    : sliceBound(lower, shaped, axis, locate(*slice.lower),
                                 "the start of a slice");
  Value stop = upper.is<NoneObject>()
                   ? emitter.extents.of(loc, shaped, axis)
                   : sliceBound(upper, shaped, axis, locate(*slice.upper),
                                "the end of a slice");
  if (!start || !stop)
    return false;
  window.offsets.back() = start;
  window.sizes.back() =
      startsAtZero ? stop : sliceSize(lower, upper, start, stop, loc);
  return true;
}

/// How many elements lie from `start` to `stop`; none if that is negative.
Value Subscripts::sliceSize(const Object &lower, const Object &upper,
                            Value start, Value stop, Location loc) {
  int64_t first = lower.asInteger().value_or(0);
  int64_t last = upper.asInteger().value_or(0);
  bool endsAtEnd = upper.is<NoneObject>();
  std::optional<int64_t> distance = writtenDistance(lower, upper);
  if (distance && *distance >= 0)
    return emitter.scalars.index(*distance);
  Value size = difference(emitter, loc, stop, start);
  if (first >= 0 || (last >= 0 && !endsAtEnd) ||
      mlir::matchPattern(size, mlir::m_Constant()))
    return size;
  // Both count from the end, so that is the most there can be. The window ends
  // where the axis ends; before that, what is left up to `stop` is less if the
  // start lies before the axis.
  Value most = emitter.scalars.index(std::max<int64_t>(0, last - first));
  return endsAtEnd
             ? most
             : emitter.scalars.indexExtreme(loc, /*isMax=*/false, most, stop);
}
