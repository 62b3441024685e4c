# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    a = x1 * 0.5
    b = pl.minimum(x1 * 2.0, 8.0)
    for q4 in pl.range(3, 0, -1):
        b, a = a, b
        t5 = b[:, 0 : max(pl.tensor.dim(b, 1) - 1, 0)] - 2.0
        b = t5
    y2[0 : pl.tensor.dim(a, 0), 0 : pl.tensor.dim(a, 1)] = a
