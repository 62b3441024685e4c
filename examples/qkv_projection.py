# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The query, key and value projections of attention: one helper, called with three weights of different widths."""

import numpy as np

import tegula.language as pl

T = pl.dynamic("T")
HIDDEN = pl.dynamic("HIDDEN")
NQ = pl.dynamic("NQ")
NKV = pl.dynamic("NKV")
DTYPE = pl.FP32
ROWS = 32
COLUMNS = 128


@pl.jit.inline
def project(x: pl.Tensor, weight: pl.Tensor, out: pl.Out[pl.Tensor]) -> pl.Tensor:
    for i in pl.parallel(0, x.shape[0], ROWS):
        for j in pl.parallel(0, weight.shape[1], COLUMNS):
            with pl.at(level=pl.Level.CORE_GROUP):
                product = pl.matmul(x[i : i + ROWS, :], weight[:, j : j + COLUMNS])
                out[i : i + ROWS, j : j + COLUMNS] = pl.cast(product, out.dtype, mode="rint")
    return out


@pl.jit
def qkv_projection(
    x: pl.Tensor[[T, HIDDEN], DTYPE],
    wq: pl.Tensor[[HIDDEN, NQ], DTYPE],
    wk: pl.Tensor[[HIDDEN, NKV], DTYPE],
    wv: pl.Tensor[[HIDDEN, NKV], DTYPE],
    q: pl.Out[pl.Tensor[[T, NQ], DTYPE]],
    k: pl.Out[pl.Tensor[[T, NKV], DTYPE]],
    v: pl.Out[pl.Tensor[[T, NKV], DTYPE]],
) -> tuple[pl.Tensor, pl.Tensor, pl.Tensor]:
    q = project(x, wq, q)
    k = project(x, wk, out=k)
    v = project(x, weight=wv, out=v)
    return q, k, v


def reference(x: np.ndarray, wq: np.ndarray, wk: np.ndarray, wv: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple((x.astype(np.float64) @ w.astype(np.float64)).astype(x.dtype) for w in (wq, wk, wv))
