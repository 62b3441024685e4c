# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over chunks of rows. What each does in an iteration is written in place of its name by the test."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
BEGIN = 0.0
PART = 16


@pl.jit
def parts(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    for i in pl.parallel(0, M, 4):
        m = pl.full([4, 1], dtype=pl.FP32, value=BEGIN)
        s = pl.full([4, 1], dtype=pl.FP32, value=0.0)
        whole = pl.exp(x[i : i + 4, :])
        for j in pl.range(0, N, PART):
            t = x[i : i + 4, j : j + PART]
            new = pl.maximum(m, pl.row_max(t))
            s = s + pl.row_sum(t)  # ITERATION
            m = new
        for j in pl.range(0, N, 48):
            y[i : i + 4, j : j + 48] = pl.row_expand_add(pl.row_expand_mul(x[i : i + 4, j : j + 48], s), m)
