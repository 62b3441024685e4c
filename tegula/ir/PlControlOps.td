// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_CONTROL_OPS
#define TEGULA_IR_PL_CONTROL_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"
include "tegula/ir/PlAttrs.td"
include "tegula/ir/PlInterfaces.td"
include "tegula/ir/PlTypes.td"

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
    Runs once, in program order. The level is a placement, not a meaning.

    ```mlir
    %r = pl.at "CORE_GROUP" -> !pl.tile<[8], f32> {
      pl.yield %t : !pl.tile<[8], f32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$level);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$level (`->` type($results)^)? $body attr-dict";
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
    Means the same as a loop in order. `independent` says that a pass has
    proved that no iteration touches what another one writes; only then do
    iterations overlap.

    ```mlir
    pl.parallel %i = %lb to %ub step %s {
    }
    ```
  }];
  let arguments = (ins Index:$lower, Index:$upper, Index:$step,
                       UnitAttr:$independent);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lower, "::mlir::Value":$upper,
                   "::mlir::Value":$step)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Value getInductionVar() { return getBody().getArgument(0); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // TEGULA_IR_PL_CONTROL_OPS
