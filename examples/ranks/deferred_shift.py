# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows move to the next rank. Each dispatch first names the signal that the next one waits for, then sends; the next
dispatch reads the row."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def send(
    x: pl.Tensor[[N], pl.FP32],
    window: pld.DistributedTensor[[N], pl.FP32],
    signal: pld.DistributedTensor[[1], pl.INT32],
) -> None:
    peer = (pld.rank() + 1) % pld.nranks()
    pld.system.defer_wait(signal, [0], 1)
    pld.put(window, peer, x)
    pld.system.notify(signal, peer, [0], 1)


@pl.jit.incore
def take(window: pld.DistributedTensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    y[:] = window


@pl.jit.host
def deferred_shift(x: pl.Tensor[[NR, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]) -> None:
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    signal = pld.window(pld.alloc_window_buffer([1], dtype=pl.INT32), [1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        send(x[r], window, signal, device=r)
        take(window, y[r], device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.standard_normal((ranks, size), np.float32), np.zeros((ranks, size), np.float32)]


def reference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.roll(x, 1, axis=0)
