# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary position embedding in place, each head as two halves."""

from model import DTYPE, HALF, HEAD_DIM

import tegula.language as pl


@pl.jit.inline
def rope(x: pl.InOut[pl.Tensor], cos: pl.Tensor, sin: pl.Tensor) -> pl.Tensor:
    for t in pl.parallel(x.shape[0]):
        with pl.at(level=pl.Level.CORE_GROUP):
            low = pl.cast(x[t, :, 0:HALF], pl.FP32)
            high = pl.cast(x[t, :, HALF:HEAD_DIM], pl.FP32)
            c = cos[t : t + 1, :]
            s = sin[t : t + 1, :]
            x[t, :, 0:HALF] = pl.cast(low * c - high * s, DTYPE, mode="rint")
            x[t, :, HALF:HEAD_DIM] = pl.cast(high * c + low * s, DTYPE, mode="rint")
    return x
