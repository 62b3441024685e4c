# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x1: pl.Tensor[[M], pl.FP64],
    y4: pl.InOut[pl.Tensor[[M], pl.FP64]],
):
    a = x1 - 2.0
    c = x1 - 2.0
    n7 = c.shape[0]
    b = c[0 : max(n7 - 2, 0)] * 0.5
    for q8 in pl.range(min(M, 4)):
        b, a, c = a, c, b
    y4[0 : pl.tensor.dim(c, 0)] = c
