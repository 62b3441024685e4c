# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def first(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = x + 1.0


@pl.jit
def second(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = x + 2.0
