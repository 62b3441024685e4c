# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32


@pl.jit
def sort_rows(
    x: pl.Tensor[[M, N], DTYPE], v: pl.Out[pl.Tensor[[M, N], DTYPE]], i: pl.Out[pl.Tensor[[M, N], pl.INT32]]
) -> None:
    values, indices = pl.sort(x)
    v[:] = values
    i[:] = indices
