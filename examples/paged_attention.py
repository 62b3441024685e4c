# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one new token per sequence over a paged key-value cache; every axis is dynamic.

A row of the table lists the pages of a sequence; `lengths` has the number of its tokens. Query heads come in
groups that share a key-value head.
"""

import numpy as np

import tegula.language as pl

B = pl.dynamic("B")
KV = pl.dynamic("KV")
G = pl.dynamic("G")
D = pl.dynamic("D")
PAGES = pl.dynamic("PAGES")
PAGE = pl.dynamic("PAGE")
LONGEST = pl.dynamic("LONGEST")
DTYPE = pl.FP32
LOWEST = -1e30


@pl.jit
def paged_attention(
    q: pl.Tensor[[B, KV, G, D], DTYPE],
    keys: pl.Tensor[[PAGES, PAGE, KV, D], DTYPE],
    values: pl.Tensor[[PAGES, PAGE, KV, D], DTYPE],
    table: pl.Tensor[[B, LONGEST], pl.INT32],
    lengths: pl.Tensor[[B], pl.INT32],
    scale: pl.Scalar[pl.FP32],
    out: pl.Out[pl.Tensor[[B, KV, G, D], DTYPE]],
) -> None:
    for b in pl.parallel(B):
        for h in pl.parallel(KV):
            with pl.at(level=pl.Level.CORE_GROUP):
                length = pl.cast(lengths[b], pl.INDEX)
                largest = pl.full([G, 1], dtype=pl.FP32, value=LOWEST)
                total = pl.full([G, 1], dtype=pl.FP32, value=0.0)
                result = pl.full([G, D], dtype=pl.FP32, value=0.0)
                for p in pl.range((length + PAGE - 1) // PAGE):
                    page = pl.cast(table[b, p], pl.INDEX)
                    valid = min(PAGE, length - p * PAGE)
                    k = keys[page, 0:valid, h, :]
                    v = values[page, 0:valid, h, :]
                    scores = pl.matmul(q[b, h, :, :], k, b_trans=True, out_dtype=pl.FP32) * scale
                    higher = pl.maximum(largest, pl.row_max(scores))
                    weights = pl.exp(pl.row_expand_sub(scores, higher))
                    faded = pl.exp(largest - higher)
                    total = total * faded + pl.row_sum(weights)
                    result = pl.row_expand_mul(result, faded) + pl.matmul(weights, pl.cast(v, pl.FP32))
                    largest = higher
                out[b, h, :, :] = pl.cast(pl.row_expand_div(result, total), DTYPE, mode="rint")


def reference(
    q: np.ndarray, keys: np.ndarray, values: np.ndarray, table: np.ndarray, lengths: np.ndarray, scale: float
) -> np.ndarray:
    out = np.zeros(q.shape, q.dtype)
    for b, length in enumerate(lengths):
        k, v = (np.concatenate(cache[table[b]])[:length].astype(np.float64) for cache in (keys, values))
        scores = np.einsum("hgd,khd->hgk", q[b].astype(np.float64), k) * np.float32(scale)
        weights = np.exp(scores - scores.max(axis=2, keepdims=True, initial=LOWEST))
        out[b] = np.einsum("hgk,khd->hgd", weights, v) / weights.sum(axis=2)[:, :, None]
    return out
