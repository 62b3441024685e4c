# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Row softmax by tiles of fixed shape, in one pass over the statistics and one over the result.

The running maximum `m` and the running sum `s` are carried by the loop over columns; the last tile of a
row has a smaller valid region, which every op respects.
"""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 8
COLUMNS = 128


@pl.jit
def softmax_tiles(x: pl.Tensor[[M, N], DTYPE], y: pl.Out[pl.Tensor[[M, N], DTYPE]]) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            m = pl.full([ROWS, 1], dtype=pl.FP32, value=-3.0e38)
            s = pl.full([ROWS, 1], dtype=pl.FP32, value=0.0)
            for j in pl.range(0, N, COLUMNS):
                t = pl.cast(pl.load(x, [i, j], [ROWS, COLUMNS]), pl.FP32)
                new_m = pl.maximum(m, pl.row_max(t))
                e = pl.exp(pl.row_expand_sub(t, new_m))
                s = s * pl.exp(m - new_m) + pl.row_sum(e)
                m = new_m
            for j in pl.range(0, N, COLUMNS):
                t = pl.cast(pl.load(x, [i, j], [ROWS, COLUMNS]), pl.FP32)
                e = pl.exp(pl.row_expand_sub(t, m))
                pl.store(pl.cast(pl.row_expand_div(e, s), DTYPE, mode="rint"), [i, j], y)


def reference(x: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    e = np.exp(t - t.max(axis=1, keepdims=True, initial=-np.inf))
    expected: np.ndarray = (e / e.sum(axis=1, keepdims=True)).astype(x.dtype)
    return expected
