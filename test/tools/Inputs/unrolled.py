# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def power(x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    t = x + 0.0
    for _ in pl.unroll(n):
        t = t * x
    y[:] = t
