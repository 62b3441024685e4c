// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes for kernels that do the same with every row.

#ifndef TEGULA_TRANSFORMS_ROWPASSES
#define TEGULA_TRANSFORMS_ROWPASSES

include "mlir/Pass/PassBase.td"

def CoalesceColumnLoops : Pass<"tegula-coalesce-column-loops", "::mlir::func::FuncOp"> {
  let summary = "Coalesce loops over chunks of a row into whole rows";
  let description = [{
    Where a kernel does the same with every row, and its author loops over
    rows in chunks, to sum them up or to write them, it becomes a loop over whole
    rows, or one expression where nothing is summed up. How rows are cut is then
    chosen as for those that nobody cut. Sums are added up in another order.

    ```mlir
    pl.parallel %i = %c0 to %m step %c16 {
      %s = scf.for %j = %c0 to %n step %c128 iter_args(%sum = %zeros) {
        %x = pl.load (pl.slice %t[%i, %j] [%c16, %c128])
        %next = pl.add %sum, (pl.reduce sum %x axis 1)
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %m step %c8 {
      %x = pl.load (pl.slice %t[%i, %c0] [%c8, %n])
      %s = pl.add (pl.full 0), (pl.reduce sum %x axis 1)
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"8",
           "So many rows at a time">,
    Option<"reductions", "reductions", "int64_t", /*default=*/"16",
           "No more reductions of one row">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numTaken", "num-taken", "Kernels whose rows are taken whole">];
}

def FuseRowLoops : Pass<"tegula-fuse-row-loops", "::mlir::func::FuncOp"> {
  let summary = "Fuse ops on whole matrices into one loop over rows where that saves work";
  let description = [{
    Where a matrix is stored of which each row is computed by itself, and a row
    that takes long to compute is reduced and read again, as in a softmax, it
    becomes a loop over rows: a few of them are kept as they are needed.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"8",
           "So many rows at a time">,
    Option<"readCost", "read-cost", "int64_t", /*default=*/"16",
           "Instructions of an element that cost as much as reading it again">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ResizeRowLoops : Pass<"tegula-resize-row-loops", "::mlir::func::FuncOp"> {
  let summary = "Let loops take more rows at a time where rows are short, and fewer where they are long";
  let description = [{
    A parallel loop that does the same with every row of its windows, each by
    itself, may take as many rows in an iteration as it likes. How long they are, and
    how many, a call tells.
  }];
  let options = [
    Option<"elements", "elements", "int64_t", /*default=*/"4096",
           "As many elements are taken in an iteration, about">,
    Option<"uncachedElements", "uncached-elements", "int64_t", /*default=*/"1048576",
           "From so many elements on rows are out of cache; 0 if they never are">,
    Option<"uncachedColumns", "uncached-columns", "int64_t", /*default=*/"1024",
           "As many elements of those that are reduced are taken then">,
    Option<"rows", "rows", "int64_t", /*default=*/"128",
           "No more rows than these">,
    Option<"readCost", "read-cost", "int64_t", /*default=*/"16",
           "Instructions of an element that cost as much as reading it again">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numResized", "num-resized", "Loops that take more or fewer">];
}

#endif // TEGULA_TRANSFORMS_ROWPASSES
