// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The function that threads call for their iterations of a loop, while it is
/// made.

#ifndef TEGULA_BACKENDS_CPU_THREADS_SHAREDBODY_H
#define TEGULA_BACKENDS_CPU_THREADS_SHAREDBODY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace tegula {

/// What is emitted between its making and `finish` goes into the function. It
/// may use values from before: they lie in memory of the caller, which the
/// function is given.
class SharedBody {
public:
  SharedBody(mlir::OpBuilder &builder, mlir::scf::ParallelOp loop,
             mlir::SymbolTable &symbols);

  /// The numbers of iterations that a call is for: from the first to before the
  /// last.
  mlir::Value getFirst() { return function.getArgument(1); }
  mlir::Value getLast() { return function.getArgument(2); }

  /// The addresses of the function and of the memory, where the builder goes
  /// on.
  std::pair<mlir::Value, mlir::Value> finish();

private:
  mlir::Value makeContext(llvm::ArrayRef<mlir::Value> used);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::func::FuncOp function;
  mlir::OpBuilder::InsertPoint after;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_THREADS_SHAREDBODY_H
