// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_CONTROL_OPS
#define TEGULA_IR_PL_CONTROL_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"
include "tegula/ir/ops/PlAttrs.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

def Pl_YieldOp : Pl_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["AtOp", "ParallelOp"]>]> {
  let summary = "Ends a region and hands its values out";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Pl_AtOp : Pl_Op<"at", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    RecursiveMemoryEffects, NoRegionArguments,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Region that runs at one level of the machine";
  let description = [{
    Runs once, in program order. The level is a placement, not a meaning, and so
    is what `task` says of the region: its `id`, those of the tasks it depends
    on (`deps`), its `role`, and whatever else the author wrote of it.

    ```mlir
    %r = pl.at core_group -> !pl.tile<[8], f32> {
      pl.yield %t : !pl.tile<[8], f32>
    }
    pl.at core_group {
    } {task = {id = 1 : i64, deps = array<i64: 0>, role = "AIV"}}
    ```
  }];
  let arguments = (ins Pl_LevelAttr:$level, OptionalAttr<DictionaryAttr>:$task);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$level (`->` type($results)^)? $body attr-dict";
  let extraClassDeclaration = [{
    /// True if tiles are computed here: the level is a core, or part of one.
    bool isCore() { return getLevel() <= Level::CoreGroup; }
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Pl_ParallelOp : Pl_Op<"parallel", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface,
                              ["populateBoundsForIndexValue"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, [
      "getLoopInductionVars", "getLoopLowerBounds", "getLoopUpperBounds",
      "getLoopSteps"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, [
      "getEntrySuccessorOperands"]>]> {
  let summary = "Loop whose iterations may run at once";
  let description = [{
    Means the same as a loop in order, but for barriers. `independent` says that
    no iteration touches what another one writes: a pass has proved it, or the
    author says so, which the interpreter can check. Only then do iterations
    overlap. The blocks of a `grid` and the `lanes` of a core
    may wait for each other (pl.barrier). `task` is what the author said of a
    grid, as on pl.at.

    ```mlir
    pl.parallel %i = %lb to %ub step %s {
    }
    pl.parallel grid %b = %c0 to %n step %c1 independent {
    }
    ```
  }];
  let arguments = (ins Index:$lower, Index:$upper, Index:$step,
                       UnitAttr:$independent,
                       DefaultValuedAttr<Pl_LoopKindAttr,
                                         "LoopKind::AnyOrder">:$kind,
                       OptionalAttr<DictionaryAttr>:$task);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lower, "::mlir::Value":$upper,
                   "::mlir::Value":$step,
                   CArg<"LoopKind", "LoopKind::AnyOrder">:$kind)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Value getInductionVar() { return getBody().getArgument(0); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Pl_BarrierOp : Pl_Op<"barrier", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until all blocks of the grid, or all lanes, are here";
  let description = [{
    What the others wrote before it can be read after it. Every block reaches
    the same barriers in the same order. Without a grid around it, in the
    function or where that is called, there is nobody to wait for.

    ```mlir
    pl.barrier grid
    ```
  }];
  let arguments = (ins Pl_LoopKindAttr:$kind);
  let assemblyFormat = "$kind attr-dict";
  let hasVerifier = 1;
}

def Pl_LaunchOp : Pl_Op<"launch", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Runs a function on a core";
  let description = [{
    The function is given what it needs and nothing else. It runs once, in
    program order.

    ```mlir
    pl.launch @softmax_core0(%x, %y, %i, %N) at core_group
        : (!pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, index, index) -> ()
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
                       Pl_LevelAttr:$level, OptionalAttr<DictionaryAttr>:$task);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` `at` $level attr-dict
    `:` functional-type($operands, $results)
  }];
}

#endif // TEGULA_IR_PL_CONTROL_OPS
