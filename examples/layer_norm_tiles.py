# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LayerNorm by tiles of fixed shape: three passes over the columns of a block of rows."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 8
COLUMNS = 64
EPSILON = 1e-5


@pl.jit
def layer_norm_tiles(
    x: pl.Tensor[[M, N], DTYPE],
    gamma: pl.Tensor[[1, N], DTYPE],
    beta: pl.Tensor[[1, N], DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            per_column = 1.0 / pl.cast(N, pl.FP32)
            total = pl.full([ROWS, 1], dtype=pl.FP32, value=0.0)
            for j in pl.range(0, N, COLUMNS):
                total += pl.row_sum(pl.cast(pl.load(x, [i, j], [ROWS, COLUMNS]), pl.FP32))
            mean = total * per_column
            square = pl.full([ROWS, 1], dtype=pl.FP32, value=0.0)
            for j in pl.range(0, N, COLUMNS):
                centred = pl.row_expand_sub(pl.cast(pl.load(x, [i, j], [ROWS, COLUMNS]), pl.FP32), mean)
                square += pl.row_sum(centred * centred)
            scale = pl.rsqrt(square * per_column + EPSILON)
            for j in pl.range(0, N, COLUMNS):
                centred = pl.row_expand_sub(pl.cast(pl.load(x, [i, j], [ROWS, COLUMNS]), pl.FP32), mean)
                g = pl.cast(pl.load(gamma, [0, j], [1, COLUMNS]), pl.FP32)
                b = pl.cast(pl.load(beta, [0, j], [1, COLUMNS]), pl.FP32)
                result = pl.col_expand_add(pl.col_expand_mul(pl.row_expand_mul(centred, scale), g), b)
                pl.store(pl.cast(result, DTYPE, mode="rint"), [i, j], y)


def reference(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    if t.shape[1] == 0:
        return x.copy()
    centred = t - t.mean(axis=1, keepdims=True)
    scale = 1.0 / np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON)
    expected: np.ndarray = (centred * scale * gamma.astype(np.float64) + beta.astype(np.float64)).astype(x.dtype)
    return expected
