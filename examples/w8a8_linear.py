# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear layer in 8-bit integers: each token is quantised by its largest element, weights by column."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
DTYPE = pl.FP32
ROWS = 32
COLUMNS = 128
SMALLEST = 1e-8


@pl.jit
def w8a8_linear(
    x: pl.Tensor[[M, K], DTYPE],
    weight: pl.Tensor[[N, K], pl.INT8],
    weight_scale: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            rows = pl.cast(x[i : i + ROWS, :], pl.FP32)
            scale = pl.maximum(pl.row_max(pl.abs(rows)), SMALLEST) * (1.0 / 127.0)
            quantised = pl.cast(pl.row_expand_div(rows, scale), pl.INT8, mode="rint")
            for j in pl.range(0, N, COLUMNS):
                product = pl.matmul(quantised, weight[j : j + COLUMNS, :], b_trans=True)
                result = pl.row_expand_mul(pl.cast(product, pl.FP32), scale)
                result = pl.col_expand_mul(result, weight_scale[:, j : j + COLUMNS])
                y[i : i + ROWS, j : j + COLUMNS] = pl.cast(result, DTYPE, mode="rint")


def reference(x: np.ndarray, weight: np.ndarray, weight_scale: np.ndarray) -> np.ndarray:
    rows = x.astype(np.float32)
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    scale = np.maximum(largest, np.float32(SMALLEST)) * np.float32(1.0 / 127.0)
    quantised = np.rint(rows / scale).astype(np.int32)
    product = quantised @ weight.astype(np.int32).T
    expected: np.ndarray = (product.astype(np.float32) * scale * weight_scale).astype(x.dtype)
    return expected
