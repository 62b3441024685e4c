// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlMatmulOps.h"

#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/TouchRecord.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlMatmulOps.cpp.inc"

LogicalResult MatmulIntoOp::verify() {
  ArrayRef<Dim> lhs = getDims(getLhs().getType());
  ArrayRef<Dim> rhs = getDims(getRhs().getType());
  ArrayRef<Dim> target = getDims(getTarget().getType());
  if (lhs.size() != 2 || rhs.size() != 2 || target.size() != 2)
    return emitOpError("all tensors must have rank 2, got ")
           << lhs.size() << ", " << rhs.size() << " and " << target.size();
  unsigned lhsInner = getTransposeLhs() ? 0 : 1;
  unsigned rhsInner = getTransposeRhs() ? 1 : 0;
  auto agree = [&](Dim first, Dim second, StringRef what) -> LogicalResult {
    if (first.meet(second))
      return success();
    return emitOpError(what)
           << " differ: " << first.getBound() << " and " << second.getBound();
  };
  if (failed(agree(lhs[lhsInner], rhs[rhsInner], "inner extents")) ||
      failed(agree(lhs[1 - lhsInner], target[0], "rows")))
    return failure();
  return agree(rhs[1 - rhsInner], target[1], "columns");
}

namespace {

/// A matrix as it is multiplied: rows along the first axis.
class Matrix {
public:
  Matrix(const TensorView &view, bool isTransposed)
      : view(view), rowAxis(isTransposed ? 1 : 0) {}

  int64_t getExtent(unsigned axis) const {
    return view.getSizes()[axis == 0 ? rowAxis : 1 - rowAxis];
  }
  char *at(int64_t row, int64_t column) const {
    int64_t element =
        row * view.strides[rowAxis] + column * view.strides[1 - rowAxis];
    return view.getFirstElement() +
           element * static_cast<int64_t>(getSize(view.dtype));
  }
  Scalar read(int64_t row, int64_t column) const {
    return Scalar::read(view.dtype, at(row, column));
  }

private:
  const TensorView &view;
  unsigned rowAxis;
};

} // namespace

/// Integers may be widened to the floats they are multiplied as.
static double toReal(Scalar number) {
  return number.isReal() ? number.getReal()
                         : static_cast<double>(number.getInteger());
}

/// One element of the result: floats are summed in double and rounded once,
/// integers wrap.
static Scalar multiply(const Matrix &lhs, const Matrix &rhs, DType dtype,
                       int64_t row, int64_t column) {
  double real = 0;
  uint64_t integer = 0;
  for (int64_t k = 0; k < lhs.getExtent(1); ++k) {
    Scalar left = lhs.read(row, k), right = rhs.read(k, column);
    if (isFloat(dtype))
      real += toReal(left) * toReal(right);
    else
      integer += static_cast<uint64_t>(left.getSlot().integer) *
                 static_cast<uint64_t>(right.getSlot().integer);
  }
  return isFloat(dtype)
             ? Scalar::ofReal(dtype, real)
             : Scalar::ofInteger(dtype, static_cast<int64_t>(integer));
}

LogicalResult MatmulIntoOp::interpret(Frame &frame) {
  const TensorView &target = frame.getTensor(getTarget());
  if (failed(frame.touch(*this, Touch::Read, frame.getTensor(getLhs()))) ||
      failed(frame.touch(*this, Touch::Read, frame.getTensor(getRhs()))) ||
      failed(frame.touch(*this, Touch::Write, target)))
    return failure();
  Matrix lhs(frame.getTensor(getLhs()), getTransposeLhs());
  Matrix rhs(frame.getTensor(getRhs()), getTransposeRhs());
  Matrix result(target, /*isTransposed=*/false);
  for (int64_t row = 0; row < result.getExtent(0); ++row)
    for (int64_t column = 0; column < result.getExtent(1); ++column)
      multiply(lhs, rhs, target.dtype, row, column)
          .write(result.at(row, column));
  return success();
}
