// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Emits the steps of a RowwiseKernel for the elements that one thread has of a
/// row.

#ifndef TEGULA_BACKENDS_CUDA_ROWCODE_H
#define TEGULA_BACKENDS_CUDA_ROWCODE_H

#include "tegula/backends/cuda/ThreadCode.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

#include "mlir/IR/IRMapping.h"

namespace tegula {

/// Elements side by side that a thread has.
struct RowRun {
  /// The first one, in 32 bits.
  mlir::Value column;
  int64_t count;
  /// Whether there are such columns; null if there are in any case.
  mlir::Value mask;
  /// Where they are read: there, or if there are none, where others are.
  mlir::Value from;
};

/// What derives from it makes a function, says where its elements are, and then
/// emits the steps.
class RowCode {
public:
  /// A thread has so many elements, `side` of them side by side in memory.
  RowCode(mlir::ModuleOp module, mlir::func::FuncOp kernel,
          const RowwiseKernel &program, int64_t numElements, int64_t side)
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
  /// The elements of a matmul.
  virtual llvm::SmallVector<Value> emitMatmul() = 0;
  /// The same from sums that kernels hand over as FP32, those of integers as
  /// their bits.
  llvm::SmallVector<Value> emitAccumulators(mlir::ValueRange sums);

  /// Whether what follows the last sum goes group by group: it reads what lies
  /// in another way than rows do, which takes registers for long, and writes
  /// only then. Results of 16 bits are quicker at once.
  bool goesByRuns() const;

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
  void emitIf(Value condition, llvm::function_ref<void()> body,
              llvm::function_ref<void()> otherwise = nullptr) {
    code.emitIf(condition, body, otherwise);
  }

  /// Narrow floats are in memory as integers: what has them is lowered later.
  Type wordOf(Type element);
  Value fromWord(Value word, Type element);
  Value toWord(Value value) { return fromWord(value, wordOf(value.getType())); }

  /// An element of a value; those that are the same in all columns have one.
  Value elementOf(Value value, size_t i);

  void emitLoad(pl::LoadOp load);
  Value read(const RowAccess &access, Type type, Value address,
             unsigned alignment = 0);
  /// Elements of a run that are read at once, as a vector.
  virtual Value readTogether(const RowAccess &access, const RowRun &run,
                             Type type, unsigned alignment) {
    return read(access, type, addressOf(access, run.from), alignment);
  }

  /// Asks for rows that others will read later, where so many threads share
  /// one that has so many columns at most: while blocks sum up they read
  /// nothing, and few of them are there at once.
  void emitPrefetches(Value width, int64_t mostColumns);

  /// Adds elements side by side that are there where the mask holds; else
  /// those at the last such place are read.
  void addRun(Value column, int64_t count, Value mask, Value last);

  /// Notes on the op, if it is one on FP32, how much its result may be off.
  void relax(mlir::Operation *op);

  /// Whether a tensor has a row for each of the rows; so do all if none has.
  bool hasOwnRows(const RowAccess &access) const {
    return access.shape.hasRows || program.hasOneRow();
  }
  /// Where the row, or another one, begins in a tensor.
  Value rowOf(const RowAccess &access) { return rowOf(access, row); }
  Value rowOf(const RowAccess &access, Value row);
  /// Where a tensor has the element of this row at a place.
  Value addressOf(const RowAccess &access, Value column);

  mlir::func::FuncOp kernel;
  const RowwiseKernel &program;
  mlir::OpBuilder builder;
  mlir::Location loc;
  ThreadValues values;
  ThreadCode code;
  int64_t numElements, side;

  Value rows, columns;
  /// The row, and the column from which places count.
  Value row, firstColumn;
  /// What the thread has, one run after the other.
  llvm::SmallVector<RowRun> runs;
  /// Whether there are all of them but single ones at edges; null if nobody
  /// asked. Then all is computed before anything is written, else LLVM does it
  /// group by group.
  Value isWhole;
  /// Whether rows begin anywhere, but runs at multiples of what is read at
  /// once. What all rows have in common then lies in another way.
  bool isShifted = false;
  /// Whether what is written is this thread's; null if it is. What all columns
  /// have in common only `isFirst` writes.
  Value isThere, isFirst;
  /// Whether there are so few threads that none may wait for an exact division,
  /// or for what another element writes.
  bool isHurried = false;
  /// Whether all results have 16 bits, which hide how FP32 was rounded.
  bool isNarrow = false;

private:
  /// What is known of a tensor.
  struct Memory {
    Value data, rowStride;
  };

  /// Where an element of 16 bits was read.
  struct Half {
    Value word;
    bool isHigh;
  };

  bool hasColumns(mlir::Operation *op) const;
  void emitByRuns(llvm::ArrayRef<mlir::Operation *> tail);
  void emitStep(mlir::Operation *op);
  void emitNumber(mlir::Operation *op);
  void emitElements(mlir::Operation *op);
  Value emitElement(pl::ElementwiseOpInterface op,
                    llvm::ArrayRef<Value> operands);
  Value callIntrinsic(llvm::StringRef name, mlir::ValueRange operands);
  Value numberOf(float value);
  Value emitPowerOfTwo(Value power);
  Value emitByOnePlusExp(Value dividend, Value divisor);
  llvm::SmallVector<Value> emitTwoSilu(llvm::ArrayRef<Value> first,
                                       llvm::ArrayRef<Value> second);
  bool isShared(Value first, Value second) const;
  llvm::SmallVector<Value> emitQuotients(llvm::ArrayRef<Value> dividends,
                                         Value divisor);
  Value correctQuotient(Value dividend, Value divisor, Value inverse,
                        Value quotient);
  llvm::SmallVector<Value> readFourApart(const RowAccess &access,
                                         const RowRun &run);
  llvm::SmallVector<Value> readRun(const RowAccess &access, const RowRun &run);
  llvm::SmallVector<Value> readWords(const RowAccess &access, Value address,
                                     int64_t bytes);
  llvm::SmallVector<Value> readApart(const RowAccess &access,
                                     const RowRun &run);
  llvm::SmallVector<Value> readPairs(const RowAccess &access,
                                     const RowRun &run);
  llvm::SmallVector<Value> partsOf(Value vector);
  Value halfOf(Value word, Type element, bool isHigh);
  Value widenHalf(const Half &half);
  /// Whether runs of the tensor do not begin where they can be read at once.
  bool isApart(const RowAccess &access) const {
    return isShifted && !hasOwnRows(access);
  }
  void emitStore(pl::StoreOp store);
  Value packRun(Value tile, size_t first, int64_t count);
  Value packPair(Value low, Value high);
  Value startOf(const RowAccess &access);
  Value after(Value address, Type element, int64_t count);
  static unsigned alignmentOf(Type element, int64_t count);

  mlir::IRMapping numbers;
  llvm::DenseMap<Value, Memory> memories;
  llvm::DenseMap<Value, Value> starts;
  llvm::DenseMap<Value, llvm::SmallVector<Value>> elements;
  llvm::DenseMap<Value, Half> halves;
  /// What was read of tensors since the last store.
  llvm::DenseMap<Value, Value> loaded;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWCODE_H
