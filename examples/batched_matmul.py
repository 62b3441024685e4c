# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batched matmul at tensor level, with a transposed rhs."""

import numpy as np

import tegula.language as pl

B = pl.dynamic("B")
M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
DTYPE = pl.FP32


@pl.jit
def batched_matmul(
    a: pl.Tensor[[B, M, K], DTYPE],
    b: pl.Tensor[[B, N, K], DTYPE],
    c: pl.Out[pl.Tensor[[B, M, N], pl.FP32]],
) -> None:
    c[:] = pl.matmul(a, b, b_trans=True)


def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a.astype(np.float64) @ b.astype(np.float64).transpose(0, 2, 1)).astype(np.float32)
