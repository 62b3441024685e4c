# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SiLU, x * sigmoid(x), as one tensor-level expression: the compiler tiles it."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32


@pl.jit
def silu(x: pl.Tensor[[M, N], DTYPE], y: pl.Out[pl.Tensor[[M, N], DTYPE]]) -> None:
    t = pl.cast(x, pl.FP32)
    y[:] = pl.cast(t * pl.recip(1.0 + pl.exp(-t)), DTYPE, mode="rint")


def reference(x: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    return (t / (1.0 + np.exp(-t))).astype(x.dtype)
