// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that change how often loops run, and over what.

#ifndef TEGULA_TRANSFORMS_LOOPPASSES
#define TEGULA_TRANSFORMS_LOOPPASSES

include "mlir/Pass/PassBase.td"

def CountIterations : Pass<"tegula-count-iterations", "::mlir::func::FuncOp"> {
  let summary = "Count the iterations of loops that may end near the last index";
  let description = [{
    Back ends add the step to the variable until it reaches the end, which it
    never does if the sum wraps around. Only loops whose step is not 1 and whose
    end is a number of 64 bits that a call or memory says are changed.

    ```mlir
    scf.for %i = %from to %n step %c16 {
      use %i
    }
    ```
    becomes
    ```mlir
    scf.for %k = %c0 to %count step %c1 {
      %w = arith.muli %k, %c16
      %i = arith.addi %from, %w
      use %i
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitAtBarriers
    : Pass<"tegula-split-at-barriers", "::mlir::func::FuncOp"> {
  let summary = "Divide the body of a grid where its blocks wait for each other";
  let description = [{
    ```mlir
    pl.parallel grid %b = %c0 to %n step %c1 {
      a
      pl.barrier grid
      b
    }
    ```
    becomes a grid that does `a`, and after it one that does `b`. Numbers and
    views that are needed in both are computed again, other values are kept in
    memory for each block. Loops and branches around a barrier, which must be
    the same for all blocks, come to stand around the grids.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TEGULA_TRANSFORMS_LOOPPASSES
