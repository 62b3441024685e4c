# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A loop of one iteration was dissolved, and all blocks ran what threads had distributed.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[2, N], pl.INT32],
    b: pl.InOut[pl.Tensor[[N], pl.INT32]],
    y: pl.InOut[pl.Tensor[[2, N], pl.INT32]],
):
    for i in pl.parallel(0, 2, 4):
        s = pl.full([4, 1], dtype=pl.INT32, value=2)
        for j in pl.range(0, N, 8):
            s = s + pl.row_sum(x[i : i + 4, j : j + 8] + b[j : j + 8])
        for j in pl.range(0, N, 8):
            y[i : i + 4, j : j + 8] = x[i : i + 4, j : j + 8] + pl.abs(s)
