# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows are taken of a window that is as long as one step.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M, 64], pl.FP32], w: pl.Tensor[[64, 32], pl.FP32], y: pl.InOut[pl.Tensor[[M, 32], pl.FP32]]):
    for i in pl.range(0, M, 16):
        u = x[0:16, :]
        y[i : i + 16, :] = pl.matmul(u[i : i + 16, :], w)
