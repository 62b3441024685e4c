# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def twice(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x * 2.0


@pl.jit
def half(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x * 0.5
