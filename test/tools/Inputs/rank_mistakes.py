# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs over ranks, each with one mistake."""

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def read_too_early(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    w[:] = x
    y[:] = pld.tile.remote_load(w, peer=(pld.rank() + 1) % pld.nranks(), offsets=[0], shape=[N])


@pl.jit.incore
def write_too_early(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    w[:] = x
    pld.tensor.barrier()
    pld.tensor.get(dst=y, peer=(pld.rank() + 1) % pld.nranks(), src=w)
    w[:] = pl.load(x) * 2.0


@pl.jit.incore
def put_before_room(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    peer = (pld.rank() + 1) % pld.nranks()
    for iteration in pl.range(2):
        pld.tensor.put(dst=w, peer=peer, src=x)
        pld.system.notify(target=s, peer=peer, offsets=[0], value=1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(signal=s, offsets=[0], expected=iteration + 1, cmp=pld.WaitCmp.Ge)
        y[:] = w


@pl.jit.incore
def no_wait(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    pld.tensor.put(dst=w, peer=(pld.rank() + 1) % pld.nranks(), src=x)
    y[:] = w


@pl.jit.incore
def notified_before_it_was_there(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    peer = (pld.rank() + 1) % pld.nranks()
    pld.system.notify(target=s, peer=peer, offsets=[0], value=1, op=pld.NotifyOp.AtomicAdd)
    pld.tensor.put(dst=w, peer=peer, src=x)
    pld.system.wait(signal=s, offsets=[0], expected=1, cmp=pld.WaitCmp.Ge)
    y[:] = w


@pl.jit.incore
def any_of_two(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    for peer in pl.range(pld.nranks()):
        if peer != pld.rank():
            pld.tensor.put(dst=w, peer=peer, src=x, atomic=pld.AtomicType.Add)
            pld.system.notify(target=s, peer=peer, offsets=[0], value=1, op=pld.NotifyOp.AtomicAdd)
    pld.system.wait(signal=s, offsets=[0], expected=1, cmp=pld.WaitCmp.Ge)
    y[:] = w


@pl.jit.incore
def signal_set_back(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    me = pld.rank()
    for iteration in pl.range(2):
        pld.system.notify(target=s, peer=(me + 1) % pld.nranks(), offsets=[0], value=1, op=pld.NotifyOp.AtomicAdd)
        pld.system.wait(signal=s, offsets=[0], expected=1, cmp=pld.WaitCmp.Ge)
        pld.system.notify(target=s, peer=me, offsets=[0], value=0, op=pld.NotifyOp.Set)
    y[:] = x


@pl.jit.incore
def all_wait(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    pld.system.wait(signal=s, offsets=[0], expected=1, cmp=pld.WaitCmp.Ge)
    pld.system.notify(target=s, peer=(pld.rank() + 1) % pld.nranks(), offsets=[0], value=1, op=pld.NotifyOp.AtomicAdd)
    y[:] = x


@pl.jit.incore
def different_collectives(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    if pld.rank() == 1:
        pld.tensor.barrier()
    else:
        w = pld.tensor.broadcast(w, root=0)
    y[:] = x


@pl.jit.incore
def one_does_not_come(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    w: pld.DistributedTensor[[N], pl.FP32],
    s: pld.DistributedTensor[[2], pl.INT32],
):
    if pld.rank() != 1:
        pld.tensor.barrier()
    y[:] = x


@pl.jit.host
def host(
    x: pl.Tensor[[NR, N], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, N], pl.FP32]],
    which: pl.Scalar[pl.INT32],
):
    w = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    s = pld.window(pld.alloc_window_buffer([2], dtype=pl.INT32), [2], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        if which == 0:
            read_too_early(x[r], y[r], w, s, device=r)
        elif which == 1:
            write_too_early(x[r], y[r], w, s, device=r)
        elif which == 2:
            put_before_room(x[r], y[r], w, s, device=r)
        elif which == 3:
            no_wait(x[r], y[r], w, s, device=r)
        elif which == 4:
            notified_before_it_was_there(x[r], y[r], w, s, device=r)
        elif which == 5:
            any_of_two(x[r], y[r], w, s, device=r)
        elif which == 6:
            signal_set_back(x[r], y[r], w, s, device=r)
        elif which == 7:
            all_wait(x[r], y[r], w, s, device=r)
        elif which == 8:
            different_collectives(x[r], y[r], w, s, device=r)
        elif which == 9:
            one_does_not_come(x[r], y[r], w, s, device=r)
