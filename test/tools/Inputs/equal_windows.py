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
def pages(x: pl.Tensor[[4, 8, 2, 32], pl.FP32], y: pl.Out[pl.Tensor[[8, 32], pl.FP32]]):
    total = pl.zeros([8, 32])
    for p in pl.range(4):
        total = total + x[p, :, 0, :]
    y[:] = total


@pl.jit
def matmul_anew(a: pl.Tensor[[M, H], pl.FP32], b: pl.Tensor[[H, W], pl.FP32], y: pl.Out[pl.Tensor[[M, W], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        r = pl.min(16, M - i)
        acc = pl.create_tile([r, W], dtype=pl.FP32)
        for k in pl.range(0, H, 16):
            acc = pl.matmul_acc(acc, a[i : i + r, k : k + 16], b[k : k + 16, :], init_cond=(k == 0))
        y[i : i + r, :] = acc


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


@pl.jit
def pages_in_use(x: pl.Tensor[[4, 8, 2, 32], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[8, 32], pl.FP32]]):
    total = pl.zeros([8, 32])
    for p in pl.range(4):
        used = pl.max(pl.min(8, n - p * 8), 0)
        total = total + x[p, 0:used, 0, :]
    y[:] = total
