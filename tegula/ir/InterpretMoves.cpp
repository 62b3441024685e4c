// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.pick and pl.put, on data.

#include "tegula/ir/Frame.h"
#include "tegula/ir/IndexLocations.h"
#include "tegula/ir/PlSortOps.h"
#include "tegula/ir/TileWalk.h"
#include "tegula/ir/TouchRecord.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

/// A move of elements between `walked` and where indices point in `pointed`.
struct Move {
  Operation *op;
  const TensorView &walked, &index, &pointed;
  ArrayRef<Dim> walkedDims, indexDims;
  int64_t axis;

  SmallVector<int64_t, 4> getExtents() const;
  LogicalResult
  forEach(function_ref<void(char *walked, char *pointed)> visit) const;
};

} // namespace

/// What is there once stands for all places of the other. Of a target all is
/// there.
SmallVector<int64_t, 4> Move::getExtents() const {
  SmallVector<int64_t, 4> extents;
  for (unsigned at = 0; at < walked.rank; ++at) {
    bool isOnce = !walkedDims.empty() && walkedDims[at].isExactly(1);
    bool isIndexOnce = indexDims[at].isExactly(1);
    int64_t least = std::min(walked.sizes[at], index.sizes[at]);
    if (isOnce || isIndexOnce)
      least = isOnce ? index.sizes[at] : walked.sizes[at];
    extents.push_back(at == axis ? least : std::min(least, pointed.sizes[at]));
  }
  return extents;
}

static char *addressOf(const TensorView &view, ArrayRef<int64_t> coordinates,
                       ArrayRef<Dim> dims) {
  int64_t offset = 0;
  for (unsigned axis = 0; axis < view.rank; ++axis)
    if (dims.empty() || !dims[axis].isExactly(1))
      offset += coordinates[axis] * view.strides[axis];
  return view.getFirstElement() +
         offset * static_cast<int64_t>(getSize(view.dtype));
}

LogicalResult
Move::forEach(function_ref<void(char *walked, char *pointed)> visit) const {
  SmallVector<int64_t, 4> outer = getExtents();
  outer.push_back(1); // so that each index is visited on its own
  LogicalResult result = success();
  forEachRow(outer, [&](ArrayRef<int64_t> visited, int64_t) {
    if (failed(result))
      return;
    SmallVector<int64_t, 4> coordinates(visited.drop_back());
    char *from = addressOf(walked, coordinates, walkedDims);
    Number number =
        Number::read(index.dtype, addressOf(index, coordinates, indexDims));
    int64_t &position = coordinates[axis];
    position = number.isUnsignedInteger()
                   ? static_cast<int64_t>(number.getUnsigned())
                   : number.getSigned();
    if (position >= 0 && position < pointed.sizes[axis])
      return visit(from, addressOf(pointed, coordinates, {}));
    result = mlir::emitError(locationOfIndex(op->getLoc(), axis), "index ")
             << position << " on axis " << axis
             << " is out of range for extent " << pointed.sizes[axis];
  });
  return result;
}

LogicalResult PickOp::interpret(Frame &frame) {
  const TensorView &source = frame.getTensor(getSource());
  const TensorView &index = frame.getTensor(getIndex());
  const TensorView &target = frame.getTensor(getTarget());
  if (failed(frame.touch(*this, Touch::Read, source)) ||
      failed(frame.touch(*this, Touch::Read, index)) ||
      failed(frame.touch(*this, Touch::Write, target)))
    return failure();
  Move move{*this,
            target,
            index,
            source,
            /*walkedDims=*/{},
            getIndex().getType().getDims(),
            static_cast<int64_t>(getAxis())};
  return move.forEach([&](char *walked, char *pointed) {
    Number::read(source.dtype, pointed).write(walked);
  });
}

LogicalResult PutOp::interpret(Frame &frame) {
  const TensorView &source = frame.getTensor(getSource());
  const TensorView &index = frame.getTensor(getIndex());
  const TensorView &target = frame.getTensor(getTarget());
  if (failed(frame.touch(*this, Touch::Read, source)) ||
      failed(frame.touch(*this, Touch::Read, index)) ||
      failed(frame.touch(*this, getAdd() ? Touch::Add : Touch::Write, target)))
    return failure();
  Move move{*this,
            source,
            index,
            target,
            getSource().getType().getDims(),
            getIndex().getType().getDims(),
            static_cast<int64_t>(getAxis())};
  return move.forEach([&](char *walked, char *pointed) {
    Number number = Number::read(source.dtype, walked);
    if (getAdd()) {
      Number old = Number::read(target.dtype, pointed);
      number =
          number.isReal()
              ? Number::ofReal(target.dtype, old.getReal() + number.getReal())
              : Number::ofInteger(
                    target.dtype,
                    static_cast<int64_t>(old.getBits() + number.getBits()));
    }
    number.write(pointed);
  });
}
