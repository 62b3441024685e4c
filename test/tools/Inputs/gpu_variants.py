# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with and without tuned code on a GPU."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def product(x: pl.Tensor[[M, K], pl.BF16], y: pl.Tensor[[K, N], pl.BF16], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = pl.matmul(x, y, out_dtype=pl.FP32)


@pl.jit
def wide_matmul(x: pl.Tensor[[M, K], pl.FP32], y: pl.Tensor[[K, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = pl.matmul(x, y)


@pl.jit
def column_sums(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[1, N], pl.FP32]]):
    out[:] = pl.col_sum(x)


@pl.jit
def gelu(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = x * (1.0 + pl.tanh(x))


@pl.jit
def summed_matmul(
    x: pl.Tensor[[M, K], pl.BF16], y: pl.Tensor[[K, N], pl.BF16], out: pl.Out[pl.Tensor[[M, 1], pl.FP32]]
):
    out[:] = pl.row_sum(pl.matmul(x, y, out_dtype=pl.FP32))


@pl.jit
def widest_matmul(
    x: pl.Tensor[[M, K], pl.FP64], y: pl.Tensor[[K, N], pl.FP64], out: pl.Out[pl.Tensor[[M, N], pl.FP64]]
):
    out[:] = pl.matmul(x, y)


@pl.jit
def byte_matmul(
    x: pl.Tensor[[M, K], pl.INT8], y: pl.Tensor[[K, N], pl.INT8], out: pl.Out[pl.Tensor[[M, N], pl.INT32]]
):
    out[:] = pl.matmul(x, y)


@pl.jit
def rounded_matmul(
    x: pl.Tensor[[M, K], pl.FP32], y: pl.Tensor[[K, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    out[:] = pl.matmul(x, y, precision="tf32")


@pl.jit
def eight_bit_matmul(
    x: pl.Tensor[[M, K], pl.FP8E5M2], y: pl.Tensor[[N, K], pl.FP8E5M2], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    out[:] = pl.matmul(x, y, b_trans=True, precision="fp8")
