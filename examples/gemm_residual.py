# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matmul with a residual in its epilogue: FP16 operands, FP32 accumulator and result."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
DTYPE = pl.BF16
TILE_M = 64
TILE_N = 128
TILE_K = 256


@pl.jit
def gemm_residual(
    a: pl.Tensor[[M, K], DTYPE],
    b: pl.Tensor[[K, N], DTYPE],
    residual: pl.Tensor[[M, N], DTYPE],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    for i in pl.parallel(0, M, TILE_M):
        for j in pl.parallel(0, N, TILE_N):
            with pl.at(level=pl.Level.CORE_GROUP):
                acc = pl.cast(residual[i : i + TILE_M, j : j + TILE_N], pl.FP32)
                for k in pl.range(0, K, TILE_K):
                    acc = pl.matmul_acc(acc, a[i : i + TILE_M, k : k + TILE_K], b[k : k + TILE_K, j : j + TILE_N])
                c[i : i + TILE_M, j : j + TILE_N] = acc


def reference(a: np.ndarray, b: np.ndarray, residual: np.ndarray) -> np.ndarray:
    return (a.astype(np.float64) @ b.astype(np.float64) + residual.astype(np.float64)).astype(np.float32)
