# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A SwiGLU feed-forward network whose hidden dimension is sharded over ranks; partial results are all-reduced."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
TOKENS = pl.dynamic("TOKENS")
DIM = pl.dynamic("DIM")
HIDDEN = pl.dynamic("HIDDEN")


@pl.jit.incore
def ffn(
    x: pl.Tensor[[TOKENS, DIM], pl.FP32],
    gate: pl.Tensor[[DIM, HIDDEN], pl.FP32],
    up: pl.Tensor[[DIM, HIDDEN], pl.FP32],
    down: pl.Tensor[[HIDDEN, DIM], pl.FP32],
    window: pld.DistributedTensor[[TOKENS, DIM], pl.FP32],
) -> None:
    hidden = pl.silu(pl.matmul(x, gate)) * pl.matmul(x, up)
    window[:] = pl.matmul(hidden, down)


@pl.jit.incore
def take(window: pld.DistributedTensor[[TOKENS, DIM], pl.FP32], y: pl.Out[pl.Tensor[[TOKENS, DIM], pl.FP32]]) -> None:
    y[:] = window


@pl.jit.host
def tensor_parallel_ffn(
    x: pl.Tensor[[TOKENS, DIM], pl.FP32],
    gate: pl.Tensor[[NR, DIM, HIDDEN], pl.FP32],
    up: pl.Tensor[[NR, DIM, HIDDEN], pl.FP32],
    down: pl.Tensor[[NR, HIDDEN, DIM], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, TOKENS, DIM], pl.FP32]],
) -> None:
    buffer = pld.alloc_window_buffer([TOKENS, DIM], dtype=pl.FP32)
    window = pld.window(buffer, [TOKENS, DIM], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        ffn(x, gate[r], up[r], down[r], window, device=r)
    window = pld.tensor.allreduce(window, op=pld.ReduceOp.Sum)
    for r in pl.range(pld.world_size()):
        take(window, y[r], device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    dim, hidden = 40, 24
    shapes = [(size, dim), (ranks, dim, hidden), (ranks, dim, hidden), (ranks, hidden, dim)]
    made = [rng.standard_normal(shape, np.float32) * np.float32(0.2) for shape in shapes]
    return [*made, np.zeros((ranks, size, dim), np.float32)]


def reference(x: np.ndarray, gate: np.ndarray, up: np.ndarray, down: np.ndarray, y: np.ndarray) -> np.ndarray:
    wide = [array.astype(np.float64) for array in (x, gate, up, down)]
    total = np.zeros(x.shape)
    for g, u, d in zip(*wide[1:], strict=True):
        gated = wide[0] @ g
        total += (gated / (1.0 + np.exp(-gated)) * (wide[0] @ u)) @ d
    return np.broadcast_to(total.astype(np.float32), y.shape)
