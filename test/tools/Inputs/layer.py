# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl
from ops.shift import shift

M = pl.dynamic("M")


@pl.jit
def layer(x: pl.Tensor[[M, 16], pl.FP32], out: pl.Out[pl.Tensor[[M, 16], pl.FP32]]):
    out[:] = shift(x)
