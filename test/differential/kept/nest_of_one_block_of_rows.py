# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The outer loop was dissolved, and all blocks ran what threads had distributed.
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def k(x: pl.Tensor[[5, N], pl.FP32], y: pl.InOut[pl.Tensor[[5, N], pl.FP32]]):
    for i in pl.parallel(0, 5, 16):
        for j in pl.parallel(0, N, 32):
            y[i : i + 16, j : j + 32] = pl.abs(x[i : i + 16, j : j + 32]) * pl.row_sum(x[i : i + 16, j : j + 32])
