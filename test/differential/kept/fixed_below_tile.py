# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An axis fixed below the tile that covers it.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(x: pl.Tensor[[4, N], pl.FP32], y: pl.InOut[pl.Tensor[[4, N], pl.FP32]]):
    for i in pl.parallel(0, 4, 8):
        least = pl.min(y[i : i + 8, :], axis=1) + y[i + 1 : i + 1 + 8, :]
        y[i : i + 8, :] = least + (x[i : i + 8, :] + pl.full([8, 1], dtype=pl.FP32, value=-1.5))
