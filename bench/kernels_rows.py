# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows in the styles that authors write them in, for a GPU's tiles in registers: with the tuned variants of whole rows
switched off, they run as their tile programs say."""

import tegula.language as pl

B = pl.dynamic("B")
H = pl.dynamic("H")
M = pl.dynamic("M")
N = pl.dynamic("N")
D = 128
ROWS = 16
CHUNK = 512
EPSILON = 1e-5


@pl.jit
def softmax_row(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    """One row at a time, of any length."""
    for i in pl.parallel(M):
        row = x[i, :]
        powers = pl.exp(row - pl.max(row))
        y[i, :] = powers / pl.sum(powers)


@pl.jit
def residual_rms_norm(
    x: pl.Tensor[[M, N], pl.BF16],
    residual: pl.Tensor[[M, N], pl.BF16],
    gamma: pl.Tensor[[1, N], pl.BF16],
    total: pl.Out[pl.Tensor[[M, N], pl.BF16]],
    y: pl.Out[pl.Tensor[[M, N], pl.BF16]],
) -> None:
    """Blocks of rows; what is normalised is kept, too."""
    for i in pl.parallel(0, M, ROWS):
        t = pl.cast(x[i : i + ROWS, :], pl.FP32) + pl.cast(residual[i : i + ROWS, :], pl.FP32)
        mean = pl.row_sum(t * t) * (1.0 / pl.cast(N, pl.FP32))
        scaled = pl.row_expand_mul(t, pl.rsqrt(mean + EPSILON))
        total[i : i + ROWS, :] = pl.cast(t, pl.BF16, mode="rint")
        y[i : i + ROWS, :] = pl.cast(pl.col_expand_mul(scaled, pl.cast(gamma, pl.FP32)), pl.BF16, mode="rint")


@pl.jit
def layer_norm_passes(
    x: pl.Tensor[[M, N], pl.FP32],
    gamma: pl.Tensor[[1, N], pl.FP32],
    beta: pl.Tensor[[1, N], pl.FP32],
    mean: pl.Out[pl.Tensor[[M, 1], pl.FP32]],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    """Two loops over parts of one row; its mean is a result."""
    for i in pl.parallel(M):
        first = pl.full([1, 1], dtype=pl.FP32, value=0.0)
        second = pl.full([1, 1], dtype=pl.FP32, value=0.0)
        for j in pl.range(0, N, CHUNK):
            part = x[i : i + 1, j : j + CHUNK]
            first = first + pl.row_sum(part)
            second = second + pl.row_sum(part * part)
        middle = first * (1.0 / pl.cast(N, pl.FP32))
        scale = pl.rsqrt(second * (1.0 / pl.cast(N, pl.FP32)) - middle * middle + EPSILON)
        mean[i : i + 1, :] = middle
        for j in pl.range(0, N, CHUNK):
            normal = pl.row_expand_mul(pl.row_expand_sub(x[i : i + 1, j : j + CHUNK], middle), scale)
            scaled = pl.col_expand_mul(normal, gamma[:, j : j + CHUNK])
            y[i : i + 1, j : j + CHUNK] = pl.col_expand_add(scaled, beta[:, j : j + CHUNK])


@pl.jit
def row_sums(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.FP32]]) -> None:
    """A result of one column."""
    for i in pl.parallel(0, M, ROWS):
        y[i : i + ROWS, :] = pl.row_sum(x[i : i + ROWS, :])


@pl.jit
def head_norm(
    x: pl.Tensor[[B, M, H, D], pl.BF16],
    gamma: pl.Tensor[[1, D], pl.BF16],
    y: pl.Out[pl.Tensor[[B, M, H, D], pl.BF16]],
) -> None:
    """Each head of each token by itself."""
    for b in pl.parallel(B):
        for i in pl.parallel(M):
            t = pl.cast(x[b, i, :, :], pl.FP32)
            scale = pl.rsqrt(pl.row_sum(t * t) * (1.0 / D) + EPSILON)
            scaled = pl.col_expand_mul(pl.row_expand_mul(t, scale), pl.cast(gamma, pl.FP32))
            y[b, i, :, :] = pl.cast(scaled, pl.BF16, mode="rint")


@pl.jit
def quantize_rows(
    x: pl.Tensor[[M, N], pl.BF16],
    scale: pl.Out[pl.Tensor[[M, 1], pl.FP32]],
    y: pl.Out[pl.Tensor[[M, N], pl.INT8]],
) -> None:
    """Rows to INT8, each with a scale."""
    for i in pl.parallel(M):
        t = pl.cast(x[i : i + 1, :], pl.FP32)
        most = pl.maximum(pl.row_max(pl.abs(t)), 1e-8)
        scale[i : i + 1, :] = most * (1.0 / 127.0)
        y[i : i + 1, :] = pl.cast(pl.row_expand_mul(t, 127.0 / most), pl.INT8, mode="rint")


@pl.jit
def scale_rows(
    x: pl.Tensor[[M, N], pl.FP32],
    scale: pl.Tensor[[M], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    """A scalar of each row is read next to it."""
    for i in pl.parallel(M):
        y[i, :] = x[i, :] * scale[i]


@pl.jit
def column_sums(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[1, N], pl.FP32]]) -> None:
    y[:] = pl.col_sum(x)


@pl.jit
def bias_and_gate(
    x: pl.Tensor[[B, M, N], pl.BF16],
    bias: pl.Tensor[[N], pl.BF16],
    gate: pl.Tensor[[B, M, 1], pl.BF16],
    y: pl.Out[pl.Tensor[[B, M, N], pl.BF16]],
) -> None:
    """Whole arrays of three axes, with operands that have fewer."""
    y[:] = (x + bias) * gate


@pl.jit
def scale_vector(x: pl.Tensor[[N], pl.FP32], scale: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    """Tiles of few elements."""
    for i in pl.parallel(0, N, 64):
        y[i : i + 64] = x[i : i + 64] * scale
