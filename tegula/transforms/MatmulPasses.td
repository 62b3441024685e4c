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
    For code that multiplies whole matrices and chooses tiles by the sizes of a
    call. The loops are the author's: whole-array expressions have the op from
    the start, on machines that always multiply so.

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

    Where the epilogue computes what is stored element by element, it is that of
    the op:

    ```mlir
    pl.matmul_into %lhs, %rhs into %target with %bias : ... epilogue { ... } : ...
    ```

    Where it does more, with rows of the accumulator, with a second matmul or
    with other memory, the loops stay, and read accumulators from memory that has
    those of a block of rows:

    ```mlir
    scf.for %block = %c0 to %M step %rows {
      %s = pl.create_tensor ...
      pl.matmul_into %lhs_rows, %rhs into %s : ...
      scf.for %i = ... {
        scf.for %j = ... {
          %acc = pl.load %s_window : ...
    ```

    With `whole-accumulators` each matmul of tensors becomes one op without an
    epilogue, also that of a whole-array expression: its accumulators are a
    tensor, and whatever is done with them reads that.
  }];
  let options = [
    Option<"accumulatorElements", "accumulator-elements", "int64_t", "1 << 17",
           "Elements of the accumulators of a block, if a row has no more">,
    Option<"accumulatorRows", "accumulator-rows", "int64_t", "64",
           "Rows of a block below which threads get no blocks of their own">,
    Option<"wholeAccumulators", "whole-accumulators", "bool", "false",
           "Give all accumulators of each matmul a tensor">
  ];
  let dependentDialects = [
    "::tegula::pl::PlDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def TileMatmulReaders
    : Pass<"tegula-tile-matmul-readers", "::mlir::func::FuncOp"> {
  let summary = "Compute matmuls by the blocks of rows that a loop reads";
  let description = [{
    Where one loop over rows is all that reads what a matmul writes, as it is in
    a softmax of a matmul, the loop takes a block of rows at a time, whose
    accumulators stay in a cache.

    ```mlir
    %s = pl.create_tensor[%M, %N] : ...
    pl.matmul_into %a, %b into %s : ...
    pl.parallel %i = %c0 to %M step %c16 independent {
      %w = pl.slice %s[%i, %j] [%c16, %c128] : ...
    ```
    becomes
    ```mlir
    pl.parallel %block = %c0 to %M step %rows independent {
      %s = pl.create_tensor[%count, %N] : ...
      pl.matmul_into %a_rows, %b into %s : ...
      pl.parallel %i = %block to %end step %c16 independent {
        %w = pl.slice %s[%row, %j] [%c16, %c128] : ...
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

def TileMatmulEpilogues
    : Pass<"tegula-tile-matmul-epilogues", "::mlir::func::FuncOp"> {
  let summary = "Compute matmuls with an epilogue by blocks of rows";
  let description = [{
    The accumulators of a block stay in a cache while the epilogue reads them,
    tile by tile. A matmul whose result only an epilogue reads is computed by the
    same blocks.

    ```mlir
    pl.matmul_into %a, %b into %c with %bias : ... epilogue {
    ^bb0(%acc: f32, %v: f32):
      %r = pl.add %acc, %v : f32, f32
      pl.epilogue_yield %r : f32
    } : ...
    ```
    becomes
    ```mlir
    pl.parallel %block = %c0 to %M step %rows independent {
      %s = pl.create_tensor[%count, %N] : ...
      pl.matmul_into %a_rows, %b into %s : ...
      pl.parallel %i = %c0 to %count step %c64 independent {
        pl.parallel %j = %c0 to %N step %c128 independent {
          %acc = pl.load %s_window : ...
          %v = pl.load %bias_window : ...
          %w = pl.broadcast %v, [%m, %n] : ...
          %r = pl.add %acc, %w : ...
          pl.store %r, %c_window : ...
    ```
  }];
  let options = [
    Option<"accumulatorElements", "accumulator-elements", "int64_t", "1 << 17",
           "Elements of the accumulators of a block, if a row has no more">,
    Option<"accumulatorRows", "accumulator-rows", "int64_t", "64",
           "Rows of a block below which threads get no blocks of their own">,
    Option<"tileRows", "tile-rows", "int64_t", "64", "Rows of a tile">,
    Option<"tileColumns", "tile-columns", "int64_t", "128",
           "Columns of a tile">
  ];
  let dependentDialects = [
    "::tegula::pl::PlDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // TEGULA_TRANSFORMS_MATMUL_PASSES
