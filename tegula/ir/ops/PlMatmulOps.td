// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_MATMUL_OPS
#define TEGULA_IR_PL_MATMUL_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/ops/PlAttrs.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

def Pl_MatmulIntoOp : Pl_Op<"matmul_into", [
    SingleBlock, DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "Matmul of whole matrices in memory, and its epilogue";
  let description = [{
    Writes the matmul of `lhs`, M x K (K x M if `transpose_lhs`), and `rhs`,
    K x N (N x K if `transpose_rhs`), to `target`, M x N. The extents agree, and
    the target shares no memory with `lhs` and `rhs`. Nothing is said of tiles:
    whoever multiplies chooses them.

    ```mlir
    pl.matmul_into %a, %b into %c {transpose_rhs} : !pl.tensor<[?, 8], f16>, !pl.tensor<[4, 8], f16>, !pl.tensor<[?, 4], f32>
    ```

    An epilogue computes each element of the target from the accumulator at its
    indices, and from epilogue operands at the same ones: `[M, N]`, `[N]`, or with
    axes of exactly 1, which are repeated. It has elementwise ops on scalars
    only, may use scalars from outside, and is done once for each element,
    also where K is 0. An epilogue operand may be the target itself; else they
    share no memory.

    ```mlir
    pl.matmul_into %a, %b into %c with %bias, %r : !pl.tensor<[4], f16>, !pl.tensor<[?, 4], f16> epilogue {
    ^bb0(%acc: f32, %v: f16, %x: f16):
      %0 = pl.cast %v round : f16 -> f32
      %1 = pl.add %acc, %0 : f32, f32
      %2 = pl.cast %1 round : f32 -> f16
      %3 = pl.add %2, %x : f16, f16
      pl.epilogue_yield %3 : f16
    } : !pl.tensor<[?, 8], f16>, !pl.tensor<[8, 4], f16>, !pl.tensor<[?, 4], f16>
    ```

    Elements are multiplied and summed in the type of the accumulator: that of
    the epilogue's first argument, or of the target if there is no epilogue. What
    may be rounded is said by `precision`, as for `pl.matmul`.
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$lhs,
                       Arg<Pl_AnyTensor, "", [MemRead]>:$rhs,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target,
                       Arg<Variadic<Pl_AnyTensor>, "", [MemRead]>:$epilogue_operands,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       OptionalAttr<Pl_PrecisionAttr>:$precision);
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $lhs `,` $rhs `into` $target (`precision` $precision^)?
    (`with` $epilogue_operands^ `:` type($epilogue_operands))?
    (`epilogue` $epilogue^)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($target)
  }];
  let builders = [
    // Without an epilogue.
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$target, "bool":$transposeLhs,
                   "bool":$transposeRhs, "PrecisionAttr":$precision)>
  ];
  let extraClassDeclaration = [{
    bool hasEpilogue() { return !getEpilogue().empty(); }
    /// The type of its elements.
    ::mlir::Type getAccumulatorType();
    /// The axis of lhs or rhs that is summed over.
    unsigned getLhsInner() { return getTransposeLhs() ? 0 : 1; }
    unsigned getRhsInner() { return getTransposeRhs() ? 1 : 0; }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Pl_EpilogueYieldOp : Pl_Op<"epilogue_yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["MatmulIntoOp"]>]> {
  let summary = "Ends an epilogue with the element that is stored";
  let arguments = (ins Pl_Scalar:$element);
  let assemblyFormat = "$element attr-dict `:` type($element)";
}

#endif // TEGULA_IR_PL_MATMUL_OPS
