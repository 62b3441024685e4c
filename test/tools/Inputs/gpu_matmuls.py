# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products without tuned code on a GPU, each for another reason."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
H = pl.dynamic("H")


@pl.jit
def late(x: pl.Tensor[[M, K], pl.BF16], y: pl.Tensor[[K, N], pl.BF16], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        for j in pl.parallel(0, N, 64):
            acc = pl.zeros([64, 64])
            for k in pl.range(32, K, 32):
                acc = pl.matmul_acc(acc, x[i : i + 64, k : k + 32], y[k : k + 32, j : j + 64])
            out[i : i + 64, j : j + 64] = acc


@pl.jit
def begun(x: pl.Tensor[[M, K], pl.BF16], y: pl.Tensor[[K, N], pl.BF16], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        for j in pl.parallel(0, N, 64):
            acc = pl.matmul(x[i : i + 64, 0:32], y[0:32, j : j + 64], out_dtype=pl.FP32)
            for k in pl.range(32, K, 32):
                acc = pl.matmul_acc(acc, x[i : i + 64, k : k + 32], y[k : k + 32, j : j + 64])
            out[i : i + 64, j : j + 64] = acc


@pl.jit
def partial(x: pl.Tensor[[M, K], pl.BF16], y: pl.Tensor[[K, N], pl.BF16], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        out[i : i + 64, :] = pl.matmul(x[i : i + 64, 0:32], y[0:32, :], out_dtype=pl.FP32)


@pl.jit
def layers(
    x: pl.Tensor[[M, K], pl.BF16],
    up: pl.Tensor[[K, H], pl.BF16],
    down: pl.Tensor[[H, N], pl.BF16],
    out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    hidden = pl.matmul(x, up, out_dtype=pl.FP32)
    hidden = hidden / (1.0 + pl.exp(-hidden))
    out[:] = pl.matmul(pl.cast(hidden, pl.BF16), down, out_dtype=pl.FP32)


@pl.jit
def gated(
    x: pl.Tensor[[M, K], pl.BF16],
    gate: pl.Tensor[[K, N], pl.BF16],
    up: pl.Tensor[[K, N], pl.BF16],
    out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    for i in pl.parallel(0, M, 64):
        for j in pl.parallel(0, N, 64):
            first = pl.zeros([64, 64])
            second = pl.zeros([64, 64])
            for k in pl.range(0, K, 32):
                part = x[i : i + 64, k : k + 32]
                first = pl.matmul_acc(first, part, gate[k : k + 32, j : j + 64])
                second = pl.matmul_acc(second, part, up[k : k + 32, j : j + 64])
            out[i : i + 64, j : j + 64] = first / (1.0 + pl.exp(-first)) * second


@pl.jit
def twice(
    x: pl.Tensor[[M, K], pl.BF16],
    y: pl.Tensor[[K, N], pl.BF16],
    z: pl.Tensor[[K, N], pl.BF16],
    out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    out[:] = pl.exp(pl.matmul(x, y, out_dtype=pl.FP32))
    out[:] = pl.matmul(x, z, out_dtype=pl.FP32)
