# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows that every iteration stores, and others that every iteration reads: they stay as many as they were.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[M, N], pl.INT32],
    y: pl.InOut[pl.Tensor[[M, N], pl.INT32]],
    z: pl.InOut[pl.Tensor[[M, N], pl.INT32]],
):
    t = x[0:2, :] + 1
    for i in pl.parallel(0, M, 2):
        y[i : i + 2, :] = t
        z[i : i + 2, :] = x[i : i + 2, :] * 2
    for i in pl.parallel(0, M, 2):
        z[i : i + 2, :] = x[i : i + 2, :] + t
