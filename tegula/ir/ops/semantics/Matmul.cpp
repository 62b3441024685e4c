// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and extents of matmuls.

#include "tegula/ir/ops/semantics/Matmul.h"

#include "tegula/ir/extents/ExtentRules.h"

using namespace mlir;
using namespace tegula::pl;

/// The accumulator type of a matmul of `element`.
static Type accumulatorType(Type element) {
  if (isNarrowFloat(element))
    return Float32Type::get(element.getContext());
  if (element.getIntOrFloatBitWidth() <= 8)
    return IntegerType::get(element.getContext(), 32);
  return element;
}

LogicalResult
MatmulOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  MatmulOpAdaptor adaptor(operands, attributes, properties, regions);
  auto lhs = cast<TileType>(adaptor.getLhs().getType());
  auto rhs = cast<TileType>(adaptor.getRhs().getType());
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return emitOptionalError(loc, "operands must have rank 2 or more, got ",
                             lhs.getRank(), " and ", rhs.getRank());
  Type element = lhs.getElementType();
  if (element != rhs.getElementType() || !isNumeric(element))
    return emitOptionalError(loc, "cannot multiply elements of type ",
                             getTypeName(element), " and ",
                             getTypeName(rhs.getElementType()));
  // The parser infers before it moves attributes into properties.
  auto isSet = [&](bool property, StringAttr name) {
    return property || (attributes && attributes.contains(name));
  };
  OperationName op(getOperationName(), context);
  bool transposeLhs =
      isSet(adaptor.getTransposeLhs(), getTransposeLhsAttrName(op));
  bool transposeRhs =
      isSet(adaptor.getTransposeRhs(), getTransposeRhsAttrName(op));
  ArrayRef<Dim> left = lhs.getDims().take_back(2);
  ArrayRef<Dim> right = rhs.getDims().take_back(2);
  Dim columns = left[transposeLhs ? 0 : 1], rows = right[transposeRhs ? 1 : 0];
  if (!columns.meet(rows))
    return emitOptionalError(loc, "inner extents differ: lhs has ",
                             columns.getBound(), " columns, rhs has ",
                             rows.getBound(), " rows");
  unsigned rank = std::max(lhs.getRank(), rhs.getRank());
  Type sum = accumulatorType(element);
  if (Value acc = adaptor.getAcc()) {
    if (size_t found = getDims(acc.getType()).size(); found != rank)
      return emitOptionalError(loc, "the accumulator must have rank ", rank,
                               ", got ", found);
    if (getElementOrSelf(acc.getType()) != sum)
      return emitOptionalError(loc, "the accumulator of a matmul of ",
                               getTypeName(element), " must hold ",
                               getTypeName(sum), ", got ",
                               getTypeName(getElementOrSelf(acc.getType())));
  }
  Dims dims;
  MatmulOperands matmul{adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc(),
                        transposeLhs, transposeRhs};
  if (failed(inferDims(loc, matmul, rank, dims)))
    return failure();
  types.push_back(TileType::get(context, dims, sum));
  return success();
}

LogicalResult MatmulOp::verify() {
  Type element = getLhs().getType().getElementType();
  std::optional<Precision> precision = getPrecision();
  if (precision && !isFor(*precision, element))
    return emitOpError("with precision ")
           << stringifyPrecision(*precision) << " takes operands of "
           << getOperandTypeName(*precision) << ", got "
           << getTypeName(element);
  return success();
}

namespace {

/// The operands that may have a precision, and what they are called.
struct PrecisionOperands {
  bool (*areThey)(Type element);
  StringRef name;
};

} // namespace

/// In the order of the enum.
static constexpr PrecisionOperands operandsOfPrecisions[] = {
    {[](Type element) { return isa<Float32Type>(element); }, "FP32"},
    {[](Type element) {
       return isa<Float8E4M3FNType, Float8E5M2Type>(element);
     },
     "FP8"}};
static_assert(std::size(operandsOfPrecisions) ==
              getMaxEnumValForPrecision() + 1);

static const PrecisionOperands &operandsOf(Precision precision) {
  return operandsOfPrecisions[static_cast<unsigned>(precision)];
}

bool tegula::pl::isFor(Precision precision, Type element) {
  return operandsOf(precision).areThey(element);
}

StringRef tegula::pl::getOperandTypeName(Precision precision) {
  return operandsOf(precision).name;
}

unsigned tegula::pl::getBatchRank(MatmulOp op) {
  return op.getType().getRank() - 2;
}

std::optional<unsigned> tegula::pl::getBatchAxis(MatmulOp op, Value operand,
                                                 unsigned axis) {
  return getBatchAxis(operand, op.getType().getRank() - axis);
}

std::optional<unsigned> tegula::pl::getBatchAxis(Value operand,
                                                 unsigned fromEnd) {
  ArrayRef<Dim> dims = getDims(operand.getType());
  if (fromEnd > dims.size() || dims[dims.size() - fromEnd].isExactly(1))
    return std::nullopt;
  return dims.size() - fromEnd;
}
