# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that could be faster, each for one reason."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def columns(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for j in pl.parallel(N):
        y[:, j : j + 1] = x[:, j : j + 1] * 2.0


@pl.jit
def rows(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        y[i : i + 64, :] = x[i : i + 64, :] * 2.0


@pl.jit
def written_first(x: pl.InOut[pl.Tensor[[M, N], pl.FP32]], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.range(0, M, 64):
        t = pl.load(x, [i, 0], [64, 128])
        x[i : i + 64, 0:128] = t + 1.0
        y[i : i + 64, 0:128] = t * 2.0


@pl.jit
def written_last(x: pl.InOut[pl.Tensor[[M, N], pl.FP32]], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.range(0, M, 64):
        t = pl.load(x, [i, 0], [64, 128])
        y[i : i + 64, 0:128] = t * 2.0
        x[i : i + 64, 0:128] = t + 1.0


@pl.jit
def across(x: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
    x[0:64, 0:64] = pl.transpose(x[0:64, 0:64], 0, 1) * 2.0


@pl.jit
def by_eight(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for i in pl.range(0, M, 8):
        y[i : i + 8] = x[i : i + 8] * 2.0


@pl.jit
def by_elements(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for i in pl.range(M):
        y[i] = x[i] * 2.0


@pl.jit
def narrow(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for j in pl.parallel(0, N, 4):
        y[:, j : j + 4] = x[:, j : j + 4] * 2.0


@pl.jit
def large(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[2048, N], pl.FP32]]):
    sums = pl.full([2048, 2048], pl.FP32, 0.0)
    for i in pl.range(0, M, 2048):
        sums = sums + pl.load(x, [i, 0], [2048, 2048])
    y[:, 0:2048] = sums


@pl.jit
def two_halves(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 2048):
        y[i : i + 2048, :] = pl.tanh(x[i : i + 2048, :])


@pl.jit
def last_waits(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(2):
        for j in pl.range(100 + i * 300):
            y[i : i + 1, :] = pl.tanh(x[i : i + 1, :])


@pl.jit
def small(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[256, N], pl.FP32]]):
    sums = pl.full([256, 256], pl.FP32, 0.0)
    for i in pl.range(0, M, 256):
        sums = sums + pl.load(x, [i, 0], [256, 256])
    y[:, 0:256] = sums


@pl.jit
def transposed(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        y[0:64, i : i + 64] = pl.exp(pl.transpose(pl.load(x, [i, 0], [64, 64]), 0, 1))


@pl.jit
def moved(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        y[0:64, i : i + 64] = pl.transpose(pl.load(x, [i, 0], [64, 64]), 0, 1)
