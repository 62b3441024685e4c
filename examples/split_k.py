# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Split-K matmul: each split adds its partial result to the output, which starts at zero."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
DTYPE = pl.FP32
TILE_M = 64
TILE_N = 64
SPLIT = 128


@pl.jit
def split_k(
    a: pl.Tensor[[M, K], DTYPE],
    b: pl.Tensor[[K, N], DTYPE],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    for i in pl.parallel(0, M, TILE_M):
        for j in pl.parallel(0, N, TILE_N):
            with pl.at(level=pl.Level.CORE_GROUP):
                c[i : i + TILE_M, j : j + TILE_N] = pl.full([TILE_M, TILE_N], dtype=pl.FP32, value=0.0)
            for k in pl.parallel(0, K, SPLIT):
                with pl.at(level=pl.Level.CORE_GROUP):
                    part = pl.matmul(a[i : i + TILE_M, k : k + SPLIT], b[k : k + SPLIT, j : j + TILE_N])
                    pl.store(part, [i, j], c, atomic=pl.AtomicType.Add)


def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
