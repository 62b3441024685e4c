// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and extents of matrix products.

#include "tegula/ir/Matmul.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::pl;

/// The type products of `element` are summed in.
static Type accumulatorType(Type element) {
  if (isNarrowFloat(element))
    return Float32Type::get(element.getContext());
  if (element.getIntOrFloatBitWidth() <= 8)
    return IntegerType::get(element.getContext(), 32);
  return element;
}

/// The batch axes of two operands together: matched from the last one back,
/// those of exactly 1 repeated.
static LogicalResult inferBatches(std::optional<Location> loc,
                                  ArrayRef<Dim> lhs, ArrayRef<Dim> rhs,
                                  Dims &dims) {
  size_t count = std::max(lhs.size(), rhs.size());
  for (size_t axis = 0; axis < count; ++axis) {
    size_t fromEnd = count - axis;
    auto dimOf = [&](ArrayRef<Dim> of) {
      return fromEnd <= of.size() ? of[of.size() - fromEnd] : Dim::exactly(1);
    };
    Dim left = dimOf(lhs), right = dimOf(rhs);
    std::optional<Dim> met = left.isExactly(1)    ? right
                             : right.isExactly(1) ? left
                                                  : left.meet(right);
    if (!met)
      return emitOptionalError(loc, "batches differ on axis ", axis, ": ",
                               left.getBound(), " and ", right.getBound());
    dims.push_back(*met);
  }
  return success();
}

/// Narrows the dims of a product to where its accumulator is valid too.
static LogicalResult meetAccumulator(std::optional<Location> loc, Dims &dims,
                                     TileType acc) {
  if (dims.size() != acc.getRank())
    return emitOptionalError(loc, "the accumulator must have rank ",
                             dims.size(), ", got ", acc.getRank());
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    std::optional<Dim> met = dim.meet(acc.getDims()[axis]);
    if (!met)
      return emitOptionalError(loc, "extents differ on axis ", axis, ": ",
                               dim.getBound(), " and ",
                               acc.getDims()[axis].getBound());
    dim = *met;
  }
  return success();
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
  if (element != rhs.getElementType() || !isNumber(element))
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
  Dims dims;
  if (failed(inferBatches(loc, lhs.getDims().drop_back(2),
                          rhs.getDims().drop_back(2), dims)))
    return failure();
  dims.push_back(left[transposeLhs ? 1 : 0]);
  dims.push_back(right[transposeRhs ? 0 : 1]);
  Type sum = accumulatorType(element);
  if (Value acc = adaptor.getAcc()) {
    if (failed(meetAccumulator(loc, dims, cast<TileType>(acc.getType()))))
      return failure();
    if (getElementOrSelf(acc.getType()) != sum)
      return emitOptionalError(loc, "the accumulator of ", getTypeName(element),
                               " products must hold ", getTypeName(sum),
                               ", got ",
                               getTypeName(getElementOrSelf(acc.getType())));
  }
  types.push_back(TileType::get(context, dims, sum));
  return success();
}

unsigned tegula::pl::getBatchRank(MatmulOp op) {
  return op.getType().getRank() - 2;
}

std::optional<unsigned> tegula::pl::getBatchAxis(MatmulOp op, Value operand,
                                                 unsigned axis) {
  ArrayRef<Dim> dims = getDims(operand.getType());
  unsigned fromEnd = op.getType().getRank() - axis;
  if (fromEnd > dims.size() || dims[dims.size() - fromEnd].isExactly(1))
    return std::nullopt;
  return dims.size() - fromEnd;
}

SmallVector<std::pair<Value, unsigned>, 3>
tegula::pl::getExtentSources(MatmulOp op, unsigned axis) {
  SmallVector<std::pair<Value, unsigned>, 3> sources;
  unsigned lhsRank = op.getLhs().getType().getRank();
  unsigned rhsRank = op.getRhs().getType().getRank();
  unsigned batches = getBatchRank(op);
  if (axis == batches)
    sources.push_back({op.getLhs(), lhsRank - (op.getTransposeLhs() ? 1 : 2)});
  else if (axis > batches)
    sources.push_back({op.getRhs(), rhsRank - (op.getTransposeRhs() ? 2 : 1)});
  else
    for (Value operand : {Value(op.getLhs()), Value(op.getRhs())})
      if (std::optional<unsigned> from = getBatchAxis(op, operand, axis))
        sources.push_back({operand, *from});
  if (op.getAcc())
    sources.push_back({op.getAcc(), axis});
  return sources;
}

Value MatmulOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  Dim dim = getType().getDims()[axis];
  if (dim.isExact())
    return arith::ConstantIndexOp::create(builder, getLoc(), dim.getBound());
  Value least;
  for (auto [operand, from] : getExtentSources(*this, axis)) {
    Value extent = buildExtent(builder, getLoc(), operand, from);
    least = least
                ? builder.createOrFold<arith::MinSIOp>(getLoc(), least, extent)
                : extent;
  }
  return least;
}
