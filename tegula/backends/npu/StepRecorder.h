// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes a step of the npu dialect of what is told about emitted code.

#ifndef TEGULA_BACKENDS_NPU_STEPRECORDER_H
#define TEGULA_BACKENDS_NPU_STEPRECORDER_H

#include "tegula/backends/cpu/UnitRecorder.h"
#include "tegula/backends/npu/NpuDialect.h"
#include "tegula/sim/machine/Machine.h"

namespace tegula {

/// Wraps emitted code in steps.
class StepRecorder : public UnitRecorder {
public:
  explicit StepRecorder(const sim::Machine &machine) : machine(machine) {}

  void open(mlir::OpBuilder &builder, mlir::Location loc) override;
  void close(mlir::OpBuilder &builder) override;
  void read(const View &view) override { reads.push_back(view); }
  void write(const View &view) override;
  void loop(llvm::ArrayRef<mlir::OpFoldResult> extents) override;
  void hide() override { isHidden = true; }
  void multiply(const ProductShape &shape) override { product = shape; }
  void fetch(mlir::OpBuilder &builder, mlir::Location loc,
             const View &element) override;
  mlir::Value takeTurn(mlir::OpBuilder &builder, mlir::Location loc,
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

  const sim::Machine &machine;
  // The step that is open.
  mlir::OpBuilder::InsertPoint before;
  std::unique_ptr<mlir::Region> code;
  std::optional<mlir::Location> loc;
  llvm::SmallVector<View, 0> reads;
  std::optional<View> written;
  Indices extents;
  std::optional<ProductShape> product;
  bool isHidden = false;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_STEPRECORDER_H
