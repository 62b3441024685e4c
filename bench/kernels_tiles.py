# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels without a tuned variant on a GPU: tiles in registers, matmuls on tensor cores, from their tile programs."""

import tegula.language as pl

H = pl.dynamic("H")
SQ = pl.dynamic("SQ")
SK = pl.dynamic("SK")
M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
D = 128
QUERIES = 64
KEYS = 64
ROWS = 128
COLUMNS = 128
WINDOW = 1024
LOWEST = -1e30
HIDDEN = 512


@pl.jit
def softcap_attention(
    q: pl.Tensor[[H, SQ, D], pl.BF16],
    k: pl.Tensor[[H, SK, D], pl.BF16],
    v: pl.Tensor[[H, SK, D], pl.BF16],
    scale: pl.Scalar[pl.FP32],
    out: pl.Out[pl.Tensor[[H, SQ, D], pl.BF16]],
) -> None:
    """Causal attention with scores between -50 and 50."""
    past = SK - SQ
    for h in pl.parallel(H):
        for i in pl.parallel(0, SQ, QUERIES):
            queries = q[h, i : i + QUERIES, :]
            largest = pl.full([QUERIES, 1], dtype=pl.FP32, value=LOWEST)
            total = pl.full([QUERIES, 1], dtype=pl.FP32, value=0.0)
            result = pl.full([QUERIES, D], dtype=pl.FP32, value=0.0)
            for j in pl.range(0, min(past + i + QUERIES, SK), KEYS):
                scores = pl.matmul(queries, k[h, j : j + KEYS, :], b_trans=True, out_dtype=pl.FP32) * scale
                scores = pl.tanh(scores * 0.02) * 50.0
                if j + KEYS > past + i + 1:
                    rows = pl.reshape(pl.arange(past + i, [1, QUERIES], pl.INT32), [QUERIES, 1])
                    columns = pl.arange(j, [1, KEYS], pl.INT32)
                    scores = pl.sel(columns <= rows, scores, LOWEST)
                higher = pl.maximum(largest, pl.row_max(scores))
                weights = pl.exp(pl.row_expand_sub(scores, higher))
                faded = pl.exp(largest - higher)
                total = total * faded + pl.row_sum(weights)
                rounded = pl.cast(weights, pl.BF16, mode="rint")
                result = pl.matmul_acc(pl.row_expand_mul(result, faded), rounded, v[h, j : j + KEYS, :])
                largest = higher
            out[h, i : i + QUERIES, :] = pl.cast(pl.row_expand_div(result, total), pl.BF16, mode="rint")


@pl.jit
def window_attention(
    q: pl.Tensor[[H, SQ, D], pl.BF16],
    k: pl.Tensor[[H, SQ, D], pl.BF16],
    v: pl.Tensor[[H, SQ, D], pl.BF16],
    scale: pl.Scalar[pl.FP32],
    out: pl.Out[pl.Tensor[[H, SQ, D], pl.BF16]],
) -> None:
    """Causal attention of each query to the last WINDOW keys."""
    for h in pl.parallel(H):
        for i in pl.parallel(0, SQ, QUERIES):
            queries = q[h, i : i + QUERIES, :]
            largest = pl.full([QUERIES, 1], dtype=pl.FP32, value=LOWEST)
            total = pl.full([QUERIES, 1], dtype=pl.FP32, value=0.0)
            result = pl.full([QUERIES, D], dtype=pl.FP32, value=0.0)
            for j in pl.range(max(0, (i - WINDOW) // KEYS * KEYS), min(i + QUERIES, SQ), KEYS):
                scores = pl.matmul(queries, k[h, j : j + KEYS, :], b_trans=True, out_dtype=pl.FP32) * scale
                rows = pl.reshape(pl.arange(i, [1, QUERIES], pl.INT32), [QUERIES, 1])
                columns = pl.arange(j, [1, KEYS], pl.INT32)
                scores = pl.sel(columns <= rows, scores, LOWEST)
                scores = pl.sel(columns + WINDOW > rows, scores, LOWEST)
                higher = pl.maximum(largest, pl.row_max(scores))
                weights = pl.exp(pl.row_expand_sub(scores, higher))
                faded = pl.exp(largest - higher)
                total = total * faded + pl.row_sum(weights)
                rounded = pl.cast(weights, pl.BF16, mode="rint")
                result = pl.matmul_acc(pl.row_expand_mul(result, faded), rounded, v[h, j : j + KEYS, :])
                largest = higher
            out[h, i : i + QUERIES, :] = pl.cast(pl.row_expand_div(result, total), pl.BF16, mode="rint")


@pl.jit
def causal_attention(
    q: pl.Tensor[[H, SQ, D], pl.BF16],
    k: pl.Tensor[[H, SK, D], pl.BF16],
    v: pl.Tensor[[H, SK, D], pl.BF16],
    scale: pl.Scalar[pl.FP32],
    out: pl.Out[pl.Tensor[[H, SQ, D], pl.BF16]],
) -> None:
    """Causal attention, whose tuned variant is not taken: the result is scaled."""
    past = SK - SQ
    for h in pl.parallel(H):
        for i in pl.parallel(0, SQ, QUERIES):
            queries = q[h, i : i + QUERIES, :]
            largest = pl.full([QUERIES, 1], dtype=pl.FP32, value=LOWEST)
            total = pl.full([QUERIES, 1], dtype=pl.FP32, value=0.0)
            result = pl.full([QUERIES, D], dtype=pl.FP32, value=0.0)
            for j in pl.range(0, min(past + i + QUERIES, SK), KEYS):
                scores = pl.matmul(queries, k[h, j : j + KEYS, :], b_trans=True, out_dtype=pl.FP32) * scale
                if j + KEYS > past + i + 1:
                    rows = pl.reshape(pl.arange(past + i, [1, QUERIES], pl.INT32), [QUERIES, 1])
                    columns = pl.arange(j, [1, KEYS], pl.INT32)
                    scores = pl.sel(columns <= rows, scores, LOWEST)
                higher = pl.maximum(largest, pl.row_max(scores))
                weights = pl.exp(pl.row_expand_sub(scores, higher))
                faded = pl.exp(largest - higher)
                total = total * faded + pl.row_sum(weights)
                rounded = pl.cast(weights, pl.BF16, mode="rint")
                result = pl.matmul_acc(pl.row_expand_mul(result, faded), rounded, v[h, j : j + KEYS, :])
                largest = higher
            out[h, i : i + QUERIES, :] = pl.cast(pl.row_expand_div(result, total) * 1.0, pl.BF16, mode="rint")


@pl.jit
def gate_up(
    x: pl.Tensor[[M, K], pl.BF16],
    gate: pl.Tensor[[K, N], pl.BF16],
    up: pl.Tensor[[K, N], pl.BF16],
    y: pl.Out[pl.Tensor[[M, N], pl.BF16]],
) -> None:
    """Two matmuls that share an operand, and SwiGLU."""
    for i in pl.parallel(0, M, ROWS):
        for j in pl.parallel(0, N, COLUMNS):
            first = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
            second = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 64):
                part = x[i : i + ROWS, k : k + 64]
                first = pl.matmul_acc(first, part, gate[k : k + 64, j : j + COLUMNS])
                second = pl.matmul_acc(second, part, up[k : k + 64, j : j + COLUMNS])
            y[i : i + ROWS, j : j + COLUMNS] = pl.cast(first / (1.0 + pl.exp(-first)) * second, pl.BF16, mode="rint")


@pl.jit
def two_layers(
    x: pl.Tensor[[M, D], pl.BF16],
    up: pl.Tensor[[D, HIDDEN], pl.BF16],
    down: pl.Tensor[[HIDDEN, D], pl.BF16],
    y: pl.Out[pl.Tensor[[M, D], pl.BF16]],
) -> None:
    """A matmul of what another one gives, and ReLU between."""
    for i in pl.parallel(0, M, ROWS):
        rows = x[i : i + ROWS, :]
        acc = pl.full([ROWS, D], dtype=pl.FP32, value=0.0)
        for j in pl.range(0, HIDDEN, 64):
            hidden = pl.relu(pl.matmul(rows, up[:, j : j + 64], out_dtype=pl.FP32))
            acc = pl.matmul_acc(acc, pl.cast(hidden, pl.BF16, mode="rint"), down[j : j + 64, :])
        y[i : i + ROWS, :] = pl.cast(acc, pl.BF16, mode="rint")
