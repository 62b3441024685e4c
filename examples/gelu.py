# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GELU with the exact error function."""

import math

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
SQRT_HALF = 0.7071067811865476


@pl.jit
def gelu(x: pl.Tensor[[M, N], DTYPE], y: pl.Out[pl.Tensor[[M, N], DTYPE]]) -> None:
    t = pl.cast(x, pl.FP32)
    y[:] = pl.cast(0.5 * t * (1.0 + pl.erf(t * SQRT_HALF)), DTYPE, mode="rint")


def reference(x: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    erf = np.vectorize(math.erf, otypes=[np.float64])(t * SQRT_HALF)
    expected: np.ndarray = (0.5 * t * (1.0 + erf)).astype(x.dtype)
    return expected
