# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One layer of a decoder that generates a token per sequence: any batch, any context lengths, compiled once.

Its stages are helpers in the files of this folder; keys and values live in pages that the caller allocates.
"""

import numpy as np
from attention import attend, write_cache
from ffn import swiglu_ffn
from model import (
    DTYPE,
    EPSILON,
    HALF,
    HEAD_DIM,
    HEADS,
    HIDDEN,
    INNER,
    KV_HEADS,
    LONGEST,
    PAGE,
    PAGES,
    SCALE,
    T,
)  # fmt: skip
from norm import rms_norm
from projection import from_heads, to_heads
from rope import rope

import tegula.language as pl


@pl.jit
def layer(
    hidden: pl.Tensor[[T, HIDDEN], DTYPE],
    gamma_attention: pl.Tensor[[1, HIDDEN], pl.FP32],
    wq: pl.Tensor[[HIDDEN, HEADS * HEAD_DIM], DTYPE],
    wk: pl.Tensor[[HIDDEN, KV_HEADS * HEAD_DIM], DTYPE],
    wv: pl.Tensor[[HIDDEN, KV_HEADS * HEAD_DIM], DTYPE],
    wo: pl.Tensor[[HEADS * HEAD_DIM, HIDDEN], DTYPE],
    gamma_ffn: pl.Tensor[[1, HIDDEN], pl.FP32],
    w_gate: pl.Tensor[[HIDDEN, INNER], DTYPE],
    w_up: pl.Tensor[[HIDDEN, INNER], DTYPE],
    w_down: pl.Tensor[[INNER, HIDDEN], DTYPE],
    cos: pl.Tensor[[T, HALF], pl.FP32],
    sin: pl.Tensor[[T, HALF], pl.FP32],
    table: pl.Tensor[[T, LONGEST], pl.INT32],
    lengths: pl.Tensor[[T], pl.INT32],
    keys: pl.InOut[pl.Tensor[[PAGES, PAGE, KV_HEADS, HEAD_DIM], DTYPE]],
    values: pl.InOut[pl.Tensor[[PAGES, PAGE, KV_HEADS, HEAD_DIM], DTYPE]],
    out: pl.Out[pl.Tensor[[T, HIDDEN], DTYPE]],
) -> pl.Tensor:
    normed = rms_norm(hidden, gamma_attention)
    q = rope(to_heads(normed, wq, HEADS), cos, sin)
    k = rope(to_heads(normed, wk, KV_HEADS), cos, sin)
    v = to_heads(normed, wv, KV_HEADS)
    keys, values = write_cache(k, v, table, lengths, keys, values)
    attended = attend(q, keys, values, table, lengths)
    middle = from_heads(attended, wo, hidden)
    out = swiglu_ffn(rms_norm(middle, gamma_ffn), w_gate, w_up, w_down, middle, out)
    return out


def reference(
    hidden: np.ndarray,
    gamma_attention: np.ndarray,
    wq: np.ndarray,
    wk: np.ndarray,
    wv: np.ndarray,
    wo: np.ndarray,
    gamma_ffn: np.ndarray,
    w_gate: np.ndarray,
    w_up: np.ndarray,
    w_down: np.ndarray,
    cos: np.ndarray,
    sin: np.ndarray,
    table: np.ndarray,
    lengths: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    def norm(x: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        normed: np.ndarray = x / np.sqrt((x**2).mean(axis=1, keepdims=True) + EPSILON) * gamma
        return normed

    def rotate(x: np.ndarray) -> np.ndarray:
        low, high, c, s = x[..., :HALF], x[..., HALF:], cos[:, None, :], sin[:, None, :]
        return np.concatenate([low * c - high * s, high * c + low * s], axis=-1)

    hidden = hidden.astype(np.float64)
    tokens = hidden.shape[0]
    normed = norm(hidden, gamma_attention)
    q = rotate((normed @ wq).reshape(tokens, HEADS, HEAD_DIM))
    k = rotate((normed @ wk).reshape(tokens, KV_HEADS, HEAD_DIM))
    v = (normed @ wv).reshape(tokens, KV_HEADS, HEAD_DIM)
    attended = np.zeros_like(q)
    for t, length in enumerate(lengths):
        page, slot = table[t, (length - 1) // PAGE], (length - 1) % PAGE
        keys[page, slot], values[page, slot] = k[t], v[t]
        past_k, past_v = (np.concatenate(cache[table[t]])[:length] for cache in (keys, values))
        scores = np.einsum("hgd,khd->hgk", q[t].reshape(KV_HEADS, -1, HEAD_DIM), past_k) * SCALE
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        attended[t] = np.einsum("hgk,khd->hgd", weights, past_v).reshape(HEADS, HEAD_DIM)
    middle = hidden + attended.reshape(tokens, HEADS * HEAD_DIM) @ wo
    inner = norm(middle, gamma_ffn)
    gate = inner @ w_gate
    out = middle + (gate / (1.0 + np.exp(-gate)) * (inner @ w_up)) @ w_down
    return keys, values, out.astype(np.float32)
