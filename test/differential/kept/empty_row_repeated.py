# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A row beyond the edge is empty, and so is what it is repeated to.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(x: pl.Tensor[[1, N], pl.FP16], z: pl.Tensor[[M, N], pl.INT8], y: pl.InOut[pl.Tensor[[M, N], pl.INT8]]):
    for i in pl.range(0, M, 7):
        for j in pl.range(0, N, 5):
            row = pl.cast(x[i + 1 : i + 8, j : j + 5], pl.INT8, mode="rint")
            y[i : i + 7, j : j + 5] = z[i : i + 7, j : j + 5] + row
            y[i : i + 7, j : j + 5] = pl.min(z[i + 2 : i + 3, j : j + 5], axis=-1) + z[i : i + 7, j : j + 5]
    y[:] = z + z[M // 2 : M // 2 + 1, :]
