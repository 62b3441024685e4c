# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def copy(x: pl.Tensor[[M, 1, 1, 1, 1, 1, 1, 1, 1], pl.FP32], y: pl.Out[pl.Tensor[[M, 1, 1, 1, 1, 1, 1, 1, 1], pl.FP32]]):
    y[:] = x
