# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls with weights: to heads, from heads, and of 2-D matrices with a residual."""

from model import COLUMNS, DTYPE, HEAD_DIM, ROWS

import tegula.language as pl


@pl.jit.inline
def to_heads(x: pl.Tensor, weight: pl.Tensor, heads: pl.constexpr) -> pl.Tensor:
    """x @ weight as [tokens, heads, HEAD_DIM]."""
    tokens = x.shape[0]
    y = pl.create_tensor([tokens, heads, HEAD_DIM], dtype=DTYPE)
    for i in pl.parallel(0, tokens, ROWS):
        for h in pl.range(heads):
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.matmul(x[i : i + ROWS, :], weight[:, h * HEAD_DIM : (h + 1) * HEAD_DIM], out_dtype=pl.FP32)
                y[i : i + ROWS, h, :] = pl.cast(part, DTYPE, mode="rint")
    return y


@pl.jit.inline
def from_heads(x: pl.Tensor, weight: pl.Tensor, residual: pl.Tensor) -> pl.Tensor:
    """The concatenated heads @ weight + residual."""
    tokens, heads, _ = x.shape
    columns = weight.shape[1]
    y = pl.create_tensor([tokens, columns], dtype=DTYPE)
    for i in pl.parallel(0, tokens, ROWS):
        for j in pl.range(0, columns, COLUMNS):
            with pl.at(level=pl.Level.CORE_GROUP):
                acc = pl.cast(residual[i : i + ROWS, j : j + COLUMNS], pl.FP32)
                for h in pl.range(heads):
                    rows = weight[h * HEAD_DIM : (h + 1) * HEAD_DIM, j : j + COLUMNS]
                    acc = pl.matmul_acc(acc, x[i : i + ROWS, h, :], rows)
                y[i : i + ROWS, j : j + COLUMNS] = pl.cast(acc, DTYPE, mode="rint")
    return y
