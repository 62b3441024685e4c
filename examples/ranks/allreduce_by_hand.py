# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An all-reduce written out: notify all, wait for all, add the rows of all. `allreduce.py` does it in one call."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")
BLOCK = 1024


@pl.jit.incore
def reduce(
    x: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[1, N], pl.FP32]],
    window: pld.DistributedTensor[[1, N], pl.FP32],
    signal: pld.DistributedTensor[[NR, 1], pl.INT32],
) -> None:
    ctx = pld.get_comm_ctx(window)
    me = pld.rank(ctx)
    ranks = pld.nranks(ctx)
    window[:] = x
    for peer in pl.range(ranks):
        if peer != me:
            pld.system.notify(target=signal, peer=peer, offsets=[me, 0], value=1, op=pld.NotifyOp.AtomicAdd)
    for source in pl.range(ranks):
        if source != me:
            pld.system.wait(signal=signal, offsets=[source, 0], expected=1, cmp=pld.WaitCmp.Ge)
    for i in pl.range(0, N, BLOCK):
        total = pld.tile.remote_load(window, peer=0, offsets=[0, i], shape=[1, BLOCK])
        for peer in pl.range(1, ranks):
            total = total + pld.tile.remote_load(window, peer=peer, offsets=[0, i], shape=[1, BLOCK])
        y[:, i : i + BLOCK] = total


@pl.jit
def chip(
    x: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[1, N], pl.FP32]],
    window: pld.DistributedTensor[[1, N], pl.FP32],
    signal: pld.DistributedTensor[[NR, 1], pl.INT32],
) -> None:
    reduce(x, y, window, signal)


@pl.jit.host
def allreduce_by_hand(x: pl.Tensor[[NR, 1, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, 1, N], pl.FP32]]) -> pl.Tensor:
    data = pld.alloc_window_buffer(N * pl.FP32.get_byte())
    signals = pld.alloc_window_buffer(NR * pl.INT32.get_byte())
    for r in pl.range(pld.world_size()):
        window = pld.window(data, [1, N], dtype=pl.FP32)
        signal = pld.window(signals, [NR, 1], dtype=pl.INT32)
        chip(x[r], y[r], window, signal, device=r)
    return y


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.standard_normal((ranks, 1, size), np.float32), np.zeros((ranks, 1, size), np.float32)]


def reference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    total = x[0]
    for row in x[1:]:
        total = total + row
    return np.broadcast_to(total, x.shape)
