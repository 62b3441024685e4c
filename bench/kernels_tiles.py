# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels without a tuned variant on a GPU: tiles in registers, matmuls on tensor cores, from their tile programs."""

import tegula.language as pl

H = pl.dynamic("H")
SQ = pl.dynamic("SQ")
SK = pl.dynamic("SK")
M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
B = pl.dynamic("B")
E = pl.dynamic("E")
STARTS = pl.dynamic("STARTS")
HEIGHT = pl.dynamic("HEIGHT")
WIDTH = pl.dynamic("WIDTH")
HIGH = pl.dynamic("HIGH")
WIDE = pl.dynamic("WIDE")
D = 128
QUERIES = 64
KEYS = 64
ROWS = 128
COLUMNS = 128
WINDOW = 1024
LOWEST = -1e30
HIDDEN = 512
FEW = 16
CHANNELS = 128
CHUNK = 64


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


@pl.jit
def fp32_layer(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    """A matmul whose terms are FP32, bias and SiLU."""
    for i in pl.parallel(0, M, ROWS):
        for j in pl.parallel(0, N, COLUMNS):
            acc = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 32):
                acc = pl.matmul_acc(acc, x[i : i + ROWS, k : k + 32], w[k : k + 32, j : j + COLUMNS])
            acc = acc + bias[j : j + COLUMNS]
            y[i : i + ROWS, j : j + COLUMNS] = acc / (1.0 + pl.exp(-acc))


@pl.jit
def batched_matmul(
    x: pl.Tensor[[B, M, K], pl.BF16],
    w: pl.Tensor[[B, K, N], pl.BF16],
    y: pl.Out[pl.Tensor[[B, M, N], pl.FP32]],
) -> None:
    """One matmul of rank 3."""
    y[:, :, :] = pl.matmul(x, w, out_dtype=pl.FP32)


@pl.jit
def byte_weights(
    x: pl.Tensor[[M, K], pl.BF16],
    w: pl.Tensor[[N, K], pl.INT8],
    scale: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.BF16]],
) -> None:
    """Weights of INT8, multiplied as BF16."""
    for i in pl.parallel(0, M, ROWS):
        for j in pl.parallel(0, N, COLUMNS):
            acc = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 64):
                weights = pl.cast(w[j : j + COLUMNS, k : k + 64], pl.BF16)
                acc = pl.matmul_acc(acc, x[i : i + ROWS, k : k + 64], weights, b_trans=True)
            y[i : i + ROWS, j : j + COLUMNS] = pl.cast(acc * scale[j : j + COLUMNS], pl.BF16, mode="rint")


@pl.jit
def byte_weights_few(
    x: pl.Tensor[[M, K], pl.BF16],
    w: pl.Tensor[[N, K], pl.INT8],
    scale: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.BF16]],
) -> None:
    """The same for few rows."""
    for i in pl.parallel(0, M, FEW):
        for j in pl.parallel(0, N, 32):
            acc = pl.full([FEW, 32], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 128):
                weights = pl.cast(w[j : j + 32, k : k + 128], pl.BF16)
                acc = pl.matmul_acc(acc, x[i : i + FEW, k : k + 128], weights, b_trans=True)
            y[i : i + FEW, j : j + 32] = pl.cast(acc * scale[j : j + 32], pl.BF16, mode="rint")


@pl.jit
def fp8_matmul(
    x: pl.Tensor[[M, K], pl.FP8E4M3FN],
    w: pl.Tensor[[N, K], pl.FP8E4M3FN],
    left: pl.Tensor[[M, 1], pl.FP32],
    right: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.BF16]],
) -> None:
    """FP8 with a scale for each row and column."""
    for i in pl.parallel(0, M, ROWS):
        for j in pl.parallel(0, N, COLUMNS):
            acc = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 64):
                acc = pl.matmul_acc(acc, x[i : i + ROWS, k : k + 64], w[j : j + COLUMNS, k : k + 64], b_trans=True)
            scaled = acc * left[i : i + ROWS, :] * right[:, j : j + COLUMNS]
            y[i : i + ROWS, j : j + COLUMNS] = pl.cast(scaled, pl.BF16, mode="rint")


@pl.jit
def experts(
    x: pl.Tensor[[M, K], pl.BF16],
    w: pl.Tensor[[E, K, N], pl.BF16],
    starts: pl.Tensor[[STARTS], pl.INT32],
    y: pl.Out[pl.Tensor[[M, N], pl.BF16]],
) -> None:
    """Each expert's rows, which follow each other, times its weights."""
    for e in pl.parallel(E):
        first = pl.read(starts, [e])
        last = pl.read(starts, [e + 1])
        for i in pl.parallel(first, last, ROWS):
            rows = min(ROWS, last - i)
            for j in pl.parallel(0, N, COLUMNS):
                acc = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
                for k in pl.range(0, K, 64):
                    acc = pl.matmul_acc(acc, x[i : i + rows, k : k + 64], w[e, k : k + 64, j : j + COLUMNS])
                y[i : i + rows, j : j + COLUMNS] = pl.cast(acc, pl.BF16, mode="rint")


@pl.jit
def convolution(
    x: pl.Tensor[[B, HEIGHT, WIDTH, CHANNELS], pl.BF16],
    w: pl.Tensor[[3, 3, CHANNELS, CHANNELS], pl.BF16],
    y: pl.Out[pl.Tensor[[B, HIGH, WIDE, CHANNELS], pl.BF16]],
) -> None:
    """3 x 3, channels last, without padding: nine matmuls for each row of pixels."""
    for b in pl.parallel(B):
        for r in pl.parallel(HIGH):
            for c in pl.parallel(0, WIDE, 64):
                acc = pl.full([64, CHANNELS], dtype=pl.FP32, value=0.0)
                for p in pl.range(3):
                    for q in pl.range(3):
                        acc = pl.matmul_acc(acc, x[b, r + p, c + q : c + q + 64, :], w[p, q, :, :])
                y[b, r, c : c + 64, :] = pl.cast(acc, pl.BF16, mode="rint")


@pl.jit
def linear_attention(
    q: pl.Tensor[[H, SQ, D], pl.BF16],
    k: pl.Tensor[[H, SQ, D], pl.BF16],
    v: pl.Tensor[[H, SQ, D], pl.BF16],
    out: pl.Out[pl.Tensor[[H, SQ, D], pl.BF16]],
) -> None:
    """Causal, without softmax: a chunk sees itself, and all chunks before it as one matrix."""
    for h in pl.parallel(H):
        state = pl.full([D, D], dtype=pl.FP32, value=0.0)
        for i in pl.range(0, SQ, CHUNK):
            queries = q[h, i : i + CHUNK, :]
            keys = k[h, i : i + CHUNK, :]
            values = v[h, i : i + CHUNK, :]
            scores = pl.matmul(queries, keys, b_trans=True, out_dtype=pl.FP32)
            rows = pl.reshape(pl.arange(0, [1, CHUNK], pl.INT32), [CHUNK, 1])
            columns = pl.arange(0, [1, CHUNK], pl.INT32)
            scores = pl.sel(columns <= rows, scores, 0.0)
            inside = pl.matmul(pl.cast(scores, pl.BF16, mode="rint"), values, out_dtype=pl.FP32)
            before = pl.matmul(queries, pl.cast(state, pl.BF16, mode="rint"), out_dtype=pl.FP32)
            out[h, i : i + CHUNK, :] = pl.cast(inside + before, pl.BF16, mode="rint")
            state = pl.matmul_acc(state, keys, values, a_trans=True)
