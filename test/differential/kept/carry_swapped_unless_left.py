# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    a = pl.minimum(x1 * 2.0, 8.0)
    b = x1 + 1.0
    for q5 in pl.range(1, 4, 2):
        if M > 3:
            continue
        b, a = a, b
    y2[0 : a.shape[0], 0 : pl.tensor.dim(a, 1)] = a
