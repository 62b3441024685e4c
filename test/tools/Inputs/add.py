# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def add(
    x: pl.Tensor[[M, N], pl.FP32],
    y: pl.Tensor[[M, N], pl.FP32],
    out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    out[:] = x + y
