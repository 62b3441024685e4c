# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A prefill of packed sequences in chunks, over experts on several ranks: causal attention within each sequence, then a
mixture of experts. The number of tokens is dynamic."""

import numpy as np
from expert_parallel import LOCAL, D, experts

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
TOKENS = pl.dynamic("TOKENS")
CHUNK = 16
SCALE = D**-0.5


@pl.jit.incore
def attend(
    x: pl.Tensor[[TOKENS, D], pl.FP32],
    start: pl.Tensor[[TOKENS], pl.INT32],
    y: pl.Out[pl.Tensor[[CHUNK, D], pl.FP32]],
    first: pl.Scalar[pl.INDEX],
) -> None:
    """The rows of a chunk attend to those before them, down to where their sequence starts."""
    for i in pl.range(pl.min(CHUNK, TOKENS - first)):
        t = first + i
        low = start[t]
        keys = x[low : t + 1, :]
        scores = pl.matmul(x[t : t + 1, :], keys, b_trans=True) * SCALE
        weights = pl.exp(scores - pl.row_max(scores))
        y[i : i + 1, :] = pl.matmul(weights, keys) / pl.row_sum(weights)


@pl.jit
def layer(
    x: pl.Tensor[[TOKENS, D], pl.FP32],
    start: pl.Tensor[[TOKENS], pl.INT32],
    expert: pl.Tensor[[TOKENS], pl.INT32],
    weights: pl.Tensor[[LOCAL, D, D], pl.FP32],
    y: pl.InOut[pl.Tensor[[TOKENS, D], pl.FP32]],
    came: pld.DistributedTensor[[NR * CHUNK, D], pl.FP32],
    came_expert: pld.DistributedTensor[[NR * CHUNK, 1], pl.INT32],
    came_counts: pld.DistributedTensor[[NR], pl.INT32],
    back: pld.DistributedTensor[[NR * CHUNK, D], pl.FP32],
    back_counts: pld.DistributedTensor[[NR], pl.INT32],
    first: pl.Scalar[pl.INDEX],
) -> None:
    attended = pl.create_tensor([CHUNK, D], dtype=pl.FP32)
    attended[:] = pl.full([CHUNK, D], pl.FP32, 0.0)
    attend(x, start, attended, first)
    routes = pl.create_tensor([CHUNK], dtype=pl.INT32)
    result = pl.create_tensor([CHUNK, D], dtype=pl.FP32)
    # The last chunk is padded with rows for the first expert.
    routes[:] = pl.full([CHUNK], pl.INT32, 0)
    for i in pl.range(pl.min(CHUNK, TOKENS - first)):
        routes[i] = expert[first + i]
    sent = pl.create_tensor([NR * CHUNK, D], dtype=pl.FP32)
    sent_expert = pl.create_tensor([NR * CHUNK, 1], dtype=pl.INT32)
    experts(attended, routes, weights, result, sent, came, sent_expert, came_expert, came_counts, back, back_counts)
    y[first : first + CHUNK, :] = result[0 : TOKENS - first, :]


@pl.jit.host
def chunked_prefill(
    x: pl.Tensor[[NR, TOKENS, D], pl.FP32],
    start: pl.Tensor[[NR, TOKENS], pl.INT32],
    expert: pl.Tensor[[NR, TOKENS], pl.INT32],
    weights: pl.Tensor[[NR, LOCAL, D, D], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, TOKENS, D], pl.FP32]],
) -> None:
    rows = NR * CHUNK
    came = pld.window(pld.alloc_window_buffer([rows, D], dtype=pl.FP32), [rows, D], dtype=pl.FP32)
    came_expert = pld.window(pld.alloc_window_buffer([rows, 1], dtype=pl.INT32), [rows, 1], dtype=pl.INT32)
    came_counts = pld.window(pld.alloc_window_buffer([NR], dtype=pl.INT32), [NR], dtype=pl.INT32)
    back = pld.window(pld.alloc_window_buffer([rows, D], dtype=pl.FP32), [rows, D], dtype=pl.FP32)
    back_counts = pld.window(pld.alloc_window_buffer([NR], dtype=pl.INT32), [NR], dtype=pl.INT32)
    for first in pl.range(0, TOKENS, CHUNK):
        for r in pl.range(pld.world_size()):
            layer(
                x[r, 0:TOKENS, :],
                start[r],
                expert[r],
                weights[r],
                y[r],
                came,
                came_expert,
                came_counts,
                back,
                back_counts,
                first,
                device=r,
            )


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    x = rng.standard_normal((ranks, size, D), np.float32)
    start = np.zeros((ranks, size), np.int32)
    for row in start:
        for t in range(1, size):
            row[t] = t if rng.random() < 0.2 else row[t - 1]
    expert = rng.integers(0, ranks * LOCAL, (ranks, size)).astype(np.int32)
    weights = rng.standard_normal((ranks, LOCAL, D, D), np.float32)
    return [x, start, expert, weights, np.zeros_like(x)]


def reference(x: np.ndarray, start: np.ndarray, expert: np.ndarray, weights: np.ndarray, y: np.ndarray) -> np.ndarray:
    wide = x.astype(np.float64)
    all_weights = weights.reshape(-1, D, D).astype(np.float64)
    result = np.zeros(x.shape)
    for r, t in np.ndindex(x.shape[:2]):
        keys = wide[r, start[r, t] : t + 1]
        scores = keys @ wide[r, t] * SCALE
        p = np.exp(scores - scores.max())
        result[r, t] = p @ keys / p.sum() @ all_weights[expert[r, t]]
    return result.astype(np.float32)
