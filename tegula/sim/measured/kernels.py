# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that were timed, in the language: one structure for each, at all sizes.

What a pass leaves in memory, the next one reads. `tegula sim --fidelity` compiles them.
"""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
H = pl.dynamic("H")
L = pl.dynamic("L")
ROWS = 128
QUERIES = 512
KEYS = 512
SIZE = 64
LOWEST = -1e30
EPSILON = 1e-5


@pl.jit
def gemm(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = a @ b


@pl.jit
def gemmfp16(a: pl.Tensor[[M, K], pl.FP16], b: pl.Tensor[[K, N], pl.FP16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b, out_dtype=pl.FP32)


@pl.jit
def softmax(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    largest = pl.create_tensor([M, 1], dtype=pl.FP32)
    total = pl.create_tensor([M, 1], dtype=pl.FP32)
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            largest[i : i + ROWS, :] = pl.row_max(x[i : i + ROWS, :])
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            total[i : i + ROWS, :] = pl.row_sum(pl.exp(pl.row_expand_sub(x[i : i + ROWS, :], largest[i : i + ROWS, :])))
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            e = pl.exp(pl.row_expand_sub(x[i : i + ROWS, :], largest[i : i + ROWS, :]))
            y[i : i + ROWS, :] = pl.row_expand_div(e, total[i : i + ROWS, :])


@pl.jit
def layernorm(
    x: pl.Tensor[[M, N], pl.FP32],
    gamma: pl.Tensor[[1, N], pl.FP32],
    beta: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    mean = pl.create_tensor([M, 1], dtype=pl.FP32)
    scale = pl.create_tensor([M, 1], dtype=pl.FP32)
    normal = pl.create_tensor([M, N], dtype=pl.FP32)
    per_column = 1.0 / pl.cast(N, pl.FP32)
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            mean[i : i + ROWS, :] = pl.row_sum(x[i : i + ROWS, :]) * per_column
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            centred = pl.row_expand_sub(x[i : i + ROWS, :], mean[i : i + ROWS, :])
            scale[i : i + ROWS, :] = pl.rsqrt(pl.row_sum(centred * centred) * per_column + EPSILON)
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            centred = pl.row_expand_sub(x[i : i + ROWS, :], mean[i : i + ROWS, :])
            normal[i : i + ROWS, :] = pl.row_expand_mul(centred, scale[i : i + ROWS, :])
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            y[i : i + ROWS, :] = pl.col_expand_add(pl.col_expand_mul(normal[i : i + ROWS, :], gamma), beta)


@pl.jit
def attention(
    q: pl.Tensor[[H, L, SIZE], pl.FP32],
    k: pl.Tensor[[H, L, SIZE], pl.FP32],
    v: pl.Tensor[[H, L, SIZE], pl.FP32],
    out: pl.Out[pl.Tensor[[H, L, SIZE], pl.FP32]],
):
    scores = pl.create_tensor([H, L, L], dtype=pl.FP32)
    largest = pl.create_tensor([H, L, 1], dtype=pl.FP32)
    total = pl.create_tensor([H, L, 1], dtype=pl.FP32)
    for h in pl.parallel(H):
        for i in pl.parallel(0, L, QUERIES):
            with pl.at(level=pl.Level.CORE_GROUP):
                highest = pl.full([QUERIES, 1], dtype=pl.FP32, value=LOWEST)
                for j in pl.range(0, L, KEYS):
                    rows = pl.matmul(q[h, i : i + QUERIES, :], k[h, j : j + KEYS, :], b_trans=True, out_dtype=pl.FP32)
                    scores[h, i : i + QUERIES, j : j + KEYS] = rows
                    highest = pl.maximum(highest, pl.row_max(rows))
                largest[h, i : i + QUERIES, :] = highest
    for h in pl.parallel(H):
        for i in pl.parallel(0, L, QUERIES):
            with pl.at(level=pl.Level.CORE_GROUP):
                sums = pl.full([QUERIES, 1], dtype=pl.FP32, value=0.0)
                for j in pl.range(0, L, KEYS):
                    rows = scores[h, i : i + QUERIES, j : j + KEYS]
                    sums = sums + pl.row_sum(pl.exp(pl.row_expand_sub(rows, largest[h, i : i + QUERIES, :])))
                total[h, i : i + QUERIES, :] = sums
    for h in pl.parallel(H):
        for i in pl.parallel(0, L, QUERIES):
            with pl.at(level=pl.Level.CORE_GROUP):
                result = pl.full([QUERIES, SIZE], dtype=pl.FP32, value=0.0)
                for j in pl.range(0, L, KEYS):
                    rows = scores[h, i : i + QUERIES, j : j + KEYS]
                    weights = pl.exp(pl.row_expand_sub(rows, largest[h, i : i + QUERIES, :]))
                    weights = pl.row_expand_div(weights, total[h, i : i + QUERIES, :])
                    result = pl.matmul_acc(result, weights, v[h, j : j + KEYS, :])
                out[h, i : i + QUERIES, :] = result
