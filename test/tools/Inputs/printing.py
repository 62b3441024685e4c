# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
ROWS = 2


@pl.jit
def printing(limit: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    pl.static_print("rows", ROWS)
    for i in pl.parallel(0, M, ROWS):
        y[i : i + ROWS, :] = pl.full([ROWS, N], dtype=pl.INT32, value=1)
        ones = y[i : i + ROWS, :]
        pl.print("ones", ones, M)
        number = pl.cast(i, pl.INT32)
        pl.assert_(number < limit, "the limit is low")
