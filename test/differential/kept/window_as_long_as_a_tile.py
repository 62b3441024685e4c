# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The window's length is that of a tile in registers, whose bound got lost.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x: pl.Tensor[[M], pl.FP32],
    y: pl.InOut[pl.Tensor[[M], pl.FP32]],
):
    for i in pl.parallel(0, M, 16):
        a = x[i : i + 16] + 1.0
        for _ in pl.range(2):
            a = pl.minimum(a * 2.0, 8.0)
        y[i : i + a.shape[0]] = a
