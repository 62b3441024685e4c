# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP16],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP16]],
):
    for i in pl.range(0, M, 16):
        a = x1[i : i + 16, :] - 2.0
        b = x1[i : i + 16, :] - 2.0
        c = x1[i : i + 16, :] + 1.0
        for q6, (a, b, c) in pl.range(3, init_values=(a, b, c)):
            n7 = b.shape[1]
            a, b, c = pl.yield_(b[: b.shape[0] // 2, :], b, b[:, : n7 // 2])
        y2[i : i + pl.tensor.dim(a, 0), 0 : pl.tensor.dim(a, 1)] = a
