# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of narrow elements that bench/products.py calls."""

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
