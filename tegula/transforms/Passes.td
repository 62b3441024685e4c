// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_TRANSFORMS_PASSES
#define TEGULA_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"
include "tegula/transforms/LoopPasses.td"
include "tegula/transforms/MatmulPasses.td"
include "tegula/transforms/RankPasses.td"
include "tegula/transforms/RowPasses.td"

def InlineFunctions : Pass<"tegula-inline-functions", "::mlir::ModuleOp"> {
  let summary = "Make functions a part of those that call them";
  let description = [{
    Those of the kinds that the machine keeps stay functions: cores are given
    `incore` functions, chips `opaque` ones. A function goes nevertheless if it
    takes or gives tiles, if it is called by what already is the work of one
    core, if its blocks wait for those of its caller, or if two tensors that it
    is called with may share memory.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string",
               "The kinds of functions that stay, as in pl.kind">
  ];
}

def LabelPrints : Pass<"tegula-label-prints", "::mlir::func::FuncOp"> {
  let summary = "Tell prints and assertions which loops are around them";
  let description = [{
    Done when functions are inlined and before loops change.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      pl.print "x {}" (%x) : f32
    }
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      pl.print "x {}" (%x) at ["i"](%i) labelled : f32
    }
    ```
  }];
}

def ResolveExtents : Pass<"tegula-resolve-extents", "::mlir::func::FuncOp"> {
  let summary = "Trace every pl.dim to the extents it comes from";
  let description = [{
    Canonicalisation does the same one `pl.dim` at a time, each from scratch.

    ```mlir
    %a = pl.load %x : !pl.tensor<[?], f32>
    %b = pl.exp %a : !pl.tile<[?], f32>
    %n = pl.dim %b[0] : !pl.tile<[?], f32>
    ```
    becomes
    ```mlir
    %M = pl.bind "M" %x[0] : ...
    // %M wherever %n was
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::arith::ArithDialect"];
}

def Simplify : Pass<"tegula-simplify"> {
  let summary = "Canonicalise in time linear in the size of loop bodies";
  let description = [{
    The same patterns as `canonicalize`. That one looks at a loop again after
    every change inside it, and to see that a loop is not dead looks through
    all of its body. This one first settles all ops that hold no others, then
    small loops and branches, then large ones.

    ```mlir
    %a = arith.addi %x, %c0 : index
    ```
    becomes
    ```mlir
    // %x wherever %a was
    ```
  }];
}

def CarryTensorsInMemory
    : Pass<"tegula-carry-tensors-in-memory", "::mlir::func::FuncOp"> {
  let summary = "Keep unbounded values that cross a loop or branch in memory";
  let description = [{
    A tile with an unbounded axis that is carried around a loop, or chosen by a
    branch, gets a tensor to live in: one that is large enough in every iteration
    where that is known before the loop (`pl.with_extents` says how long the
    value is, `CarriedCapacity.h` finds how long it can get), else one for each
    iteration.

    ```mlir
    %r = scf.for ... iter_args(%v = %init) -> (!pl.tile<[?, 1], f32>) {
      %a = pl.with_extents %v [%M, %c1]
      %b = pl.add %a, %t : ...
      scf.yield %b
    }
    ```
    becomes
    ```mlir
    %m = pl.create_tensor [%M, %c1] : !pl.tensor<[?, 1], f32>
    pl.store %init, %m
    scf.for ... {
      %a = pl.load %m
      %b = pl.add %a, %t : ...
      pl.store %b, %m
    }
    %r = pl.load %m
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandOps : Pass<"tegula-expand-ops", "::mlir::func::FuncOp"> {
  let summary = "Turn ops that are made of others into those";
  let description = [{
    Gathers and scatters become loops over elements in memory. What they take is
    read where it lies, or put in memory first; what they give is made in
    memory, element by element.

    ```mlir
    %g = pl.gather %t[%i] axis 1 : !pl.tile<[?, ?], f32>, !pl.tile<[?, 4], i32>
    ```
    becomes
    ```mlir
    %m = pl.create_tensor [%M, %c4] : !pl.tensor<[?, 4], f32>
    pl.parallel %a = %c0 to %M step %c1 {
      scf.for %b = %c0 to %c4 step %c1 {
        %k = pl.read %index[%a, %b]
        %e = pl.read %source[%a, %k]
        pl.write %e, %m[%a, %b]
      }
    }
    %g = pl.load %m
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::scf::SCFDialect"];
}

def ReshapeInMemory
    : Pass<"tegula-reshape-in-memory", "::mlir::func::FuncOp"> {
  let summary = "Reshape unbounded values in memory";
  let description = [{
    Bounded values stay as they are.

    ```mlir
    %r = pl.reshape_elements %t, [%n] : !pl.tile<[?, ?], f32> -> !pl.tile<[?], f32>
    ```
    becomes
    ```mlir
    %m = pl.create_tensor [%M, %N] : !pl.tensor<[?, ?], f32>
    pl.store %t, %m : ...
    %v = pl.view %m, [%n] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?], f32>
    %r = pl.load %v : !pl.tensor<[?], f32>
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect"];
}

def RequireInt32Indices
    : Pass<"tegula-require-int32-indices", "::mlir::func::FuncOp"> {
  let summary = "Require that INT32 counts the elements of rows";
  let description = [{
    Ops that return indices of elements in a row do so in INT32. Of longer rows
    they would say what is not so.

    ```mlir
    pl.arg_reduce max %x axis 1 into %i : ...
    ```
    becomes
    ```mlir
    %q = arith.floordivsi %N, %c2147483648 : index
    %c = arith.cmpi slt, %q, %c1 : index
    pl.require %c, "N <= 2147483647, because indices are INT32", "derived" ["axis 1 of 'x'"](%N)
    pl.arg_reduce max %x axis 1 into %i : ...
    ```
  }];
}

def HoistRequirements
    : Pass<"tegula-hoist-requirements", "::mlir::func::FuncOp"> {
  let summary = "Let the call check what depends on its sizes only";
  let description = [{
    A `pl.require` that is proved is dropped, and one that never holds is an
    error. One that depends on the symbols and numbers of an entry only, and
    that no branch decides about, goes to the top, where the guard of the call
    is made from it. The others are checked where they stand.

    ```mlir
    scf.for ... {
      %c = arith.cmpi eq, %M, %N : index
      pl.require %c, "M == N", "derived" ["M", "N"](%M, %N)
    }
    ```
    becomes
    ```mlir
    %c = arith.cmpi eq, %M, %N : index
    pl.require %c, "M == N", "derived" ["M", "N"](%M, %N) {at_call}
    scf.for ... {
    }
    ```
  }];
  let options = [
    Option<"explainFacts", "explain", "bool", "false",
           "Say what is proved and what is checked when">
  ];
  let dependentDialects = ["::tegula::pl::PlDialect"];
}

def RefuseUnwrittenReads
    : Pass<"tegula-refuse-unwritten-reads", "::mlir::func::FuncOp"> {
  let summary = "Find reads of tensors that nothing has been written to";
  let description = [{
    A tensor made by `pl.create_tensor` holds nothing that means anything. A read
    that no write can have come before is an error. A write of another part, or
    in a branch that may not have been taken, counts as one. What goes into a loop
    and nowhere else becomes zeros, with a warning if the first iteration reads it.

    ```mlir
    %t = pl.create_tensor [%n] : !pl.tensor<[?], f32>
    %a = pl.load %t : !pl.tensor<[?], f32>  // refused
    pl.store %b, %t : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
    %c = pl.load %t : !pl.tensor<[?], f32>
    ```
  }];
}

def ZeroCreatedTensors
    : Pass<"tegula-zero-created-tensors", "::mlir::func::FuncOp"> {
  let summary = "Fill tensors with zeros where they are made";
  let description = [{
    For debugging: compiled kernels then read what the interpreter reads.

    ```mlir
    %t = pl.create_tensor [%n] : !pl.tensor<[?], f32>
    ```
    becomes
    ```mlir
    %t = pl.create_tensor [%n] : !pl.tensor<[?], f32>
    %z = pl.full %zero, [%n] : ...
    pl.store %z, %t : ...
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::arith::ArithDialect"];
}

def CheckExtents : Pass<"tegula-check-extents", "::mlir::func::FuncOp"> {
  let summary = "Find accesses that are out of range";
  let description = [{
    Tries to prove that every index, and every start of a window, is inside. One
    that is outside whenever it runs is an error that shows sizes for which it
    is; the others are checked at run time.
  }];
  let options = [
    Option<"explainFacts", "explain", "bool", "false",
           "Say what is proved and what is checked when">
  ];
}

def WarnUnusedTiles : Pass<"tegula-warn-unused-tiles", "::mlir::ModuleOp"> {
  let summary = "Warn of tiles that are computed and given a name for nothing";
  let description = [{
    Who writes `w = pl.matmul_acc(w, a, b)` for a window `w` of another tile may
    believe that this tile changes. Names that begin with `_` are left alone.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false", "Make errors of the warnings">
  ];
}

def UnifyExtents : Pass<"tegula-unify-extents", "::mlir::func::FuncOp"> {
  let summary = "Give symbols that are required to be equal one name";
  let description = [{
    ```mlir
    %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
    %N = pl.bind "N" %y[0] : !pl.tensor<[?], f32>
    %c = arith.cmpi eq, %M, %N : index
    pl.require %c, "M == N", "derived" ["M", "N"](%M, %N) {at_call}
    ```
    becomes
    ```mlir
    %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
    ```
  }];
}

def TileTensorOps : Pass<"tegula-tile-tensor-ops", "::mlir::func::FuncOp"> {
  let summary = "Turn tensor-level expressions into loops over bounded tiles";
  let description = [{
    A tile with an unbounded axis is never computed whole, nor is one larger
    than the machine holds, if it can be helped. The sizes of windows have to be
    given. Each op that ends such an expression (a store, or a reduction or
    matmul with a bounded result) becomes loops over windows; what it depends
    on is computed inside them, and what depends on no loop before them.

    ```mlir
    %t = pl.load %x : !pl.tensor<[?], f32>
    %e = pl.exp %t : !pl.tile<[?], f32>
    pl.store %e, %y : ...
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %M step %c4096 {
      %v = pl.slice %x[%i] [%c4096] : ...
      %t = pl.load %v : !pl.tensor<[upto 4096], f32>
      %e = pl.exp %t : !pl.tile<[upto 4096], f32>
      %w = pl.slice %y[%i] [%c4096] : ...
      pl.store %e, %w : ...
    }
    ```

    With `whole-matmuls` a store of what is computed from a matmul of tensors
    element by element is not cut:

    ```mlir
    %r = pl.matmul %ta, %tb : ...
    %s = pl.add %r, %tv : ...
    pl.store %s, %c : ...
    ```
    becomes
    ```mlir
    pl.matmul_into %a, %b into %c with %v : ... epilogue {
    ^bb0(%acc: f32, %x: f32):
      %s = pl.add %acc, %x : f32, f32
      pl.epilogue_yield %s : f32
    } : ...
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "0",
           "Extent of a window along every unbounded axis but the last">,
    Option<"columns", "columns", "int64_t", "0",
           "Extent of a window along the last axis">,
    Option<"elements", "elements", "int64_t", "0",
           "Extent of a window along the only axis">,
    Option<"matmulRows", "matmul-rows", "int64_t", "0",
           "Rows of a window of a matmul">,
    Option<"matmulColumns", "matmul-columns", "int64_t", "0",
           "Columns of a window of a matmul">,
    Option<"depth", "depth", "int64_t", "0",
           "Length of the steps along K">,
    Option<"largest", "largest", "int64_t", "0",
           "Elements of the largest tile that is computed whole">,
    Option<"shortRows", "short-rows", "int64_t", "0",
           "The most rows that are reduced together where they are short">,
    Option<"uncachedElements", "uncached-elements", "int64_t", "0",
           "From so many on fewer rows are reduced together">,
    Option<"uncachedColumns", "uncached-columns", "int64_t", "0",
           "Elements of rows that are reduced together then">,
    Option<"leastIteration", "least-iteration", "int64_t", "0",
           "Elements of each of four iterations of what is elementwise">,
    Option<"transposedRows", "transposed-rows", "int64_t", "0",
           "Rows of an iteration that only makes rows of columns">,
    Option<"windowElements", "window-elements", "int64_t", "0",
           "Elements at most of a window that is computed or reduced">,
    Option<"cutsAllAxes", "cuts-all-axes", "bool", "false",
           "Cut axes with a bound next to those without one">,
    Option<"readCost", "read-cost", "int64_t", "16",
           "Instructions of an element that cost as much as reading it again">,
    Option<"wholeMatmuls", "whole-matmuls", "bool", "false",
           "Keep matmuls of whole matrices as one op each, with epilogue">
  ];
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::scf::SCFDialect"];
}

def FitTiles : Pass<"tegula-fit-tiles", "::mlir::func::FuncOp"> {
  let summary = "Cut tiles as small as the machine's memories need";
  let description = [{
    For machines whose memories have an end. Runs `tegula-tile-tensor-ops` with
    the machine's sizes and plans the result; what does not fit is begun again
    with sizes half as large. What does not fit even if all is cut that can be
    is an error, at the tile that is too large.
  }];
  let constructor = "::tegula::createFitTiles(::tegula::MachineModel{})";
  let dependentDialects = ["::tegula::pl::PlDialect",
                           "::mlir::scf::SCFDialect"];
}

def AssignCores : Pass<"tegula-assign-cores", "::mlir::func::FuncOp"> {
  let summary = "Put everything that computes tiles in a region of a core";
  let description = [{
    What the author placed stays there, once: a core region inside another one
    is dissolved. Ops on tiles outside of them get a `pl.at core_group`, as many
    together as follow each other; a loop in order that holds nothing but such
    ops goes with them, a parallel loop stays outside. Outside there is then
    only control flow, extents, scalars, and tensors.
  }];
}

def VerifyPlacement : Pass<"tegula-verify-placement", "::mlir::func::FuncOp"> {
  let summary = "Check that every op on tiles lies in exactly one core region";
}

def OutlineCores : Pass<"tegula-outline-cores", "::mlir::ModuleOp"> {
  let summary = "Make a function of every core region";
  let description = [{
    ```mlir
    pl.at core_group {
      %t = pl.load %x : !pl.tensor<[?], f32>
      pl.store %t, %y : ...
    }
    ```
    becomes
    ```mlir
    pl.launch @kernel_core0(%x, %y) at core_group : ...
    ```
    The function takes just the values that the region uses; constants and
    arithmetic on sizes it has of its own.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def MakeScratchPrivate
    : Pass<"tegula-make-scratch-private", "::mlir::func::FuncOp"> {
  let summary = "Make a tensor in each iteration that fills it before use";
  let description = [{
    A tensor that is made before a parallel loop, used in it only, and written
    as a whole first in every iteration carries nothing from one to another.

    ```mlir
    %t = pl.create_tensor [%M] : !pl.tensor<[?], f32>
    pl.parallel %i = %c0 to %n step %c1 {
      pl.store %zeros, %t : ...
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %n step %c1 {
      %t = pl.create_tensor [%M] : !pl.tensor<[?], f32>
      pl.store %zeros, %t : ...
    ```
  }];
}

def ElideCopies : Pass<"tegula-elide-copies", "::mlir::func::FuncOp"> {
  let summary = "Write results to their final tensor instead of copying them";
  let description = [{
    No tensor is filled to be copied to one that nothing touches in between. One
    that is seen in another shape stays: its target may have gaps.
  }];
}

def MergeSorts : Pass<"tegula-merge-sorts", "::mlir::func::FuncOp"> {
  let summary = "Sort as far as is read, and only once";
  let description = [{
    Runs that are sorted and then merged four by four are longer runs that are
    sorted; of sorted rows that are read up to some column only, no more is
    written.

    ```mlir
    pl.sort_runs 32 of %x, %i into %p : ...
    %t = pl.load %p : ...
    pl.store %t, %q : ...
    pl.merge_runs %q length %c64 into %r : ...
    ```
    becomes
    ```mlir
    pl.sort_runs 128 of %x, %i into %r : ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Merges that became sorts">,
    Statistic<"numShortened", "num-shortened", "Results that were shortened">
  ];
}

def TileRowOps : Pass<"tegula-tile-row-ops", "::mlir::func::FuncOp"> {
  let summary = "Tile ops on rows into parallel loops";
  let description = [{
    Ops that look at one row after the other in memory become parallel loops
    over some rows each, unless they are in such a loop already.

    `pl.running_sum %x axis 1 into %y : ...` becomes

    ```mlir
    pl.parallel %i = %c0 to %M step %c16 {
      %a = pl.slice %x[%i, %c0] [%c16, %N] : ...
      %b = pl.slice %y[%i, %c0] [%c16, %N] : ...
      pl.running_sum %a axis 1 into %b : ...
    ```

    Where a number of elements for iterations is given, several threads share a row:
    sorts, sums and searches along rows stay as they are then, and share out
    rows when they run.
  }];
  let options = [Option<"elements", "elements", "int64_t", /*default=*/"0",
                        "So many in an iteration of several rows; 0: 16 rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SerializeInPlaceReductions
    : Pass<"tegula-serialize-in-place-reductions", "::mlir::func::FuncOp"> {
  let summary = "Trust authors of loops that add in place in all but the sums";
  let description = [{
    In-place reductions may overlap, but take what was there before. The
    loop is not independent then because its author says so. A loop with scatter-adds
    to windows is marked, `pl.said`: proofs have to look at its
    sums only.

    ```mlir
    pl.parallel %i = %c0 to %n step %c1 independent {
      pl.scatter_store %s, %y[%t] add : ...
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %n step %c1 {
      pl.scatter_store %s, %y[%t] add : ...
    ```
  }];
}

def ProveParallel : Pass<"tegula-prove-parallel", "::mlir::func::FuncOp"> {
  let summary = "Find the parallel loops whose iterations are independent";
  let description = [{
    Marks a `pl.parallel` as independent if, for every tensor that it writes,
    all accesses of one iteration fall into a slot of one axis that no other
    iteration touches, or, where the loop's variable is taken apart into a
    quotient and a remainder, each of these has such an axis. The others run in
    order, and a remark says why. One that is independent already stays so: its
    author says it is.

    In-place reductions may overlap if nothing else touches that tensor: those
    of integers, whose order does not matter, and any in a loop with `pl.said`.
    Where they are not apart both halves get `pl.locked`.

    ```mlir
    pl.parallel %i = %c0 to %M step %c8 {
      %w = pl.slice %y[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
      pl.store %t, %w : ...
    }
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %M step %c8 independent {
    ```

    Scatter-adds of integers (`pl.put ... add`) may overlap too, unlocked, on
    machines that add these by atomic instructions.

    A loop is judged once; `only-made` judges those that a machine makes later.
  }];
  let options = [Option<"atomicSums", "atomic-sums", "bool", "false",
                        "Integers of 32 and 64 bits are added atomically">,
                 Option<"onlyMade", "only-made", "bool", "false",
                        "Leave loops that an author wrote as they are">];
}

def PrintPlan : Pass<"tegula-print-plan", "::mlir::func::FuncOp"> {
  let summary = "Print which tiles are fused and where the others lie";
  let description = [{
    Changes nothing. The function must have bounded tiles only and no calls. The
    plan is checked before it is printed, one line for each buffer:

    ```mlir
    %b = pl.exp %a : !pl.tile<[64], f32>
    ```
    is described as
    ```
    scratchpad at 0: 256 bytes of f32, live 2 to 5: %b
    ```
  }];
  let options = [
    Option<"iterationFrames", "iteration-frames", "bool", "true",
           "Give iterations of independent loops frames of their own">,
    Option<"widenOperands", "widen-operands", "bool", "true",
           "Matmul operands are in memory in the accumulator's element type">,
    Option<"computeOnTensors", "compute-on-tensors", "bool", "true",
           "Ops read and write tensors where they lie">,
    Option<"coreTransfers", "core-transfers", "bool", "false",
           "Matmuls and other ops see no memory of each other">,
    ListOption<"memories", "memories", "std::string",
               "The machine's memories, written space:bytes:alignment; 0 bytes "
               "are as many as there are">
  ];
}

#endif // TEGULA_TRANSFORMS_PASSES
