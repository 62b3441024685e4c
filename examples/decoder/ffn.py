# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The SwiGLU feed-forward block, with the residual added."""

from model import COLUMNS, DTYPE, ROWS

import tegula.language as pl


@pl.jit.inline
def swiglu_ffn(
    x: pl.Tensor, w_gate: pl.Tensor, w_up: pl.Tensor, w_down: pl.Tensor, residual: pl.Tensor, y: pl.Out[pl.Tensor]
) -> pl.Tensor:
    tokens, hidden = x.shape
    inner = w_gate.shape[1]
    between = pl.create_tensor([tokens, inner], dtype=DTYPE)
    for i in pl.parallel(0, tokens, ROWS):
        for j in pl.range(0, inner, COLUMNS):
            with pl.at(level=pl.Level.CORE_GROUP):
                gate = pl.matmul(x[i : i + ROWS, :], w_gate[:, j : j + COLUMNS], out_dtype=pl.FP32)
                up = pl.matmul(x[i : i + ROWS, :], w_up[:, j : j + COLUMNS], out_dtype=pl.FP32)
                silu = gate * pl.recip(pl.exp(-gate) + 1.0)
                between[i : i + ROWS, j : j + COLUMNS] = pl.cast(silu * up, DTYPE, mode="rint")
    for i in pl.parallel(0, tokens, ROWS):
        for j in pl.range(0, hidden, COLUMNS):
            with pl.at(level=pl.Level.CORE_GROUP):
                acc = pl.cast(residual[i : i + ROWS, j : j + COLUMNS], pl.FP32)
                acc = pl.matmul_acc(acc, between[i : i + ROWS, :], w_down[:, j : j + COLUMNS])
                y[i : i + ROWS, j : j + COLUMNS] = pl.cast(acc, DTYPE, mode="rint")
    return y
