# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm of any number of tokens on a grid: one block of rows per program, as many programs as needed."""

import numpy as np

import tegula.language as pl

T = pl.dynamic("T")
DTYPE = pl.FP32
HIDDEN = 256
ROWS = 16
EPSILON = 1e-6


@pl.jit
def rms_norm_grid(
    x: pl.Tensor[[T, HIDDEN], DTYPE],
    gamma: pl.Tensor[[1, HIDDEN], pl.FP32],
    y: pl.Out[pl.Tensor[[T, HIDDEN], DTYPE]],
) -> None:
    tokens = pl.tensor.dim(x, 0)
    with pl.spmd((tokens + ROWS - 1) // ROWS):
        start = pl.get_block_idx() * ROWS
        rows = pl.cast(x[start : start + ROWS, :], pl.FP32)
        mean = pl.row_sum(rows * rows) * (1.0 / HIDDEN)
        scaled = pl.row_expand_mul(rows, pl.rsqrt(mean + EPSILON))
        y[start : start + ROWS, :] = pl.cast(pl.col_expand_mul(scaled, gamma), DTYPE, mode="rint")


def reference(x: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    scale = 1.0 / np.sqrt((t**2).mean(axis=1, keepdims=True) + EPSILON)
    expected: np.ndarray = (t * scale * gamma.astype(np.float64)).astype(x.dtype)
    return expected
