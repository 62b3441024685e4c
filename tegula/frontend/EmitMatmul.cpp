// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.
#include "tegula/frontend/Dtypes.h"
#include "tegula/frontend/Emitter.h"

using namespace tegula;
using namespace mlir;
using pl::getDims;
using pl::getElementOrSelf;

/// The type products of `element` are summed in.
static Type sumType(Type element) {
  Builder builder(element.getContext());
  if (pl::isNarrowFloat(element))
    return builder.getF32Type();
  return element.getIntOrFloatBitWidth() <= 8 ? builder.getI32Type() : element;
}

/// Rank and dtype of the operands, and the extents they share.
bool Emitter::checkFactors(Location loc, Value lhs, unsigned lhsAxis, Value rhs,
                           unsigned rhsAxis) {
  Type left = getElementOrSelf(lhs.getType());
  Type right = getElementOrSelf(rhs.getType());
  if (left != right) {
    fail(loc, "a matrix product takes operands of one dtype, got " +
                  describe(lhs.getType()) + " and " + describe(rhs.getType()) +
                  "; write pl.cast");
    return false;
  }
  if (!pl::isNumber(left)) {
    fail(loc, "a matrix product takes numbers, got " + describe(lhs.getType()) +
                  "; write pl.cast");
    return false;
  }
  pl::Dim columns = getDims(lhs.getType())[lhsAxis];
  pl::Dim rows = getDims(rhs.getType())[rhsAxis];
  bool mayDiffer = (columns.isAny() && !rows.isBounded()) ||
                   (rows.isAny() && !columns.isBounded());
  if ((!mayDiffer && columns.meet(rows)) ||
      isSameExtent(loc, lhs, lhsAxis, rhs, rhsAxis))
    return true;
  std::vector<Note> notes;
  std::string first = describeExtent(loc, lhs, lhsAxis, notes);
  std::string second = describeExtent(loc, rhs, rhsAxis, notes);
  fail(loc,
       "the inner extents of a matrix product must be equal, got " + first +
           " and " + second,
       notes);
  return false;
}

bool Emitter::checkAccumulator(Location loc, Value acc, Value lhs,
                               unsigned rows, Value rhs, unsigned columns) {
  Type element = getElementOrSelf(lhs.getType());
  Type found = getElementOrSelf(acc.getType());
  if (getDims(acc.getType()).size() != 2 || found != sumType(element)) {
    fail(loc, "products of " + dtypeName(element) +
                  " are summed in a tile of rank 2 of " +
                  dtypeName(sumType(element)) + ", got " +
                  describe(acc.getType()));
    return false;
  }
  return checkExtents(loc, acc, 0, lhs, rows) &&
         checkExtents(loc, acc, 1, rhs, columns);
}

Object Emitter::matmul(Location loc, const Object &lhs, const Object &rhs,
                       Value acc, bool transposeLhs, bool transposeRhs) {
  if (lhs.isPoison() || rhs.isPoison())
    return Object::poison();
  for (const Object *operand : {&lhs, &rhs})
    if (!operand->asTensor() && !operand->asTile())
      return fail(loc, "a matrix product takes tensors or tiles, got " +
                           describe(*operand));
  SmallVector<Value> operands = {toTile(loc, lhs), toTile(loc, rhs)};
  for (Value operand : operands) {
    size_t rank = getDims(operand.getType()).size();
    if (rank != 2)
      return fail(loc, "a matrix product takes operands of rank 2, got rank " +
                           llvm::Twine(rank) +
                           "; index the other axes in a loop");
  }
  if (!checkFactors(loc, operands[0], transposeLhs ? 0 : 1, operands[1],
                    transposeRhs ? 1 : 0))
    return Object::poison();
  if (acc && !checkAccumulator(loc, acc, operands[0], transposeLhs ? 1 : 0,
                               operands[1], transposeRhs ? 0 : 1))
    return Object::poison();
  if (acc)
    operands.push_back(acc);
  pl::MatmulOp::Properties properties;
  if (transposeLhs)
    properties.transpose_lhs = builder.getUnitAttr();
  if (transposeRhs)
    properties.transpose_rhs = builder.getUnitAttr();
  Value result = create<pl::MatmulOp>(loc, "matmul", operands, properties);
  return result ? Object(result) : Object::poison();
}
