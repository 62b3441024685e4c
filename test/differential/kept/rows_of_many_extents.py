# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows of a loop meet so many tiles that nobody names all their extents.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[M, N], pl.FP32],
    c: pl.Tensor[[1, N], pl.FP32],
    y: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    for i in pl.parallel(0, M, 3):
        t = pl.sin(pl.minimum(pl.maximum(x[i : i + 3, :] * c[:, :], -4.0), 4.0))
        r = 1.0 / (pl.row_sum(pl.abs(y[i : i + 3, :])) + 1.0)
        u = pl.sin(pl.minimum(pl.maximum(t - r, -4.0), 4.0))
        y[i : i + 3, :] = t - 1.0 / (pl.row_sum(pl.abs(u)) + 1.0)
