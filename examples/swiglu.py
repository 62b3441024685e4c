# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SwiGLU: SiLU of a gate times a value, with a helper that two kernels could share."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
ROWS = 16


@pl.jit.inline
def silu(t: pl.Tile) -> pl.Tile:
    return t * pl.recip(1.0 + pl.exp(-t))


@pl.jit
def swiglu(
    gate: pl.Tensor[[M, N], DTYPE],
    up: pl.Tensor[[M, N], DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            g = pl.cast(gate[i : i + ROWS, :], pl.FP32)
            u = pl.cast(up[i : i + ROWS, :], pl.FP32)
            y[i : i + ROWS, :] = pl.cast(silu(g) * u, DTYPE, mode="rint")


def reference(gate: np.ndarray, up: np.ndarray) -> np.ndarray:
    g, u = gate.astype(np.float64), up.astype(np.float64)
    return (g / (1.0 + np.exp(-g)) * u).astype(gate.dtype)
