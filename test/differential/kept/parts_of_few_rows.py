# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# There are fewer rows than are taken whole at a time.
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[4, N], pl.INT32],
    c: pl.Tensor[[4, 1], pl.INT32],
    y: pl.InOut[pl.Tensor[[4, N], pl.INT32]],
):
    for i in pl.parallel(0, 4, 2):
        total = c[i : i + 2, :]
        for j in pl.range(0, N, 32):
            total = total + pl.row_sum(x[i : i + 2, j : j + 32])
        for j in pl.range(0, N, 16):
            y[i : i + 2, j : j + 16] = x[i : i + 2, j : j + 16] - total
