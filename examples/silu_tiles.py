# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SiLU again, with every tile loaded and stored by hand."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 16
COLUMNS = 128


@pl.jit
def silu_tiles(x: pl.Tensor[[M, N], DTYPE], y: pl.Out[pl.Tensor[[M, N], DTYPE]]) -> None:
    for i in pl.parallel(0, M, ROWS):
        for j in pl.range(0, N, COLUMNS):
            with pl.at(level=pl.Level.CORE_GROUP):
                tile = pl.load(x, [i, j], [ROWS, COLUMNS])
                t = pl.cast(tile, pl.FP32)
                sigmoid = pl.recip(pl.add(pl.exp(pl.neg(t)), 1.0))
                pl.store(pl.cast(pl.mul(t, sigmoid), DTYPE, mode="rint"), [i, j], y)


def reference(x: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    return (t / (1.0 + np.exp(-t))).astype(x.dtype)
