# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    a = x1 * 0.5
    b = x1 - 2.0
    c = x1 + 1.0
    for q9, (a, b, c) in pl.range(3, init_values=(a, b, c)):
        a, b, c = b, c, a
        n10 = b.shape[0]
        a, b, c = pl.yield_(b[0 : max(n10 - q9, 0), :], c[:, : pl.tensor.dim(c, 1) // 2], a)
    y2[0 : pl.tensor.dim(a, 0), 0 : pl.tensor.dim(a, 1)] = a
