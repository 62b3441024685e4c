# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of all queries to all keys, as the formula reads; the compiler materialises the scores of a few rows."""

import numpy as np

import tegula.language as pl

H = pl.dynamic("H")
SQ = pl.dynamic("SQ")
SK = pl.dynamic("SK")
D = pl.dynamic("D")


@pl.jit
def attention(
    q: pl.Tensor[[H, SQ, D], pl.FP32],
    k: pl.Tensor[[H, SK, D], pl.FP32],
    v: pl.Tensor[[H, SK, D], pl.FP32],
    scale: pl.Scalar[pl.FP32],
    out: pl.Out[pl.Tensor[[H, SQ, D], pl.FP32]],
) -> None:
    for h in pl.parallel(H):
        scores = pl.matmul(q[h], k[h], b_trans=True) * scale
        weights = pl.exp(scores - pl.max(scores, axis=1, keepdims=True))
        out[h] = pl.matmul(weights, v[h]) / pl.sum(weights, axis=1, keepdims=True)


def reference(q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float) -> np.ndarray:
    scores = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * np.float32(scale)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    expected: np.ndarray = (weights @ v / weights.sum(axis=2, keepdims=True)).astype(q.dtype)
    return expected
