# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LayerNorm at tensor level: mean and variance of each row, then scale and shift."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 8
EPSILON = 1e-5


@pl.jit
def layer_norm(
    x: pl.Tensor[[M, N], DTYPE],
    gamma: pl.Tensor[[1, N], DTYPE],
    beta: pl.Tensor[[1, N], DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            per_column = 1.0 / pl.cast(N, pl.FP32)
            t = pl.cast(x[i : i + ROWS, :], pl.FP32)
            centred = pl.row_expand_sub(t, pl.row_sum(t) * per_column)
            variance = pl.row_sum(centred * centred) * per_column
            normal = pl.row_expand_mul(centred, pl.rsqrt(variance + EPSILON))
            scaled = pl.col_expand_mul(normal, pl.cast(gamma, pl.FP32))
            y[i : i + ROWS, :] = pl.cast(pl.col_expand_add(scaled, pl.cast(beta, pl.FP32)), DTYPE, mode="rint")


def reference(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    if t.shape[1] == 0:
        return x.copy()
    centred = t - t.mean(axis=1, keepdims=True)
    scale = 1.0 / np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON)
    expected: np.ndarray = (centred * scale * gamma.astype(np.float64) + beta.astype(np.float64)).astype(x.dtype)
    return expected
