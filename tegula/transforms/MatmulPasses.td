// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_TRANSFORMS_MATMUL_PASSES
#define TEGULA_TRANSFORMS_MATMUL_PASSES

include "mlir/Pass/PassBase.td"

def ExpandBatches : Pass<"tegula-expand-batches", "::mlir::func::FuncOp"> {
  let summary = "Turn matmuls of batches into loops over plain matmuls";
  let description = [{
    The operands of a matmul with batch axes are put in memory, unless they
    are loads of memory that stays as it is, and so is the result, unless all it
    does is to be stored.

    ```mlir
    %r = pl.matmul %a, %b : !pl.tile<[?, 8, 16], f32>, !pl.tile<[16, 4], f32>
    pl.store %r, %y : ...
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %B step %c1 {
      %s = pl.slice %x[%i, ...] [%c1, ...] drop [0] : ...
      %t = pl.load %s : !pl.tensor<[8, 16], f32>
      %r = pl.matmul %t, %b : !pl.tile<[8, 16], f32>, !pl.tile<[16, 4], f32>
      pl.store %r, %w : ...
    }
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::scf::SCFDialect"];
}

def RaiseMatmulLoops
    : Pass<"tegula-raise-matmul-loops", "::mlir::func::FuncOp"> {
  let summary = "Make one op of loops over the tiles of a matmul";
  let description = [{
    For machines with code for matmuls of whole matrices, which choose tiles by
    the sizes of a call. The loops may be the author's or those that a
    whole-array expression was cut into.

    ```mlir
    scf.for %i = %c0 to %M step %c64 {
      scf.for %j = %c0 to %N step %c128 {
        %z = pl.full %zero, [%m, %n] : f32 -> <[upto 64, upto 128], f32>
        %s = scf.for %k = %c0 to %K step %c256 iter_args(%acc = %z) -> ... {
          %p = pl.matmul %a, %b acc %acc : ...
          scf.yield %p : ...
        }
        pl.store %s, %c : ...
      }
    }
    ```
    becomes
    ```mlir
    pl.matmul_into %lhs, %rhs into %target : ...
    ```

    Where the loops have an epilogue that does more than to store, they stay, and
    read accumulators from memory that has those of a block of rows:

    ```mlir
    scf.for %block = %c0 to %M step %rows {
      %s = pl.create_tensor ...
      pl.matmul_into %lhs_rows, %rhs into %s : ...
      scf.for %i = ... {
        scf.for %j = ... {
          %acc = pl.load %s_window : ...
    ```
  }];
  let options = [
    Option<"accumulatorElements", "accumulator-elements", "int64_t", "1 << 17",
           "Elements of the accumulators of a block, if a row has no more">,
    Option<"accumulatorRows", "accumulator-rows", "int64_t", "64",
           "Rows of a block below which threads get no blocks of their own">
  ];
  let dependentDialects = [
    "::tegula::pl::PlDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // TEGULA_TRANSFORMS_MATMUL_PASSES
