# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operands had what lay in shared memory behind them.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x: pl.Tensor[[M, 20], pl.BF16],
    w: pl.Tensor[[20, 96], pl.BF16],
    u: pl.Tensor[[20, M], pl.BF16],
    y: pl.InOut[pl.Tensor[[M, 96], pl.FP32]],
    z: pl.InOut[pl.Tensor[[M, 96], pl.FP32]],
):
    for i in pl.parallel(0, M, 16):
        y[i : i + 16, :] = pl.matmul(x[i : i + 16, :], w, out_dtype=pl.FP32) + 1.0
        a = pl.matmul(u[:, i : i + 16], w, a_trans=True, out_dtype=pl.FP32)
        z[i : i + 16, :] = a - pl.row_max(a)
