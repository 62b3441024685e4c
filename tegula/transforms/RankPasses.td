// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes for programs over ranks.

#ifndef TEGULA_TRANSFORMS_RANKPASSES
#define TEGULA_TRANSFORMS_RANKPASSES

include "mlir/Pass/PassBase.td"

def OrderHostAccesses
    : Pass<"tegula-order-host-accesses", "::mlir::func::FuncOp"> {
  let summary = "Make what a host program does to tensors itself dispatches";
  let description = [{
    Every rank runs the whole of a host program. What it reads of tensors outside
    of dispatches, all ranks read once it is written; what it writes there, rank
    0 writes. Tensors that it makes are one for all ranks, and at its end it
    waits for them. Windows are each rank's own.

    ```mlir
    %n = pl.read %counts[%r] : !pl.tensor<[?], i32>
    pl.write %n, %x[%r] : i32, !pl.tensor<[?], i32>
    return
    ```
    becomes
    ```mlir
    %all = arith.constant -1 : index
    %true = pl.dispatch %all, %counts [true] [false] : !pl.tensor<[?], i32>
    %n = pl.read %counts[%r] : !pl.tensor<[?], i32>
    pl.dispatch_end
    %first = arith.constant 0 : index
    %mine = pl.dispatch %first, %x [false] [true] : !pl.tensor<[?], i32>
    scf.if %mine {
      pl.write %n, %x[%r] : i32, !pl.tensor<[?], i32>
      pl.dispatch_end
    }
    pl.host_end
    return
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def WarnUnbalancedSignals
    : Pass<"tegula-warn-unbalanced-signals", "::mlir::func::FuncOp"> {
  let summary = "Warn of signals and barriers that cannot come out even";
  let description = [{
    Of programs over ranks: a wait that no notify of the program can end, a
    signal that is added to and nobody waits for, and barriers to which only
    some ranks come, by their numbers. Nothing is said of what depends on values
    that are not known, or of windows that cannot be told apart.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false", "Make errors of the warnings">
  ];
}

def WarnExtentMismatch
    : Pass<"tegula-warn-extent-mismatch", "::mlir::func::FuncOp"> {
  let summary = "Warn where extents of tiles may differ";
  let description = [{
    The result of such an op is valid where both are, which the author may
    not have meant. The warning shows sizes for which they differ. Nothing is
    said of a tile that was cut to the length of the other.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false", "Make errors of the warnings">
  ];
}

#endif // TEGULA_TRANSFORMS_RANKPASSES
