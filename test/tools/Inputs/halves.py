# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def whole(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M // 2 * 2], pl.FP32]]):
    y[:] = pl.reshape(x, [M // 2 * 2])


@pl.jit
def odd(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    pl.assume(N == M // 2 * 2)
    for i in pl.range(0, N, 8):
        tile = pl.load(x, [i], [8])
        pl.store(tile, [i], y)
