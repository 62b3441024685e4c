# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of sorted pairs an odd number of columns is read.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[M, N], pl.FP32],
    i: pl.Tensor[[M, N], pl.UINT32],
    y: pl.InOut[pl.Tensor[[M, 1], pl.FP32]],
):
    y[:] = pl.sort32(x, i)[:, 0:1]
