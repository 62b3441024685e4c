# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x1: pl.Tensor[[M], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M], pl.FP32]],
):
    a = pl.maximum(x1, -1.0)
    for q4 in range(2, 2):
        n5 = pl.tensor.dim(a, 0)
        a = a[min(q4, n5) : n5] + 1.0
        y2[0 : pl.tensor.dim(a, 0)] = a
        break
