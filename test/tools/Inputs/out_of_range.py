# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def last(x: pl.Tensor[[N], pl.FP32], i: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = x
    y[i] = 0.0
