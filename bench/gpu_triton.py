# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ruff: noqa: ANN001
"""Attention in Triton: blocks of 128 queries, a running maximum and sum, weights rounded to BF16."""

from collections.abc import Callable

import torch
import triton
import triton.language as tl

ROWS = 128


@triton.jit
def attention(
    q,
    k,
    v,
    out,
    scale,
    length,
    IS_CAUSAL: tl.constexpr,
    ROWS: tl.constexpr,
    KEYS: tl.constexpr,
    SIZE: tl.constexpr,
) -> None:
    block = tl.num_programs(0) - 1 - tl.program_id(0)
    start = tl.program_id(1).to(tl.int64) * length * SIZE
    rows = block * ROWS + tl.arange(0, ROWS)
    columns = tl.arange(0, KEYS)
    inner = tl.arange(0, SIZE)
    own = start + rows[:, None] * SIZE + inner[None, :]
    queries = tl.load(q + own, mask=rows[:, None] < length, other=0.0)
    largest = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    result = tl.zeros([ROWS, SIZE], tl.float32)
    end = tl.minimum((block + 1) * ROWS, length) if IS_CAUSAL else length
    for first in range(0, end, KEYS):
        keys = first + columns
        theirs = start + keys[:, None] * SIZE + inner[None, :]
        is_key = keys[:, None] < length
        scores = tl.dot(queries, tl.trans(tl.load(k + theirs, mask=is_key, other=0.0))) * scale
        seen = keys[None, :] < length
        if IS_CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None])
        scores = tl.where(seen, scores, float("-inf"))
        higher = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - higher[:, None])
        faded = tl.exp2(largest - higher)
        total = total * faded + tl.sum(weights, 1)
        values = tl.load(v + theirs, mask=is_key, other=0.0)
        result = tl.dot(weights.to(tl.bfloat16), values, result * faded[:, None])
        largest = higher
    tl.store(out + own, (result / total[:, None]).to(tl.bfloat16), mask=rows[:, None] < length)


def prepare(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_causal: bool) -> Callable[[], torch.Tensor]:
    """A prepared call for contiguous tensors of batches x heads x length x size."""
    batches, heads, length, size = q.shape
    out = torch.empty_like(q)
    grid = (triton.cdiv(length, ROWS), batches * heads)
    keys = 128 if size == 64 else 64
    scale = size**-0.5 * 1.4426950408889634

    def call() -> torch.Tensor:
        attention[grid](q, k, v, out, scale, length, is_causal, ROWS, keys, size, num_warps=8, num_stages=3)
        return out

    return call
