# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two chained matmuls; the intermediate is rounded to half precision and is not an output."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
P = pl.dynamic("P")
DTYPE = pl.BF16
ROWS = 32


@pl.jit
def chained_matmul(
    a: pl.Tensor[[M, K], DTYPE],
    b: pl.Tensor[[K, N], DTYPE],
    c: pl.Tensor[[N, P], DTYPE],
    d: pl.Out[pl.Tensor[[M, P], pl.FP32]],
) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            between = pl.cast(pl.matmul(a[i : i + ROWS, :], b), DTYPE, mode="rint")
            d[i : i + ROWS, :] = pl.matmul(between, c)


def reference(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    between = (a.astype(np.float32) @ b.astype(np.float32)).astype(a.dtype)
    return (between.astype(np.float64) @ c.astype(np.float64)).astype(np.float32)
