# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP16],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP16]],
):
    for i in pl.range(0, M, 8):
        a = pl.maximum(x1[i : i + 8, :], -1.0)
        for q4 in pl.range(0, 3):
            q6 = 0
            while q6 < 3 and q4 == 1:
                q6 += 1
                a = pl.minimum(a[0:3, :] * 2.0, 8.0)
        y2[i : i + a.shape[0], :] = a
