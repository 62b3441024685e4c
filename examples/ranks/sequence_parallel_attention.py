# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention over a sequence that is sharded over ranks: keys and values are all-gathered, queries stay local."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
S = pl.dynamic("S")
ALL = pl.dynamic("ALL")
D = 64
SCALE = D**-0.5


@pl.jit
def attention(
    q: pl.Tensor[[S, D], pl.FP32],
    k: pl.Tensor[[S, D], pl.FP32],
    v: pl.Tensor[[S, D], pl.FP32],
    y: pl.Out[pl.Tensor[[S, D], pl.FP32]],
    keys: pld.DistributedTensor[[ALL, D], pl.FP32],
    values: pld.DistributedTensor[[ALL, D], pl.FP32],
) -> None:
    keys = pld.tensor.allgather(k, keys)
    values = pld.tensor.allgather(v, values)
    scores = pl.matmul(q, keys, b_trans=True) * SCALE
    weights = pl.exp(scores - pl.row_max(scores))
    y[:] = pl.matmul(weights, values) / pl.row_sum(weights)


@pl.jit.host
def sequence_parallel_attention(
    q: pl.Tensor[[NR, S, D], pl.FP32],
    k: pl.Tensor[[NR, S, D], pl.FP32],
    v: pl.Tensor[[NR, S, D], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, S, D], pl.FP32]],
) -> None:
    keys = pld.window(pld.alloc_window_buffer([NR * S, D], dtype=pl.FP32), [NR * S, D], dtype=pl.FP32)
    values = pld.window(pld.alloc_window_buffer([NR * S, D], dtype=pl.FP32), [NR * S, D], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        attention(q[r], k[r], v[r], y[r], keys, values, device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    shape = (ranks, size, D)
    return [*(rng.standard_normal(shape, np.float32) for _ in range(3)), np.zeros(shape, np.float32)]


def reference(q: np.ndarray, k: np.ndarray, v: np.ndarray, y: np.ndarray) -> np.ndarray:
    flat = [array.reshape(-1, D).astype(np.float64) for array in (q, k, v)]
    scores = flat[0] @ flat[1].T * SCALE
    weights = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    expected: np.ndarray = (weights @ flat[2] / weights.sum(axis=1, keepdims=True)).reshape(q.shape).astype(np.float32)
    return expected
