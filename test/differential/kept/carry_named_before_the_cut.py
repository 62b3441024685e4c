# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = pl.full([M], dtype=pl.FP32, value=-1.0)
    a = x * 1.0
    b = x * 2.0
    for i in pl.range(0, 3):
        a = b
        n = pl.tensor.dim(b, 0)
        b = b[0 : max(n - 1, 0)] + 1.0
    out[0 : pl.tensor.dim(a, 0)] = a
