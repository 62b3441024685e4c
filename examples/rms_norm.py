# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm in two passes over chunks of the columns; the sum of squares is carried by the first loop."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 16
CHUNK = 128
EPSILON = 1e-6


@pl.jit
def rms_norm(
    x: pl.Tensor[[M, N], DTYPE],
    gamma: pl.Tensor[[1, N], DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            square = pl.full([1, ROWS], dtype=pl.FP32, value=0.0)
            for j in pl.range(0, N, CHUNK):
                t = pl.cast(x[i : i + ROWS, j : j + CHUNK], pl.FP32)
                square = square + pl.reshape(pl.row_sum(t * t), [1, ROWS])
            mean = square * (1.0 / pl.cast(N, pl.FP32))
            scale = pl.reshape(pl.rsqrt(mean + EPSILON), [ROWS, 1])
            for j in pl.range(0, N, CHUNK):
                t = pl.cast(x[i : i + ROWS, j : j + CHUNK], pl.FP32)
                g = pl.cast(gamma[:, j : j + CHUNK], pl.FP32)
                result = pl.col_expand_mul(pl.row_expand_mul(t, scale), g)
                y[i : i + ROWS, j : j + CHUNK] = pl.cast(result, DTYPE, mode="rint")


def reference(x: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    if t.shape[1] == 0:
        return x.copy()
    scale = 1.0 / np.sqrt((t**2).mean(axis=1, keepdims=True) + EPSILON)
    expected: np.ndarray = (t * scale * gamma.astype(np.float64)).astype(x.dtype)
    return expected
