# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Pairs of registers hold columns 32 and 33, and there is no 33.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[K, M], pl.BF16],
    w: pl.Tensor[[N, K], pl.BF16],
    y: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    for i in pl.parallel(0, M, 16):
        for j in pl.range(0, N, 33):
            p = pl.full([16, 33], pl.FP32, 0.0)
            for k in pl.range(0, K, 16):
                p = pl.matmul_acc(p, x[k : k + 16, i : i + 16], w[j : j + 33, k : k + 16], a_trans=True, b_trans=True)
            y[i : i + 16, j : j + 33] = p
