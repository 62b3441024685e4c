# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops with an op that has no rule for tiles in registers, or a tensor that is both read and written."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def residual(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        for j in pl.parallel(0, N, 32):
            t = x[i : i + 16, j : j + 32]
            y[i : i + 16, j : j + 32] = y[i : i + 16, j : j + 32] + pl.exp(t) * pl.row_sum(t)


@pl.jit
def running(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, 16], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        for j in pl.range(0, N, 16):
            t = pl.fillpad(x[i : i + 16, j : j + 16], 0.0)
            y[i : i + 16, :] = pl.maximum(pl.transpose(y[i : i + 16, :] * 0.5, 0, 1) * 0.25, t)


@pl.jit
def halves(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        t = pl.exp(x[i : i + 16, :])
        left = t[:, 0:32]
        right = t[:, 32:64]
        y[i : i + 16, :] = pl.concat(left - right, left * right) + pl.row_max(t)


@pl.jit
def rotated(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        for j in pl.parallel(0, N, 64):
            t = x[i : i + 16, j : j + 64]
            left = t[:, 0:32]
            right = t[:, 32:64]
            y[i : i + 16, j : j + 64] = pl.concat(pl.exp(left), pl.concat(right - 1.0, left * 2.0))


@pl.jit
def sums(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        t = pl.exp(x[i : i + 16, :])
        y[i : i + 16, :] = pl.cumsum(t, axis=1) / pl.row_sum(t)


@pl.jit
def element(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        t = pl.exp(x[i : i + 16, :])
        y[i : i + 16, :] = t * pl.read(t, [0, 3])


@pl.jit
def outside(x: pl.Tensor[[M, 64], pl.FP32], b: pl.Tensor[[1, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    scale = pl.exp(b) * 0.5
    mean = pl.row_sum(b)
    for i in pl.parallel(0, M, 16):
        y[i : i + 16, :] = pl.exp(x[i : i + 16, :]) * scale + mean


@pl.jit
def lengths(x: pl.Tensor[[M, 64], pl.FP32], n: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    for i in pl.parallel(M):
        count = pl.cast(pl.read(n, [i]), pl.INDEX)
        t = pl.full([1, min(count * count * count, 64)], dtype=pl.FP32, value=2.0)
        y[i : i + 1, :] = pl.full([1, 64], dtype=pl.FP32, value=0.0)
        y[i : i + 1, :] = pl.exp(x[i : i + 1, 0 : t.shape[1]]) * t


@pl.jit
def gathered(x: pl.Tensor[[M, 64], pl.FP32], at: pl.Tensor[[M, 8], pl.INT32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        t = pl.exp(x[i : i + 16, :])
        y[i : i + 16, :] = pl.gather(t / pl.row_sum(t), 1, at[i : i + 16, :]) * 2.0


@pl.jit
def halving(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        t = pl.exp(x[i : i + 16, :])
        n = 0
        while n < 3:
            n += 1
            t = t * 0.5 + pl.row_max(t)
        y[i : i + 16, :] = t - 1.0
