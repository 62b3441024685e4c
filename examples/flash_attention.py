# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Causal attention without the matrix of scores: the loop over blocks of keys carries maximum, sum and result.

Queries are the last SQ positions of a sequence of SK; with SQ = SK every token attends to itself and to earlier ones.
"""

import numpy as np

import tegula.language as pl

H = pl.dynamic("H")
SQ = pl.dynamic("SQ")
SK = pl.dynamic("SK")
DTYPE = pl.FP32
D = 64
QUERIES = 64
KEYS = 64
LOWEST = -1e30


@pl.jit
def flash_attention(
    q: pl.Tensor[[H, SQ, D], DTYPE],
    k: pl.Tensor[[H, SK, D], DTYPE],
    v: pl.Tensor[[H, SK, D], DTYPE],
    scale: pl.Scalar[pl.FP32],
    out: pl.Out[pl.Tensor[[H, SQ, D], DTYPE]],
) -> None:
    past = SK - SQ
    for h in pl.parallel(H):
        for i in pl.parallel(0, SQ, QUERIES):
            with pl.at(level=pl.Level.CORE_GROUP):
                queries = q[h, i : i + QUERIES, :]
                largest = pl.full([QUERIES, 1], dtype=pl.FP32, value=LOWEST)
                total = pl.full([QUERIES, 1], dtype=pl.FP32, value=0.0)
                result = pl.full([QUERIES, D], dtype=pl.FP32, value=0.0)
                for j in pl.range(0, min(past + i + QUERIES, SK), KEYS):
                    scores = pl.matmul(queries, k[h, j : j + KEYS, :], b_trans=True, out_dtype=pl.FP32) * scale
                    if j + KEYS > past + i + 1:
                        rows = pl.reshape(pl.arange(past + i, [1, QUERIES], pl.INT32), [QUERIES, 1])
                        columns = pl.arange(j, [1, KEYS], pl.INT32)
                        scores = pl.sel(columns <= rows, scores, LOWEST)
                    higher = pl.maximum(largest, pl.row_max(scores))
                    weights = pl.exp(pl.row_expand_sub(scores, higher))
                    faded = pl.exp(largest - higher)
                    total = total * faded + pl.row_sum(weights)
                    values = pl.cast(v[h, j : j + KEYS, :], pl.FP32)
                    result = pl.matmul_acc(pl.row_expand_mul(result, faded), weights, values)
                    largest = higher
                out[h, i : i + QUERIES, :] = pl.cast(pl.row_expand_div(result, total), DTYPE, mode="rint")


def reference(q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float) -> np.ndarray:
    rows, columns = np.arange(q.shape[1])[:, None] + k.shape[1] - q.shape[1], np.arange(k.shape[1])[None, :]
    scores = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * np.float32(scale)
    scores = np.where(columns <= rows, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True, initial=LOWEST))
    weights /= weights.sum(axis=2, keepdims=True)
    expected: np.ndarray = (weights @ v.astype(np.float64)).astype(q.dtype)
    return expected
