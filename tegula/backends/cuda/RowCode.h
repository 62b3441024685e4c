// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Emits the steps of a RowKernel for the elements that one thread has of a
/// row.

#ifndef TEGULA_BACKENDS_CUDA_ROWCODE_H
#define TEGULA_BACKENDS_CUDA_ROWCODE_H

#include "tegula/backends/cuda/RowKernel.h"
#include "tegula/backends/cuda/ThreadCode.h"

#include "mlir/IR/IRMapping.h"

namespace tegula {

/// What derives from it makes a function, says where its elements are, and then
/// emits the steps.
class RowCode {
public:
  /// A thread has so many elements, `side` of them side by side in memory.
  RowCode(mlir::ModuleOp module, mlir::func::FuncOp kernel,
          const RowKernel &program, int64_t numElements, int64_t side)
      : kernel(kernel), program(program), builder(module.getContext()),
        loc(kernel.getLoc()), code(builder, loc, values),
        numElements(numElements), side(side) {
    values.module = module;
  }
  virtual ~RowCode() = default;

protected:
  using Value = mlir::Value;
  using Type = mlir::Type;

  /// What is in a slot of the call.
  virtual Value slotAt(unsigned slot, Type type) = 0;
  /// The sum of a row, or the like.
  virtual Value emitSum(pl::ReduceOp op) = 0;
  /// The elements of a product.
  virtual llvm::SmallVector<Value> emitProduct() = 0;

  /// Reads the slots, and with them `rows` and `columns`.
  void readSlots();
  void emitSteps();

  // Arithmetic on indices, and on numbers of 32 bits.

  Value add(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::AddIOp>(loc, lhs, rhs);
  }
  Value sub(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::SubIOp>(loc, lhs, rhs);
  }
  Value mul(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::MulIOp>(loc, lhs, rhs);
  }
  Value div(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::DivUIOp>(loc, lhs, rhs);
  }
  Value rem(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::RemUIOp>(loc, lhs, rhs);
  }
  Value min(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::MinSIOp>(loc, lhs, rhs);
  }
  Value below(Value lhs, Value rhs) { return code.isBelow(lhs, rhs); }
  Value both(Value lhs, Value rhs) {
    return builder.createOrFold<mlir::arith::AndIOp>(loc, lhs, rhs);
  }
  Value constant(int64_t number) {
    return mlir::arith::ConstantIntOp::create(builder, loc, number, 32);
  }
  Value toIndex(Value number) {
    return mlir::arith::IndexCastOp::create(builder, loc,
                                            builder.getIndexType(), number);
  }
  Value toWord32(Value index) {
    return mlir::arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                            index);
  }
  /// Emits `body` for where the condition holds, and what to do elsewhere;
  /// `body` alone, if the condition is null.
  void emitIf(Value condition, llvm::function_ref<void()> body,
              llvm::function_ref<void()> otherwise = nullptr);

  /// Narrow floats are in memory as integers: what has them is lowered later.
  Type wordOf(Type element);
  Value fromWord(Value word, Type element);
  Value toWord(Value value) { return fromWord(value, wordOf(value.getType())); }

  /// An element of a value; those that are the same in all columns have one.
  Value elementOf(Value value, size_t i);

  /// Where a tensor has the element of this row at a place.
  Value addressOf(const RowAccess &access, Value place);

  mlir::func::FuncOp kernel;
  const RowKernel &program;
  mlir::OpBuilder builder;
  mlir::Location loc;
  ThreadValues values;
  ThreadCode code;
  int64_t numElements, side;

  Value rows, columns;
  /// The row, and the column from which places count.
  Value row, firstColumn;
  /// Where elements are, in 32 bits; those side by side have the same place.
  llvm::SmallVector<Value> places;
  /// Whether there are such columns; null if all are there.
  llvm::SmallVector<Value> masks;
  /// So many of the first ones are there in any case.
  int64_t numSure = 0;
  /// Whether there are all of them; null if nobody asked. Then all is computed
  /// before anything is written, else LLVM does it group by group.
  Value isWhole;
  /// The last place that all elements side by side have; null if all are there.
  Value lastPlace;
  /// Whether what is written is this thread's; null if it is. What all columns
  /// have in common only `isFirst` writes.
  Value isThere, isFirst;
  /// Whether there are so few threads that none may wait for an exact division,
  /// or for what another element writes.
  bool isHurried = false;

private:
  /// What is known of a tensor.
  struct Memory {
    Value data, rowStride;
  };

  void emitStep(mlir::Operation *op);
  void emitNumber(mlir::Operation *op);
  void emitElements(mlir::Operation *op);
  Value emitElement(pl::ElementwiseOpInterface op,
                    llvm::ArrayRef<Value> operands);
  bool isNarrow() const;
  Value emitByOnePlusExp(Value dividend, Value divisor);
  Value halfOf(Value words, int64_t number);
  Value roundPair(Value first, Value second);
  Value joinGroup(Value tile, int64_t first, Type element);
  void emitLoad(pl::LoadOp load);
  void emitStore(pl::StoreOp store);
  Value startOf(const RowAccess &access);
  Value read(const RowAccess &access, Type type, Value address,
             unsigned alignment = 0);
  std::pair<Type, unsigned> groupOf(Type element);
  Type vectorOf(Type element);

  mlir::IRMapping numbers;
  llvm::DenseMap<Value, Memory> memories;
  llvm::DenseMap<Value, Value> starts;
  llvm::DenseMap<Value, llvm::SmallVector<Value>> elements;
  /// What was read of tensors since the last store.
  llvm::DenseMap<Value, Value> loaded;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWCODE_H
