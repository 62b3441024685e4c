# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmul in tiles of M and N; each tile reduces over all of K."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
DTYPE = pl.FP32
TILE_M = 64
TILE_N = 128


@pl.jit
def matmul(
    a: pl.Tensor[[M, K], DTYPE],
    b: pl.Tensor[[K, N], DTYPE],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    for i in pl.parallel(0, M, TILE_M):
        for j in pl.parallel(0, N, TILE_N):
            with pl.at(level=pl.Level.CORE_GROUP):
                c[i : i + TILE_M, j : j + TILE_N] = pl.matmul(a[i : i + TILE_M, :], b[:, j : j + TILE_N])


def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
