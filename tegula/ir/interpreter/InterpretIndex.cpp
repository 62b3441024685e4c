// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters, on data.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

using Extents = SmallVector<int64_t, 4>;

/// Calls `visit` with every index below the extents, in row-major order, until
/// it fails.
static LogicalResult
forEachElement(ArrayRef<int64_t> extents,
               function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  LogicalResult result = success();
  forEachRow(extents, [&](ArrayRef<int64_t> start, int64_t length) {
    Extents coordinates(start);
    for (int64_t column = 0; column < length && succeeded(result); ++column) {
      if (!coordinates.empty())
        coordinates.back() = start.back() + column;
      result = visit(coordinates);
    }
  });
  return result;
}

/// Where in `shaped` `index` points for the element at `coordinates`. Fails
/// if there is none.
static FailureOr<Extents> resolve(Operation *op, int64_t index,
                                  ArrayRef<int64_t> coordinates,
                                  std::optional<int64_t> axis,
                                  ArrayRef<Dim> dims,
                                  ArrayRef<int64_t> extents) {
  Extents found(coordinates);
  if (axis) {
    found[*axis] = index;
  } else {
    found.assign(extents.size(), 0);
    for (size_t at = extents.size(); at-- > 1;) {
      int64_t pitch = std::max<int64_t>(
          1, dims[at].hasBound() ? dims[at].getBound() : extents[at]);
      found[at] = index % pitch;
      index /= pitch;
      if (found[at] < 0) {
        found[at] += pitch;
        --index;
      }
    }
    if (!found.empty())
      found.front() = index;
  }
  for (auto [at, position] : llvm::enumerate(found))
    if (position < 0 || position >= extents[at])
      return mlir::emitError(locationOfIndex(op->getLoc(), at), "index ")
             << position << " on axis " << at << " is out of range for extent "
             << extents[at];
  return found;
}

LogicalResult GatherOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  const Tile &index = frame.getTile(getIndex());
  Extents extents(index.extents);
  if (getAxis())
    for (unsigned axis = 0; axis < extents.size(); ++axis)
      if (axis != *getAxis())
        extents[axis] = std::min(extents[axis], source.extents[axis]);
  FailureOr<Tile> result = frame.makeTile(*this, source.dtype, extents);
  if (failed(result))
    return failure();
  auto pick = [&](ArrayRef<int64_t> coordinates) -> LogicalResult {
    FailureOr<Extents> from =
        resolve(*this, index.elements[flatIndex(index, coordinates)].integer,
                coordinates, getAxis(), getSource().getType().getDims(),
                source.extents);
    if (failed(from))
      return failure();
    result->elements[flatIndex(*result, coordinates)] =
        source.elements[flatIndex(source, *from)];
    return success();
  };
  if (failed(forEachElement(extents, pick)))
    return failure();
  return frame.set(getResult(), std::move(*result));
}

/// Calls `put` with each element of `source` and the index `index` gives it.
static LogicalResult
scatterTo(Operation *op, const Tile &source, const Tile &index,
          std::optional<int64_t> axis, ArrayRef<Dim> dims,
          ArrayRef<int64_t> targetExtents,
          function_ref<LogicalResult(Slot, ArrayRef<int64_t>)> put) {
  Extents extents;
  for (unsigned at = 0; at < source.extents.size(); ++at) {
    extents.push_back(std::min(source.extents[at], index.extents[at]));
    if (axis && *axis != at)
      extents.back() = std::min(extents.back(), targetExtents[at]);
  }
  return forEachElement(
      extents, [&](ArrayRef<int64_t> coordinates) -> LogicalResult {
        FailureOr<Extents> to =
            resolve(op, index.elements[flatIndex(index, coordinates)].integer,
                    coordinates, axis, dims, targetExtents);
        if (failed(to))
          return failure();
        return put(source.elements[flatIndex(source, coordinates)], *to);
      });
}

LogicalResult ScatterOp::interpret(Frame &frame) {
  Tile result = frame.getTile(getTarget());
  LogicalResult done =
      scatterTo(*this, frame.getTile(getSource()), frame.getTile(getIndex()),
                getAxis(), getTarget().getType().getDims(), result.extents,
                [&](Slot element, ArrayRef<int64_t> coordinates) {
                  result.elements[flatIndex(result, coordinates)] = element;
                  return success();
                });
  return failed(done) ? failure() : frame.set(getResult(), std::move(result));
}

LogicalResult ScatterStoreOp::interpret(Frame &frame) {
  const TensorView &target = frame.getTensor(getTarget());
  const Tile &source = frame.getTile(getSource());
  Touch touch = getAdd() ? Touch::Add : Touch::Write;
  auto put = [&](Slot element, ArrayRef<int64_t> coordinates) -> LogicalResult {
    int64_t offset = 0;
    for (auto [at, position] : llvm::enumerate(coordinates))
      offset += position * target.strides[at];
    char *address = target.getFirstElement() +
                    offset * static_cast<int64_t>(getSize(target.dtype));
    if (failed(
            frame.touch(*this, touch, TensorView(address, target.dtype, {}))))
      return failure();
    Scalar number(source.dtype, element);
    if (getAdd()) {
      Scalar old = Scalar::read(target.dtype, address);
      if (number.isReal())
        number = Scalar::ofReal(target.dtype, old.getReal() + number.getReal());
      else
        number = Scalar::ofInteger(
            target.dtype,
            static_cast<int64_t>(old.getBits() + number.getBits()));
    }
    number.write(address);
    return success();
  };
  return scatterTo(*this, source, frame.getTile(getIndex()), getAxis(),
                   getTarget().getType().getDims(), target.getSizes(), put);
}

LogicalResult FindOp::interpret(Frame &frame) {
  const Tile &mask = frame.getTile(getMask());
  Extents extents(mask.extents);
  int64_t columns = getColumns();
  extents.back() = columns;
  FailureOr<Tile> result = frame.makeTile(*this, DType::Int32, extents);
  if (failed(result))
    return failure();
  for (Slot &slot : result->elements)
    slot.integer = 0;
  int64_t row = -1, found = 0;
  forEachRow(mask.extents, [&](ArrayRef<int64_t>, int64_t length) {
    ++row;
    found = 0;
    for (int64_t column = 0; column < length; ++column)
      if (mask.elements[row * length + column].integer && found < columns)
        result->elements[row * columns + found++].integer = column;
  });
  return frame.set(getResult(), std::move(*result));
}

LogicalResult BitcastOp::interpret(Frame &frame) {
  return detail::interpretElementwise(*this, frame);
}
