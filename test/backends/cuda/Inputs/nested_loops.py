# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of blocks of a matrix, in two loops or three."""

import tegula.language as pl

H = pl.dynamic("H")
M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def two(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        for j in pl.parallel(0, N, 32):
            y[i : i + 16, j : j + 32] = pl.row_sum(x[i : i + 16, j : j + 32]) * x[i : i + 16, j : j + 32]


@pl.jit
def one_block(x: pl.Tensor[[5, N], pl.FP32], y: pl.Out[pl.Tensor[[5, N], pl.FP32]]):
    for i in pl.parallel(0, 5, 16):
        for j in pl.parallel(0, N, 32):
            y[i : i + 16, j : j + 32] = pl.row_sum(x[i : i + 16, j : j + 32]) * x[i : i + 16, j : j + 32]


@pl.jit
def bound_of_outermost(x: pl.Tensor[[H, M, N], pl.FP32], y: pl.Out[pl.Tensor[[H, M, N], pl.FP32]]):
    for h in pl.parallel(H):
        for i in pl.parallel(0, M, 16):
            for j in pl.parallel(0, h, 32):
                y[h, i : i + 16, j : j + 32] = pl.row_sum(x[h, i : i + 16, j : j + 32]) * 2.0
