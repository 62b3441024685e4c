# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP32],
    y3: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    a = x1 - 2.0
    b = pl.minimum(x1 * 2.0, 8.0)
    q4 = 0
    while q4 < 3:
        q4 += 1
        b, a = a, b
        a = pl.maximum(b[0 : max(b.shape[0] - 2, 0), :], -1.0)
    y3[0 : b.shape[0], 0 : pl.tensor.dim(b, 1)] = b
