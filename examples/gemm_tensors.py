# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmul as one tensor-level expression."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
DTYPE = pl.FP32


@pl.jit
def gemm_tensors(
    a: pl.Tensor[[M, K], DTYPE],
    b: pl.Tensor[[K, N], DTYPE],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
) -> None:
    c[:] = a @ b


def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
