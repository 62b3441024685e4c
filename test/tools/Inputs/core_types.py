# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that say which cores of another machine they are for, and peer memory that ends by a window of it."""

import tegula.language as pl
import tegula.language.distributed as pld

M = pl.dynamic("M")
NR = pl.dynamic("NR")


@pl.jit.incore(core_type="aic")
def more(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x + 1.0


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    t = pl.create_tensor([M], dtype=pl.FP32)
    for b in pl.spmd(4, core_type="aiv"):
        for i in pl.range(b, M, 4):
            t[i : i + 1] = x[i : i + 1]
        pl.system.syncall(core_type="aic")
    with pl.at(level=pl.Level.CORE_GROUP, core_type="aic"):
        more(t, y)


@pl.jit.incore
def send(x: pl.Tensor[[M], pl.FP32], w: pld.DistributedTensor[[M], pl.FP32]):
    p = pld.peer(w, (pld.rank() + 1) % pld.nranks(), use="write")
    part = p[0:M]
    part[:] = x
    pld.peer_end(part)


@pl.jit.host
def around(x: pl.Tensor[[NR, M], pl.FP32], y: pl.Out[pl.Tensor[[NR, M], pl.FP32]]):
    w = pld.window(pld.alloc_window_buffer([M], dtype=pl.FP32), [M], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        send(x[r], w, device=r)
    pld.tensor.barrier()
    for r in pl.range(pld.world_size()):
        y[r, :] = w


def reference(x):
    return x + 1
