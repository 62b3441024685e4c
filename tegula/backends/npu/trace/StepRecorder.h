// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes a step of the npu dialect of what is told about emitted code.

#ifndef TEGULA_BACKENDS_NPU_TRACE_STEPRECORDER_H
#define TEGULA_BACKENDS_NPU_TRACE_STEPRECORDER_H

#include "tegula/backends/codegen/LoweringHooks.h"
#include "tegula/backends/npu/NpuDialect.h"
#include "tegula/backends/npu/tiling/ElementWork.h"
#include "tegula/sim/machine/Machine.h"

namespace tegula {

/// Wraps emitted code in steps.
class StepRecorder : public LoweringHooks {
public:
  explicit StepRecorder(const sim::Machine &machine) : machine(machine) {}

  void open(mlir::OpBuilder &builder, mlir::Location loc) override;
  void close(mlir::OpBuilder &builder) override;
  void read(const View &view) override { reads.push_back(view); }
  void write(const View &view) override { writes.push_back(view); }
  void loop(llvm::ArrayRef<mlir::OpFoldResult> extents) override;
  void hide() override { isHidden = true; }
  void multiply(const MatmulShape &shape) override { matmul = shape; }
  void loadElement(mlir::OpBuilder &builder, mlir::Location loc,
                   const View &element) override;
  mlir::Value takeRingSlot(mlir::OpBuilder &builder, mlir::Location loc,
                           unsigned ring, int64_t copies) override;

private:
  /// The bytes a step names, as they become operands.
  struct Ranges {
    llvm::SmallVector<mlir::Value> numbers;
    llvm::SmallVector<int64_t> spaces;
    int64_t numReads = 0;
  };
  Ranges makeRanges(mlir::OpBuilder &builder) const;
  /// Which of a core's memories it is to the simulator.
  int64_t toTraceSpace(pl::MemorySpace space) const;
  mlir::Operation *makeStep(mlir::OpBuilder &builder);
  template <typename Transfer>
  mlir::Operation *makeTransfer(mlir::OpBuilder &builder, const View &memory);
  mlir::Operation *makeVector(mlir::OpBuilder &builder);
  mlir::Operation *makeLanes(mlir::OpBuilder &builder, mlir::Value rows,
                             mlir::Value columns, const ElementWork &work,
                             const Ranges &ranges) const;
  /// The extents of the step: those of its last loop.
  llvm::ArrayRef<mlir::OpFoldResult> getExtents() const;
  /// The loops of the step that are as long as its last; the others become
  /// steps of their own.
  ElementWork splitLoops(mlir::OpBuilder &builder);
  /// What a routine on tensors moves, and the routine.
  mlir::Operation *makeRoutine(mlir::OpBuilder &builder);
  /// Loads the first weights of a matmul before it, so that they load under
  /// the one before; false if it loads them itself.
  bool loadWeights(mlir::OpBuilder &builder,
                   llvm::ArrayRef<mlir::Value> extents, const Ranges &ranges);
  /// Where vector units are cores of their own, what goes from or to a memory
  /// of the arrays; null if that is not where the step reads and writes.
  mlir::Operation *makeForArrays(mlir::OpBuilder &builder, mlir::Value rows,
                                 mlir::Value columns, const Ranges &ranges);

  const sim::Machine &machine;
  // The step that is open.
  mlir::OpBuilder::InsertPoint before;
  std::unique_ptr<mlir::Region> code;
  std::optional<mlir::Location> loc;
  llvm::SmallVector<View, 0> reads;
  llvm::SmallVector<View, 0> writes;
  llvm::SmallVector<Indices, 1> loops;
  std::optional<MatmulShape> matmul;
  bool isHidden = false;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_STEPRECORDER_H
