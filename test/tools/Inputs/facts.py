# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def facts(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[M], pl.FP32]]):
    pl.assume(M % 16 == 0)
    z[:] = pl.read(x, [0, 63]) + y
    for i in pl.range(M):
        z[i] = pl.read(y, [i]) + pl.read(x, [i, 7])
