# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks publish, signal, and read from each other, twice. `racing` writes the second round while the first may still be
read; `ordered` says when it has been."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.inline
def exchange(signal: pld.DistributedTensor[[1, 1], pl.INT32], other, count):
    pld.system.notify(target=signal, peer=other, offsets=[0, 0], value=1, op=pld.NotifyOp.AtomicAdd)
    pld.system.wait(signal=signal, offsets=[0, 0], expected=count, cmp=pld.WaitCmp.Ge)


@pl.jit.incore
def racing_rounds(
    x: pl.Tensor[[2, N], pl.FP32],
    y: pl.Out[pl.Tensor[[2, N], pl.FP32]],
    w: pld.DistributedTensor[[1, N], pl.FP32],
    s: pld.DistributedTensor[[1, 1], pl.INT32],
):
    other = (pld.rank() + 1) % pld.nranks()
    w[:] = x[0:1, :]
    exchange(s, other, 1)
    y[0:1, :] = pld.tile.remote_load(w, peer=other, offsets=[0, 0], shape=[1, N])
    w[:] = x[1:2, :]
    exchange(s, other, 2)
    y[1:2, :] = pld.tile.remote_load(w, peer=other, offsets=[0, 0], shape=[1, N])


@pl.jit.incore
def ordered_rounds(
    x: pl.Tensor[[2, N], pl.FP32],
    y: pl.Out[pl.Tensor[[2, N], pl.FP32]],
    w: pld.DistributedTensor[[1, N], pl.FP32],
    s: pld.DistributedTensor[[1, 1], pl.INT32],
):
    other = (pld.rank() + 1) % pld.nranks()
    w[:] = x[0:1, :]
    exchange(s, other, 1)
    y[0:1, :] = pld.tile.remote_load(w, peer=other, offsets=[0, 0], shape=[1, N])
    exchange(s, other, 2)
    w[:] = x[1:2, :]
    exchange(s, other, 3)
    y[1:2, :] = pld.tile.remote_load(w, peer=other, offsets=[0, 0], shape=[1, N])


@pl.jit.host
def racing(x: pl.Tensor[[NR, 2, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, 2, N], pl.FP32]]):
    data = pld.alloc_window_buffer([1, N], dtype=pl.FP32)
    signal = pld.alloc_window_buffer([1, 1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        w: pld.DistributedTensor[[1, N], pl.FP32] = pld.window(data, [1, N], dtype=pl.FP32)
        s: pld.DistributedTensor = pld.window(signal, [1, 1], dtype=pl.INT32)
        racing_rounds(x[r], y[r], w, s, device=r)


@pl.jit.host
def ordered(x: pl.Tensor[[NR, 2, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, 2, N], pl.FP32]]):
    data = pld.alloc_window_buffer([1, N], dtype=pl.FP32)
    signal = pld.alloc_window_buffer([1, 1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        w = pld.window(data, [1, N], dtype=pl.FP32)
        ordered_rounds(x[r], y[r], w, pld.window(signal, [1, 1], dtype=pl.INT32), device=r)


def reference(x):
    return np.roll(x, -1, axis=0)
