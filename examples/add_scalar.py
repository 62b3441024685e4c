# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds a scalar to a matrix, tile by tile."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 32
COLUMNS = 256


@pl.jit
def add_scalar(
    x: pl.Tensor[[M, N], DTYPE],
    a: pl.Scalar[DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    for i in pl.parallel(0, M, ROWS):
        for j in pl.range(0, N, COLUMNS):
            with pl.at(level=pl.Level.CORE_GROUP):
                y[i : i + ROWS, j : j + COLUMNS] = x[i : i + ROWS, j : j + COLUMNS] + a


def reference(x: np.ndarray, a: float) -> np.ndarray:
    return (x.astype(np.float32) + np.float32(a)).astype(x.dtype)
