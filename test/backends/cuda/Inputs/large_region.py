# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP64], y: pl.Out[pl.Tensor[[M, 128], pl.FP64]]):
    for i in pl.parallel(0, M, 32):
        t = pl.exp(x[i : i + 32, :])
        for _ in pl.unroll(3):
            t = pl.cumsum(t, axis=1) + t
        y[i : i + 32, :] = t
