# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows move to the next rank: a remote store, then a signal that it has arrived."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def push(
    x: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[1, N], pl.FP32]],
    window: pld.DistributedTensor[[1, N], pl.FP32],
    signal: pld.DistributedTensor[[1, 1], pl.INT32],
) -> None:
    peer = (pld.rank() + 1) % pld.nranks()
    for i in pl.range(0, N, 1024):
        tile = pl.load(x, [0, i], [1, 1024])
        pld.tile.remote_store(tile, target=window, peer=peer, offsets=[0, i])
    pld.system.notify(target=signal, peer=peer, offsets=[0, 0], value=1, op=pld.NotifyOp.AtomicAdd)
    pld.system.wait(signal=signal, offsets=[0, 0], expected=1, cmp=pld.WaitCmp.Ge)
    y[:] = window


@pl.jit.host
def shift(x: pl.Tensor[[NR, 1, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, 1, N], pl.FP32]]) -> None:
    data = pld.alloc_window_buffer([1, N], dtype=pl.FP32)
    came = pld.alloc_window_buffer([1, 1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        window = pld.window(data, [1, N], dtype=pl.FP32)
        signal = pld.window(came, [1, 1], dtype=pl.INT32)
        push(x[r], y[r], window, signal, device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.standard_normal((ranks, 1, size), np.float32), np.zeros((ranks, 1, size), np.float32)]


def reference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.roll(x, 1, axis=0)
