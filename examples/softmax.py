# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Row softmax at tensor level: rows in blocks, any number of columns."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 8


@pl.jit
def softmax(x: pl.Tensor[[M, N], DTYPE], y: pl.Out[pl.Tensor[[M, N], DTYPE]]) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.cast(x[i : i + ROWS, :], pl.FP32)
            e = pl.exp(pl.row_expand_sub(t, pl.row_max(t)))
            y[i : i + ROWS, :] = pl.cast(pl.row_expand_div(e, pl.row_sum(e)), DTYPE, mode="rint")


def reference(x: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    e = np.exp(t - t.max(axis=1, keepdims=True, initial=-np.inf))
    expected: np.ndarray = (e / e.sum(axis=1, keepdims=True)).astype(x.dtype)
    return expected
