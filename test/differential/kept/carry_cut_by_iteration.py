# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    a = pl.maximum(x1, -1.0)
    b = pl.minimum(x1 * 2.0, 8.0)
    for q4 in pl.range(min(M, 4)):
        n5 = b.shape[0]
        t6 = b[0 : max(n5 - q4, 0), :] * 0.5
        a = pl.minimum(t6 * 2.0, 8.0)
        b, a = a, b
    y2[0 : pl.tensor.dim(a, 0), 0 : a.shape[1]] = a
