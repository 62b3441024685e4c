# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def triangle(x: pl.Tensor[[N], pl.FP32], y: pl.InOut[pl.Tensor[[N], pl.FP32]]):
    for i in pl.parallel(N):
        y[0 : i + 1] = x[0 : i + 1] * 2.0
