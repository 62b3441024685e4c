# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls of narrow element types, and one with an epilogue, that bench/matmul.py calls."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def bf16(x: pl.Tensor[[M, K], pl.BF16], y: pl.Tensor[[K, N], pl.BF16], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = pl.matmul(x, y, out_dtype=pl.FP32)


@pl.jit
def int8(x: pl.Tensor[[M, K], pl.INT8], y: pl.Tensor[[K, N], pl.INT8], out: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    out[:] = pl.matmul(x, y)


@pl.jit
def fp16(x: pl.Tensor[[M, K], pl.FP16], y: pl.Tensor[[K, N], pl.FP16], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = pl.matmul(x, y, out_dtype=pl.FP32)


@pl.jit
def weights8(x: pl.Tensor[[M, K], pl.FP32], y: pl.Tensor[[K, N], pl.INT8], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = pl.matmul(x, pl.cast(y, pl.FP32))


@pl.jit
def weights4(x: pl.Tensor[[M, K], pl.FP32], y: pl.Tensor[[K, N], pl.INT4], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = pl.matmul(x, pl.cast(y, pl.FP32))


@pl.jit
def epilogue(
    x: pl.Tensor[[M, K], pl.FP32],
    y: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[1, N], pl.FP32],
    residual: pl.Tensor[[M, N], pl.FP32],
    out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    out[:] = pl.maximum(pl.matmul(x, y) + bias, 0.0) + residual
