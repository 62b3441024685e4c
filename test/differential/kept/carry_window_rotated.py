# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x1: pl.Tensor[[M], pl.FP32],
    y4: pl.InOut[pl.Tensor[[M], pl.FP32]],
):
    a = pl.maximum(x1, -1.0)
    b = pl.minimum(x1 * 2.0, 8.0)
    c = pl.maximum(x1, -1.0)
    for q5 in pl.range(3):
        c = b[2:9] - 2.0
        b, a, c = a, c, b
    y4[0 : c.shape[0]] = c
