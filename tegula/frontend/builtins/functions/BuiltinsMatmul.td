// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

// What may be rounded, by name.
def Rounded : Maybe<Any>;

let theme = "matmul" in {

def : Builtin<"matmul",
    (takes Left:$a, Right:$b, Maybe<Dtype>:$out_dtype, Flag<"false">:$a_trans,
           Flag<"false">:$b_trans, TileLayout:$c_matrix_nz, Rounded:$precision),
    "matrix multiplication, also of batches; `a_trans` and `b_trans` take an "
    "operand transposed; with `precision=\"tf32\"` a GPU may round FP32 "
    "operands to TF32, and with `precision=\"fp8\"` it may accumulate FP8 with "
    "fewer bits", Calls<"buildMatmul">> {
  let shows = [Shows<Pl_MatmulOp,
                     (of "lhs":$a, "rhs":$b, "transpose_lhs":$a_trans,
                         "transpose_rhs":$b_trans)>];
}

def Pl_MatmulAcc : Builtin<"matmul_acc",
    (takes Tile:$acc, Left:$a, Right:$b, Flag<"false">:$a_trans,
           Flag<"false">:$b_trans, Maybe<Any>:$init_cond, Rounded:$precision),
    "`acc` plus the matmul; just the matmul where `init_cond` holds",
    Calls<"buildMatmulAcc">> {
  let shows = [Shows<Pl_MatmulOp,
                     (of "lhs":$a, "rhs":$b, "transpose_lhs":$a_trans,
                         "transpose_rhs":$b_trans)>];
}

def : Builtin<"batch_matmul",
    (takes Left:$a, Right:$b, Maybe<Dtype>:$out_dtype, Flag<"false">:$a_trans,
           Flag<"false">:$b_trans, Rounded:$precision),
    "as `pl.matmul`", Calls<"buildMatmul">>;

def : Same<"batch_matmul_acc", Pl_MatmulAcc>;

def : Builtin<"einsum", (takes Any:$subscripts, Tile:$a, Tile:$b,
                                Rounded:$precision),
    "products summed over the axes whose letters the result does not have, as "
    "in `pl.einsum(\"bik,bjk->bij\", a, b)`; of the dtype of `pl.matmul`",
    Calls<"buildEinsum">>;

} // theme
