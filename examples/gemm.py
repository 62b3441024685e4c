# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmul in tiles of M, N and K, with an accumulator carried by the loop over K."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
DTYPE = pl.FP32
TILE_M = 64
TILE_N = 128
TILE_K = 128


@pl.jit
def gemm(
    a: pl.Tensor[[M, K], DTYPE],
    b: pl.Tensor[[K, N], DTYPE],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    for i in pl.parallel(0, M, TILE_M):
        for j in pl.range(0, N, TILE_N):
            with pl.at(level=pl.Level.CORE_GROUP):
                acc = pl.full([TILE_M, TILE_N], dtype=pl.FP32, value=0.0)
                for k in pl.range(0, K, TILE_K):
                    left = a[i : i + TILE_M, k : k + TILE_K]
                    right = b[k : k + TILE_K, j : j + TILE_N]
                    acc = pl.matmul_acc(acc, left, right)
                c[i : i + TILE_M, j : j + TILE_N] = acc


def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
