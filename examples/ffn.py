# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A SwiGLU feed-forward block: three matmuls, one gate, an intermediate with a row per token."""

import numpy as np

import tegula.language as pl

T = pl.dynamic("T")
HIDDEN = pl.dynamic("HIDDEN")
INNER = pl.dynamic("INNER")
DTYPE = pl.FP32
ROWS = 32
COLUMNS = 128


@pl.jit.incore
def gate_up(
    x: pl.Tensor[[T, HIDDEN], DTYPE],
    w_gate: pl.Tensor[[HIDDEN, INNER], DTYPE],
    w_up: pl.Tensor[[HIDDEN, INNER], DTYPE],
    inner: pl.Out[pl.Tensor[[T, INNER], DTYPE]],
) -> pl.Tensor:
    for i in pl.parallel(0, T, ROWS):
        for j in pl.range(0, INNER, COLUMNS):
            rows = x[i : i + ROWS, :]
            gate = pl.matmul(rows, w_gate[:, j : j + COLUMNS], out_dtype=pl.FP32)
            up = pl.matmul(rows, w_up[:, j : j + COLUMNS], out_dtype=pl.FP32)
            silu = gate * pl.recip(pl.exp(-gate) + 1.0)
            inner[i : i + ROWS, j : j + COLUMNS] = pl.cast(silu * up, DTYPE, mode="rint")
    return inner


@pl.jit.incore
def down(
    inner: pl.Tensor[[T, INNER], DTYPE],
    w_down: pl.Tensor[[INNER, HIDDEN], DTYPE],
    y: pl.Out[pl.Tensor[[T, HIDDEN], DTYPE]],
) -> pl.Tensor:
    for i in pl.parallel(0, T, ROWS):
        for j in pl.range(0, HIDDEN, COLUMNS):
            product = pl.matmul(inner[i : i + ROWS, :], w_down[:, j : j + COLUMNS], out_dtype=pl.FP32)
            y[i : i + ROWS, j : j + COLUMNS] = pl.cast(product, DTYPE, mode="rint")
    return y


@pl.jit
def ffn(
    x: pl.Tensor[[T, HIDDEN], DTYPE],
    w_gate: pl.Tensor[[HIDDEN, INNER], DTYPE],
    w_up: pl.Tensor[[HIDDEN, INNER], DTYPE],
    w_down: pl.Tensor[[INNER, HIDDEN], DTYPE],
    y: pl.Out[pl.Tensor[[T, HIDDEN], DTYPE]],
) -> pl.Tensor:
    inner = pl.create_tensor([T, INNER], dtype=DTYPE)
    inner = gate_up(x, w_gate, w_up, inner)
    y = down(inner, w_down, y)
    return y


def reference(x: np.ndarray, w_gate: np.ndarray, w_up: np.ndarray, w_down: np.ndarray) -> np.ndarray:
    gate, up = (x.astype(np.float64) @ w.astype(np.float64) for w in (w_gate, w_up))
    inner = (gate / (1.0 + np.exp(-gate)) * up).astype(x.dtype)
    return (inner.astype(np.float64) @ w_down.astype(np.float64)).astype(x.dtype)
