# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm over the hidden axis."""

from model import DTYPE, EPSILON, ROWS

import tegula.language as pl


@pl.jit.inline
def rms_norm(x: pl.Tensor, gamma: pl.Tensor) -> pl.Tensor:
    tokens, hidden = x.shape
    y = pl.create_tensor([tokens, hidden], dtype=DTYPE)
    for i in pl.parallel(0, tokens, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            rows = pl.cast(x[i : i + ROWS, :], pl.FP32)
            mean = pl.row_sum(rows * rows) * (1.0 / hidden)
            scaled = pl.row_expand_mul(rows, pl.rsqrt(mean + EPSILON))
            y[i : i + ROWS, :] = pl.cast(pl.col_expand_mul(scaled, gamma), DTYPE, mode="rint")
    return y
