# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How many rows are done at a time follows from a tile; behind the core that made it, it has a bound.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(x: pl.Tensor[[M, N], pl.INT32], y: pl.InOut[pl.Tensor[[M, N], pl.INT32]]):
    for i in pl.range(0, M, 4):
        t = x[i : i + 4, :] - pl.row_sum(x[i : i + 4, :])
        s = pl.full([4, 1], dtype=pl.INT32, value=-3)
        for _ in pl.range(0, N, 8):
            s = s + pl.row_sum(t + 1)
        y[:, :] = t + s
