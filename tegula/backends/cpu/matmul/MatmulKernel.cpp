// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/MatmulKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula;

namespace {

/// One matmul. Columns go in blocks of several vectors, the rest one vector
/// at a time under a mask; rows in blocks, the rest in smaller ones.
class MatmulNest {
public:
  MatmulNest(OpBuilder &builder, Location loc, const MatmulOperands &operands,
             const CpuOptions &options)
      : builder(builder), loc(loc), math(builder, loc), options(options),
        lanes(options.vectorBits /
              operands.sum.element.getIntOrFloatBitWidth()),
        vector(VectorType::get(lanes, operands.sum.element)),
        lhs(operands.lhs.asMemRef(builder, loc)),
        rhs(operands.rhs.asMemRef(builder, loc)),
        sum(operands.sum.asMemRef(builder, loc)), rows(operands.rows),
        columns(operands.columns), inner(operands.inner) {}

  void emit() {
    int64_t block = options.matmul.vectors * lanes;
    OpFoldResult whole = roundDown(columns, block);
    loop(math.constant(0), whole, block, [&](Value column) {
      emitRows(column, options.matmul.vectors, Value());
    });
    loop(whole, columns, lanes, [&](Value column) {
      Value left = math.value(math.sub(columns, column));
      Value mask = vector::CreateMaskOp::create(
          builder, loc, VectorType::get(lanes, builder.getI1Type()), left);
      emitRows(column, 1, mask);
    });
  }

private:
  void loop(OpFoldResult from, OpFoldResult to, int64_t step,
            function_ref<void(Value)> body) {
    if (from == to)
      return;
    auto nest =
        scf::ForOp::create(builder, loc, math.value(from), math.value(to),
                           math.value(math.constant(step)));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(nest.getBody());
    body(nest.getInductionVar());
  }

  OpFoldResult roundDown(OpFoldResult number, int64_t multiple) {
    if (std::optional<int64_t> known = IndexMath::number(number))
      return math.constant(*known / multiple * multiple);
    Value value = math.value(number);
    Value rest = arith::RemSIOp::create(builder, loc, value,
                                        math.value(math.constant(multiple)));
    return math.sub(value, rest);
  }

  void emitRows(Value column, unsigned numVectors, Value mask) {
    OpFoldResult done = math.constant(0);
    for (int64_t block = options.matmul.rows; block > 0; block /= 2) {
      OpFoldResult whole =
          math.add(done, roundDown(math.sub(rows, done), block));
      loop(done, whole, block, [&](Value row) {
        emitRegisterTile(row, column, block, numVectors, mask);
      });
      done = whole;
    }
  }

  Value at(Value start, int64_t offset) {
    return math.value(math.add(start, math.constant(offset)));
  }

  Value load(Value memory, Value row, Value column, Value mask) {
    Value indices[] = {row, column};
    if (!mask)
      return vector::LoadOp::create(builder, loc, vector, memory, indices);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
    return vector::MaskedLoadOp::create(builder, loc, vector, memory, indices,
                                        mask, zero);
  }

  void store(Value value, Value row, Value column, Value mask) {
    Value indices[] = {row, column};
    if (mask)
      vector::MaskedStoreOp::create(builder, loc, sum, indices, mask, value);
    else
      vector::StoreOp::create(builder, loc, value, sum, indices);
  }

  Value multiplyAdd(Value a, Value b, Value c) {
    if (isa<FloatType>(vector.getElementType()))
      return vector::FMAOp::create(builder, loc, a, b, c);
    Value scaled = arith::MulIOp::create(builder, loc, a, b);
    return arith::AddIOp::create(builder, loc, scaled, c);
  }

  void emitRegisterTile(Value row, Value column, int64_t numRows,
                        int64_t numVectors, Value mask) {
    SmallVector<Value> sums;
    for (int64_t i = 0; i < numRows; ++i)
      for (int64_t j = 0; j < numVectors; ++j)
        sums.push_back(load(sum, at(row, i), at(column, j * lanes), mask));
    auto steps = scf::ForOp::create(builder, loc, math.value(math.constant(0)),
                                    math.value(inner),
                                    math.value(math.constant(1)), sums);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(steps.getBody());
      Value k = steps.getInductionVar();
      SmallVector<Value> next(steps.getRegionIterArgs());
      SmallVector<Value> panel;
      for (int64_t j = 0; j < numVectors; ++j)
        panel.push_back(load(rhs, k, at(column, j * lanes), mask));
      for (int64_t i = 0; i < numRows; ++i) {
        Value factor = memref::LoadOp::create(builder, loc, lhs,
                                              ValueRange{at(row, i), k});
        Value broadcast =
            vector::BroadcastOp::create(builder, loc, vector, factor);
        for (int64_t j = 0; j < numVectors; ++j) {
          Value &partial = next[i * numVectors + j];
          partial = multiplyAdd(broadcast, panel[j], partial);
        }
      }
      scf::YieldOp::create(builder, loc, next);
    }
    for (int64_t i = 0; i < numRows; ++i)
      for (int64_t j = 0; j < numVectors; ++j)
        store(steps.getResult(i * numVectors + j), at(row, i),
              at(column, j * lanes), mask);
  }

  OpBuilder &builder;
  Location loc;
  IndexMath math;
  const CpuOptions &options;
  int64_t lanes;
  VectorType vector;
  Value lhs, rhs, sum;
  OpFoldResult rows, columns, inner;
};

} // namespace

void tegula::emitMatmul(OpBuilder &builder, Location loc,
                        const MatmulOperands &operands,
                        const CpuOptions &options) {
  MatmulNest(builder, loc, operands, options).emit();
}
