# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A mixture of experts that live on different ranks: tokens go to the rank of their expert, in data-dependent
numbers, and come back."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
TOKENS = pl.dynamic("TOKENS")
LOCAL = 2
D = 32


@pl.jit.inline
def experts(
    x: pl.Tensor,
    expert: pl.Tensor,
    weights: pl.Tensor,
    y: pl.Tensor,
    sent: pl.Tensor,
    came: pl.Tensor,
    sent_expert: pl.Tensor,
    came_expert: pl.Tensor,
    came_counts: pl.Tensor,
    back: pl.Tensor,
    back_counts: pl.Tensor,
) -> None:
    """Each row of `x` times the weights of its expert. A rank has room for all tokens of every other rank."""
    tokens = x.shape[0]
    ranks = pld.nranks()
    counts = pl.create_tensor([ranks], dtype=pl.INT32)
    slots = pl.create_tensor([tokens], dtype=pl.INT32)
    counts[:] = pl.full([ranks], pl.INT32, 0)
    for t in pl.range(tokens):
        home = expert[t] // LOCAL
        slot = counts[home]
        slots[t] = slot
        sent[home * tokens + slot, :] = x[t, :]
        sent_expert[home * tokens + slot, 0] = expert[t] % LOCAL
        counts[home] = slot + 1
    came = pld.tensor.all_to_all_v(sent, came, None, counts, came_counts)
    came_expert = pld.tensor.all_to_all_v(sent_expert, came_expert, None, counts, came_counts)
    for source in pl.range(ranks):
        for i in pl.range(came_counts[source]):
            row = source * tokens + i
            sent[row : row + 1, :] = pl.matmul(came[row : row + 1, :], weights[came_expert[row, 0]])
    back = pld.tensor.all_to_all_v(sent, back, None, came_counts, back_counts)
    for t in pl.range(tokens):
        y[t, :] = back[expert[t] // LOCAL * tokens + slots[t], :]


@pl.jit
def chip(
    x: pl.Tensor[[TOKENS, D], pl.FP32],
    expert: pl.Tensor[[TOKENS], pl.INT32],
    weights: pl.Tensor[[LOCAL, D, D], pl.FP32],
    y: pl.Out[pl.Tensor[[TOKENS, D], pl.FP32]],
    came: pld.DistributedTensor[[NR * TOKENS, D], pl.FP32],
    came_expert: pld.DistributedTensor[[NR * TOKENS, 1], pl.INT32],
    came_counts: pld.DistributedTensor[[NR], pl.INT32],
    back: pld.DistributedTensor[[NR * TOKENS, D], pl.FP32],
    back_counts: pld.DistributedTensor[[NR], pl.INT32],
) -> None:
    sent = pl.create_tensor([NR * TOKENS, D], dtype=pl.FP32)
    sent_expert = pl.create_tensor([NR * TOKENS, 1], dtype=pl.INT32)
    experts(x, expert, weights, y, sent, came, sent_expert, came_expert, came_counts, back, back_counts)


@pl.jit.host
def expert_parallel(
    x: pl.Tensor[[NR, TOKENS, D], pl.FP32],
    expert: pl.Tensor[[NR, TOKENS], pl.INT32],
    weights: pl.Tensor[[NR, LOCAL, D, D], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, TOKENS, D], pl.FP32]],
) -> None:
    rows = NR * TOKENS
    came = pld.window(pld.alloc_window_buffer([rows, D], dtype=pl.FP32), [rows, D], dtype=pl.FP32)
    came_expert = pld.window(pld.alloc_window_buffer([rows, 1], dtype=pl.INT32), [rows, 1], dtype=pl.INT32)
    came_counts = pld.window(pld.alloc_window_buffer([NR], dtype=pl.INT32), [NR], dtype=pl.INT32)
    back = pld.window(pld.alloc_window_buffer([rows, D], dtype=pl.FP32), [rows, D], dtype=pl.FP32)
    back_counts = pld.window(pld.alloc_window_buffer([NR], dtype=pl.INT32), [NR], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        chip(x[r], expert[r], weights[r], y[r], came, came_expert, came_counts, back, back_counts, device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    x = rng.standard_normal((ranks, size, D), np.float32)
    expert = rng.integers(0, ranks * LOCAL, (ranks, size)).astype(np.int32)
    weights = rng.standard_normal((ranks, LOCAL, D, D), np.float32)
    return [x, expert, weights, np.zeros_like(x)]


def reference(x: np.ndarray, expert: np.ndarray, weights: np.ndarray, y: np.ndarray) -> np.ndarray:
    all_weights = weights.reshape(-1, D, D).astype(np.float64)
    expected: np.ndarray = np.einsum("rtd,rtde->rte", x.astype(np.float64), all_weights[expert]).astype(np.float32)
    return expected
