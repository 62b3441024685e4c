# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GeGLU: GELU of a gate times a value."""

import math

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
SQRT_HALF = 0.7071067811865476


@pl.jit.inline
def gelu(t: pl.Tile) -> pl.Tile:
    return 0.5 * t * (1.0 + pl.erf(t * SQRT_HALF))


@pl.jit
def geglu(
    gate: pl.Tensor[[M, N], DTYPE],
    up: pl.Tensor[[M, N], DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    y[:] = pl.cast(gelu(pl.cast(gate, pl.FP32)) * pl.cast(up, pl.FP32), DTYPE, mode="rint")


def reference(gate: np.ndarray, up: np.ndarray) -> np.ndarray:
    g, u = gate.astype(np.float64), up.astype(np.float64)
    erf = np.vectorize(math.erf, otypes=[np.float64])(g * SQRT_HALF)
    expected: np.ndarray = (0.5 * g * (1.0 + erf) * u).astype(gate.dtype)
    return expected
