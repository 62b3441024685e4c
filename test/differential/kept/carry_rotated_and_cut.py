# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x1: pl.Tensor[[M], pl.FP16],
    y4: pl.InOut[pl.Tensor[[M], pl.FP16]],
):
    a = x1 * 0.5
    b = x1 + 1.0
    c = x1 * 0.5
    for q5 in pl.range(1, 4, 2):
        b, a, c = a, c, b
        b = pl.maximum(b[min(q5, pl.tensor.dim(b, 0)) : pl.tensor.dim(b, 0)], -1.0)
    y4[0 : c.shape[0]] = c
