# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x1: pl.Tensor[[M], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M], pl.FP32]],
):
    a = x1 + 1.0
    b = x1 + 1.0
    c = x1 - 2.0
    for q7, (a, b, c) in pl.range(3, init_values=(a, b, c)):
        a, b, c = pl.yield_(c, a[: a.shape[0] // 2], b)
    y2[0 : pl.tensor.dim(a, 0)] = a
