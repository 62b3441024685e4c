# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doubles each row of a matrix with any number of rows; the last block is a tail."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
DTYPE = pl.FP32
ROWS = 64
COLUMNS = 128


@pl.jit
def double_rows(x: pl.Tensor[[M, COLUMNS], DTYPE], y: pl.Out[pl.Tensor[[M, COLUMNS], DTYPE]]) -> None:
    for i in pl.range(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            rows = min(ROWS, M - i)
            tile = pl.load(x, [i, 0], [ROWS, COLUMNS], valid_shape=[rows, COLUMNS])
            pl.store(pl.mul(tile, 2.0), [i, 0], y)


def reference(x: np.ndarray) -> np.ndarray:
    expected: np.ndarray = x + x
    return expected
