// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is told, while tiles are lowered, of the code that is being emitted:
/// which memory one step reads and writes, and for what. A machine that is
/// simulated runs the same steps on units of its own; this processor needs none
/// of it.

#ifndef TEGULA_BACKENDS_CODEGEN_LOWERINGHOOKS_H
#define TEGULA_BACKENDS_CODEGEN_LOWERINGHOOKS_H

#include "tegula/backends/codegen/memory/View.h"

namespace tegula {

/// The extents of a matmul.
struct MatmulShape {
  mlir::OpFoldResult rows, columns, inner;
  /// An i1: whether it is added to what is there.
  mlir::Value accumulates;
};

/// Hears of steps, one after the other: a step is opened, what it reads and
/// writes is told, code is emitted, and it is closed. The views that it hears
/// of are there before the step is opened.
class LoweringHooks {
public:
  virtual ~LoweringHooks();

  /// Code that follows belongs to a step.
  virtual void open(mlir::OpBuilder &builder, mlir::Location loc) = 0;
  virtual void close(mlir::OpBuilder &builder) = 0;

  /// Memory that the step reads, and that it writes: the first that is told.
  virtual void read(const View &view) = 0;
  virtual void write(const View &view) = 0;
  /// The extents of each of the step's loops. The last is the one that it is
  /// known by.
  virtual void loop(llvm::ArrayRef<mlir::OpFoldResult> extents) = 0;
  /// No unit does it: it is there for code on this processor only.
  virtual void hide() = 0;
  /// It is a matmul.
  virtual void multiply(const MatmulShape &shape) = 0;

  /// Outside of steps: one element of a tensor is read.
  virtual void loadElement(mlir::OpBuilder &builder, mlir::Location loc,
                           const View &element) = 0;

  /// Which of `copies` buffers a run of the builder's block uses. Runs take
  /// them round-robin; `ring` tells the blocks of a function apart.
  virtual mlir::Value takeRingSlot(mlir::OpBuilder &builder, mlir::Location loc,
                                   unsigned ring, int64_t copies) = 0;
};

/// The recorder of one function, if there is one. Without it nothing happens.
class RecordedSteps {
public:
  RecordedSteps(mlir::OpBuilder &builder, LoweringHooks *recorder)
      : builder(builder), recorder(recorder) {}

  explicit operator bool() const { return recorder; }
  LoweringHooks *operator->() const { return recorder; }
  LoweringHooks *get() const { return recorder; }

  void read(const View &view) {
    if (recorder)
      recorder->read(view);
  }
  void write(const View &view) {
    if (recorder)
      recorder->write(view);
  }
  void loop(llvm::ArrayRef<mlir::OpFoldResult> extents) {
    if (recorder)
      recorder->loop(extents);
  }

private:
  friend class UnitScope;

  mlir::OpBuilder &builder;
  LoweringHooks *recorder;
  bool isInStep = false;
};

/// A step, for as long as this exists. Inside another one it is a part of it.
class UnitScope {
public:
  UnitScope(RecordedSteps &steps, mlir::Location loc);
  ~UnitScope();
  UnitScope(const UnitScope &) = delete;
  UnitScope &operator=(const UnitScope &) = delete;

private:
  RecordedSteps &steps;
  bool isOutermost;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOWERINGHOOKS_H
