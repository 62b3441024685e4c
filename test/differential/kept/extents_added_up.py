# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A sum over extents that are 0 for the smallest sizes.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[2], pl.INT64]]):
    half = x[: M // 2] * 2.0
    total = 0
    for i in pl.range(0, 3):
        total = total + half.shape[0]
    y[0] = pl.cast(total, pl.INT64)
    for i in pl.range(0, 3):
        total = max(total, 0) + M - 1
    y[1] = pl.cast(total, pl.INT64)
