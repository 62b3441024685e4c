# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary position embedding of neighbouring pairs: even and odd columns are gathered, rotated and scattered."""

import numpy as np

import tegula.language as pl

T = pl.dynamic("T")
H = pl.dynamic("H")
DTYPE = pl.FP32
D = 64
HALF = D // 2


@pl.jit
def rope_interleaved(
    x: pl.Tensor[[T, H, D], DTYPE],
    cos: pl.Tensor[[T, HALF], pl.FP32],
    sin: pl.Tensor[[T, HALF], pl.FP32],
    y: pl.Out[pl.Tensor[[T, H, D], DTYPE]],
) -> None:
    for t in pl.parallel(T):
        with pl.at(level=pl.Level.CORE_GROUP):
            heads = pl.cast(x[t, :, :], pl.FP32)
            even = pl.gather(heads, mask_pattern=pl.MaskPattern.P0101)
            odd = pl.gather(heads, mask_pattern=pl.MaskPattern.P1010)
            c = cos[t : t + 1, :]
            s = sin[t : t + 1, :]
            pairs = pl.concat(
                pl.reshape(even * c - odd * s, [H, HALF, 1]), pl.reshape(odd * c + even * s, [H, HALF, 1]), axis=2
            )
            y[t, :, :] = pl.cast(pl.reshape(pairs, [H, D]), DTYPE, mode="rint")


def reference(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    even, odd = t[..., 0::2], t[..., 1::2]
    c, s = cos[:, None, :], sin[:, None, :]
    return np.stack([even * c - odd * s, odd * c + even * s], axis=-1).reshape(x.shape).astype(x.dtype)
