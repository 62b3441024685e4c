# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def broken(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = x + z
