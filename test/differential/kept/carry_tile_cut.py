# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP64],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP64]],
):
    for i in pl.range(0, M, 4):
        a = x1[i : i + 4, :] * 0.5
        b = x1[i : i + 4, :] - 2.0
        for q6 in pl.range(3):
            a = b[2:3, :] + 1.0
        y2[i : i + a.shape[0], 0 : pl.tensor.dim(a, 1)] = a
