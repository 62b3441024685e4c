# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls for bench/gpu.py: BF16 with BF16 results, alone and with epilogues, INT8, FP8, and FP32 with the opt-in to
TF32."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def linear(a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[K, N], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.BF16]]):
    c[:] = a @ b


@pl.jit
def linear_silu(
    a: pl.Tensor[[M, K], pl.BF16],
    b: pl.Tensor[[K, N], pl.BF16],
    bias: pl.Tensor[[1, N], pl.BF16],
    residual: pl.Tensor[[M, N], pl.BF16],
    c: pl.Out[pl.Tensor[[M, N], pl.BF16]],
):
    s = pl.matmul(a, b, out_dtype=pl.FP32) + pl.cast(bias, pl.FP32)
    c[:] = pl.cast(s / (1.0 + pl.exp(-s)) + pl.cast(residual, pl.FP32), pl.BF16, mode="rint")


@pl.jit
def linear_int8(a: pl.Tensor[[M, K], pl.INT8], b: pl.Tensor[[K, N], pl.INT8], c: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    c[:] = a @ b


@pl.jit
def linear_int8_transposed(
    a: pl.Tensor[[M, K], pl.INT8], b: pl.Tensor[[N, K], pl.INT8], c: pl.Out[pl.Tensor[[M, N], pl.INT32]]
):
    c[:] = pl.matmul(a, b, b_trans=True)


@pl.jit
def linear_fp8(
    a: pl.Tensor[[M, K], pl.FP8E4M3FN], b: pl.Tensor[[K, N], pl.FP8E4M3FN], c: pl.Out[pl.Tensor[[M, N], pl.BF16]]
):
    c[:] = pl.cast(pl.matmul(a, b, out_dtype=pl.FP32), pl.BF16, mode="rint")


@pl.jit
def linear_fp8_transposed(
    a: pl.Tensor[[M, K], pl.FP8E4M3FN], b: pl.Tensor[[N, K], pl.FP8E4M3FN], c: pl.Out[pl.Tensor[[M, N], pl.BF16]]
):
    c[:] = pl.cast(pl.matmul(a, b, b_trans=True, out_dtype=pl.FP32), pl.BF16, mode="rint")


@pl.jit
def linear_as_fp8(
    a: pl.Tensor[[M, K], pl.FP8E4M3FN], b: pl.Tensor[[N, K], pl.FP8E4M3FN], c: pl.Out[pl.Tensor[[M, N], pl.BF16]]
):
    c[:] = pl.cast(pl.matmul(a, b, b_trans=True, out_dtype=pl.FP32, precision="fp8"), pl.BF16, mode="rint")


@pl.jit
def linear_tf32(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b, precision="tf32")


@pl.jit
def linear_tf32_transposed(
    a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[N, K], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    c[:] = pl.matmul(a, b, b_trans=True, precision="tf32")
