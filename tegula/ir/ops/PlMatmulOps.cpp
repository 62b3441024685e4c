// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlMatmulOps.h"

#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/interpreter/TouchRecord.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlMatmulOps.cpp.inc"

/// One axis is that of the columns, two are those of the target; those of
/// exactly 1 are repeated.
static LogicalResult verifyEpilogueOperand(MatmulIntoOp op, Value operand) {
  ArrayRef<Dim> dims = getDims(operand.getType());
  ArrayRef<Dim> target = getDims(op.getTarget().getType());
  if (dims.empty() || dims.size() > target.size())
    return op.emitOpError("an epilogue operand must have rank 1 or 2, got ")
           << dims.size();
  for (auto [own, other] : llvm::zip_equal(dims, target.take_back(dims.size())))
    if (!own.isExactly(1) && !own.meet(other))
      return op.emitOpError("an epilogue operand has extent ")
             << own.getBound() << " where the target has " << other.getBound();
  return success();
}

/// True for ops that an epilogue may have.
static bool isScalarOp(Operation *op) {
  bool isKnown = isa<ElementwiseOpInterface, arith::ConstantOp>(op);
  return isKnown &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TileType>);
}

LogicalResult MatmulIntoOp::verify() {
  ArrayRef<Dim> lhs = getDims(getLhs().getType());
  ArrayRef<Dim> rhs = getDims(getRhs().getType());
  ArrayRef<Dim> target = getDims(getTarget().getType());
  unsigned lhsInner = getLhsInner(), rhsInner = getRhsInner();
  if (lhs.size() != 2 || rhs.size() != 2 || target.size() != 2)
    return emitOpError("all tensors must have rank 2, got ")
           << lhs.size() << ", " << rhs.size() << " and " << target.size();
  auto agree = [&](Dim first, Dim second, StringRef what) -> LogicalResult {
    if (first.meet(second))
      return success();
    return emitOpError(what)
           << " differ: " << first.getBound() << " and " << second.getBound();
  };
  if (failed(agree(lhs[lhsInner], rhs[rhsInner], "inner extents")) ||
      failed(agree(lhs[1 - lhsInner], target[0], "rows")))
    return failure();
  if (failed(agree(rhs[1 - rhsInner], target[1], "columns")))
    return failure();
  for (Value operand : getEpilogueOperands())
    if (failed(verifyEpilogueOperand(*this, operand)))
      return failure();
  for (Value tensor : getOperands())
    if (Type element = getElementOrSelf(tensor.getType());
        isHalfByte(*getDType(element)))
      return emitOpError("multiplies elements of whole bytes, got ")
             << getTypeName(element);
  return success();
}

LogicalResult MatmulIntoOp::verifyRegions() {
  if (!hasEpilogue())
    return getEpilogueOperands().empty()
               ? success()
               : emitOpError("has epilogue operands and no epilogue");
  Block &block = getEpilogue().front();
  if (unsigned wanted = getEpilogueOperands().size() + 1;
      block.getNumArguments() != wanted)
    return emitOpError("the epilogue must have ")
           << wanted << " arguments, got " << block.getNumArguments();
  if (Type type = getAccumulatorType(); !isNumeric(type))
    return emitOpError("the accumulator must be a number, got ") << type;
  for (auto [operand, argument] : llvm::zip_equal(
           getEpilogueOperands(), block.getArguments().drop_front()))
    if (Type element = getElementOrSelf(operand.getType());
        argument.getType() != element)
      return emitOpError("an argument of the epilogue must be ")
             << getTypeName(element) << " as its operand, got "
             << argument.getType();
  for (Operation &op : block.without_terminator())
    if (!isScalarOp(&op))
      return op.emitOpError("is not an elementwise op on scalars, as those of "
                            "an epilogue are");
  auto yield = dyn_cast<EpilogueYieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("the epilogue must end with pl.epilogue_yield");
  Type stored = getElementOrSelf(getTarget().getType());
  if (Type element = yield.getElement().getType(); element != stored)
    return emitOpError("the epilogue must yield ")
           << getTypeName(stored) << " for the target, got "
           << getTypeName(element);
  return success();
}

Type MatmulIntoOp::getAccumulatorType() {
  return hasEpilogue() ? getEpilogue().front().getArgument(0).getType()
                       : getElementOrSelf(getTarget().getType());
}

void MatmulIntoOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                         Value rhs, Value target, bool transposeLhs,
                         bool transposeRhs, PrecisionAttr precision) {
  build(builder, state, lhs, rhs, target, ValueRange(), transposeLhs,
        transposeRhs, precision);
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

/// The element of an epilogue operand for one of the result.
static Scalar readOperand(const TensorView &view, int64_t row, int64_t column) {
  int64_t indices[] = {row, column};
  unsigned rank = view.getSizes().size();
  int64_t element = 0;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (view.getSizes()[axis] != 1)
      element += indices[2 - rank + axis] * view.strides[axis];
  return Scalar::read(view.dtype,
                      view.getFirstElement() +
                          element * static_cast<int64_t>(getSize(view.dtype)));
}

/// What is stored for an accumulator.
static FailureOr<Scalar> finish(MatmulIntoOp op, Frame &frame, Scalar sum,
                                int64_t row, int64_t column) {
  if (!op.hasEpilogue())
    return sum;
  SmallVector<RuntimeValue> arguments = {sum};
  for (Value operand : op.getEpilogueOperands())
    arguments.push_back(readOperand(frame.getTensor(operand), row, column));
  FailureOr<RuntimeValues> yielded = frame.run(op.getEpilogue(), arguments);
  if (failed(yielded))
    return failure();
  return std::get<Scalar>(yielded->front());
}

LogicalResult MatmulIntoOp::interpret(Frame &frame) {
  const TensorView target = frame.getTensor(getTarget());
  if (failed(frame.touch(*this, Touch::Read, frame.getTensor(getLhs()))) ||
      failed(frame.touch(*this, Touch::Read, frame.getTensor(getRhs()))) ||
      failed(frame.touch(*this, Touch::Write, target)))
    return failure();
  for (Value operand : getEpilogueOperands())
    if (failed(frame.touch(*this, Touch::Read, frame.getTensor(operand))))
      return failure();
  std::optional<DType> dtype = getDType(getAccumulatorType());
  // The frame moves what it holds when an epilogue gives it more.
  const TensorView left = frame.getTensor(getLhs());
  const TensorView right = frame.getTensor(getRhs());
  Matrix lhs(left, getTransposeLhs()), rhs(right, getTransposeRhs());
  Matrix result(target, /*isTransposed=*/false);
  for (int64_t row = 0; row < result.getExtent(0); ++row)
    for (int64_t column = 0; column < result.getExtent(1); ++column) {
      FailureOr<Scalar> element = finish(
          *this, frame, multiply(lhs, rhs, *dtype, row, column), row, column);
      if (failed(element))
        return failure();
      element->write(result.at(row, column));
    }
  return success();
}
