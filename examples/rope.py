# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary position embedding, each head rotated as two halves: any number of tokens and heads."""

import numpy as np

import tegula.language as pl

T = pl.dynamic("T")
H = pl.dynamic("H")
DTYPE = pl.FP32
D = 64
HALF = D // 2


@pl.jit
def rope(
    x: pl.Tensor[[T, H, D], DTYPE],
    cos: pl.Tensor[[T, HALF], pl.FP32],
    sin: pl.Tensor[[T, HALF], pl.FP32],
    y: pl.Out[pl.Tensor[[T, H, D], DTYPE]],
) -> None:
    for t in pl.parallel(T):
        with pl.at(level=pl.Level.CORE_GROUP):
            low = pl.cast(x[t, :, 0:HALF], pl.FP32)
            high = pl.cast(x[t, :, HALF:D], pl.FP32)
            c = cos[t : t + 1, :]
            s = sin[t : t + 1, :]
            y[t, :, 0:HALF] = pl.cast(low * c - high * s, DTYPE, mode="rint")
            y[t, :, HALF:D] = pl.cast(high * c + low * s, DTYPE, mode="rint")


def reference(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    low, high = t[..., :HALF], t[..., HALF:]
    c, s = cos[:, None, :], sin[:, None, :]
    return np.concatenate([low * c - high * s, high * c + low * s], axis=-1).astype(x.dtype)
