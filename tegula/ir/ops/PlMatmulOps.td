// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_MATMUL_OPS
#define TEGULA_IR_PL_MATMUL_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

def Pl_MatmulIntoOp : Pl_Op<"matmul_into", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "Matmul of whole matrices in memory";
  let description = [{
    Writes the matmul of `lhs`, M x K (K x M if `transpose_lhs`), and `rhs`,
    K x N (N x K if `transpose_rhs`), to `target`, M x N. The extents agree, and
    the target shares no memory with the operands. Elements are multiplied and
    summed in the type of the target. Nothing is said of tiles: whoever
    multiplies chooses them.

    ```mlir
    pl.matmul_into %a, %b into %c {transpose_rhs} : !pl.tensor<[?, 8], f16>, !pl.tensor<[4, 8], f16>, !pl.tensor<[?, 4], f32>
    ```
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$lhs,
                       Arg<Pl_AnyTensor, "", [MemRead]>:$rhs,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs `into` $target attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($target)
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_IR_PL_MATMUL_OPS
