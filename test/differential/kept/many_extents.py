# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The rows of an expression without a bound are the least of many extents.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(x1: pl.Tensor[[M, N], pl.INT8], x2: pl.Tensor[[M, N], pl.INT8], y: pl.InOut[pl.Tensor[[M, N], pl.INT8]]):
    for i in pl.parallel(0, M, 8):
        t6 = pl.maximum(pl.full([1, N], dtype=pl.INT8, value=-1), x2[i + 2 : i + 2 + 8, :]) & x1[i : i + 8, :]
        wide = pl.cast(y[i : i + 8, :], pl.FP32) + t6
        short = pl.minimum(pl.maximum(wide, -8.0), 8.0)
        y[i : i + 8, :] = pl.col_sum(y[i : i + 8, :]) + pl.cast(short, pl.INT8, mode="trunc")
