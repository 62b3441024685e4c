# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows that a loop moves, and that never reach the edge: all have one length."""

import tegula.language as pl

M = pl.dynamic("M")
H = pl.dynamic("H")
W = pl.dynamic("W")
R = pl.dynamic("R")


@pl.jit
def taps(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for c in pl.range(0, M - 2, 64):
        end = pl.min(c + 64, M - 2)
        acc = pl.zeros([end - c])
        for d in pl.range(3):
            acc = acc + x[c + d : end + d]
        y[c:end] = acc


@pl.jit
def convolved(
    x: pl.Tensor[[H, 64], pl.FP32], w: pl.Tensor[[R], pl.FP32], y: pl.Out[pl.Tensor[[H - R + 1, 64], pl.FP32]]
):
    rows = H - R + 1
    acc = pl.zeros([rows, 64])
    for r in pl.range(R):
        acc = acc + x[r : r + rows, :] * w[r]
    y[:] = acc


@pl.jit
def image(x: pl.Tensor[[H, W], pl.FP32], w: pl.Tensor[[3, 3], pl.FP32], y: pl.Out[pl.Tensor[[H - 2, W - 2], pl.FP32]]):
    acc = pl.zeros([H - 2, W - 2])
    for r in pl.range(3):
        for s in pl.range(3):
            acc = acc + x[r : r + H - 2, s : s + W - 2] * w[r, s]
    y[:] = acc


@pl.jit
def one_tap_too_many(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for c in pl.range(0, M - 2, 64):
        end = pl.min(c + 64, M - 2)
        acc = pl.zeros([end - c])
        for d in pl.range(4):
            acc = acc + x[c + d : end + d]
        y[c:end] = acc


@pl.jit
def one_row_too_many(
    x: pl.Tensor[[H, 64], pl.FP32], y: pl.Out[pl.Tensor[[H - R + 1, 64], pl.FP32]], w: pl.Tensor[[R], pl.FP32]
):
    rows = H - R + 1
    acc = pl.zeros([rows, 64])
    for r in pl.range(R + 1):
        acc = acc + x[r : r + rows, :]
    y[:] = acc + w[0]
