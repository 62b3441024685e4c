// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.pick and pl.put, on data.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/TouchRecord.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

/// A move of elements between `direct` and where indices point in `pointed`.
struct Move {
  Operation *op;
  const TensorView &direct, &index, &pointed;
  ArrayRef<Dim> directDims, indexDims;
  int64_t axis;

  SmallVector<int64_t, 4> getExtents() const;
  LogicalResult
  forEach(function_ref<void(char *direct, char *pointed)> visit) const;
};

} // namespace

/// What is there once stands for all indices of the other. Of a target all is
/// there.
SmallVector<int64_t, 4> Move::getExtents() const {
  SmallVector<int64_t, 4> extents;
  for (unsigned at = 0; at < direct.rank; ++at) {
    bool isOnce = !directDims.empty() && directDims[at].isExactly(1);
    bool isIndexOnce = indexDims[at].isExactly(1);
    int64_t least = std::min(direct.sizes[at], index.sizes[at]);
    if (isOnce || isIndexOnce)
      least = isOnce ? index.sizes[at] : direct.sizes[at];
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
Move::forEach(function_ref<void(char *direct, char *pointed)> visit) const {
  SmallVector<int64_t, 4> outer = getExtents();
  outer.push_back(1); // so that each index is visited on its own
  LogicalResult result = success();
  forEachRow(outer, [&](ArrayRef<int64_t> visited, int64_t) {
    if (failed(result))
      return;
    SmallVector<int64_t, 4> coordinates(visited.drop_back());
    char *from = addressOf(direct, coordinates, directDims);
    Scalar number =
        Scalar::read(index.dtype, addressOf(index, coordinates, indexDims));
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
            /*directDims=*/{},
            getIndex().getType().getDims(),
            static_cast<int64_t>(getAxis())};
  return move.forEach([&](char *direct, char *pointed) {
    Scalar::read(source.dtype, pointed).write(direct);
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
  return move.forEach([&](char *direct, char *pointed) {
    Scalar number = Scalar::read(source.dtype, direct);
    if (getAdd()) {
      Scalar old = Scalar::read(target.dtype, pointed);
      number =
          number.isReal()
              ? Scalar::ofReal(target.dtype, old.getReal() + number.getReal())
              : Scalar::ofInteger(
                    target.dtype,
                    static_cast<int64_t>(old.getBits() + number.getBits()));
    }
    number.write(pointed);
  });
}
