# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An all-reduce by the collective, over a mesh and around a ring, of sums and of maxima."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")
DTYPE = pl.FP32


@pl.jit.incore
def put(x: pl.Tensor[[N], DTYPE], window: pld.DistributedTensor[[N], DTYPE]) -> None:
    window[:] = x


@pl.jit.incore
def take(window: pld.DistributedTensor[[N], DTYPE], y: pl.Out[pl.Tensor[[N], DTYPE]]) -> None:
    y[:] = window


@pl.jit.host
def allreduce(
    x: pl.Tensor[[NR, N], DTYPE],
    mesh: pl.Out[pl.Tensor[[NR, N], DTYPE]],
    ring: pl.Out[pl.Tensor[[NR, N], DTYPE]],
    most: pl.Out[pl.Tensor[[NR, N], DTYPE]],
) -> None:
    window = pld.window(pld.alloc_window_buffer([N], dtype=DTYPE), [N], dtype=DTYPE)
    for r in pl.range(pld.world_size()):
        put(x[r], window, device=r)
    window = pld.tensor.allreduce(window, op=pld.ReduceOp.Sum)
    for r in pl.range(pld.world_size()):
        take(window, mesh[r], device=r)
    for r in pl.range(pld.world_size()):
        put(x[r], window, device=r)
    window = pld.tensor.allreduce(window, op=pld.ReduceOp.Sum, mode="ring")
    for r in pl.range(pld.world_size()):
        take(window, ring[r], device=r)
    for r in pl.range(pld.world_size()):
        put(x[r], window, device=r)
    window = pld.tensor.allreduce(window, op=pld.ReduceOp.Max)
    for r in pl.range(pld.world_size()):
        take(window, most[r], device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    x = rng.standard_normal((ranks, size), np.float32)
    return [x, *(np.zeros_like(x) for _ in range(3))]


def reference(
    x: np.ndarray, mesh: np.ndarray, ring: np.ndarray, most: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    total = np.broadcast_to(x.astype(np.float64).sum(axis=0).astype(np.float32), x.shape)
    return total, total, np.broadcast_to(x.max(axis=0), x.shape)
