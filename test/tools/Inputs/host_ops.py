# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every function of ranks in the forms that it is written in."""

import tegula.language as pl
import tegula.language.distributed as pld
from tegula.language.distributed import nranks

NR = pl.dynamic("NR")
SIZE = pl.dynamic("SIZE")
N = 64


@pl.jit.inline
def rank_of(ctx: pld.CommCtx):
    return pld.rank(ctx)


@pl.jit.incore
def identity_step(
    x: pl.Tensor[[SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[SIZE], pl.FP32]],
    w: pld.DistributedTensor[[SIZE], pl.FP32],
):
    ctx = pld.get_comm_ctx(w)
    me = rank_of(ctx) + pld.system.rank(pld.system.get_comm_ctx(w)) + pld.rank()
    y[:] = x + pl.cast(me * pld.nranks(ctx) * nranks(), pl.FP32)
    return y


@pl.jit
def identity_chip(
    x: pl.Tensor[[SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[SIZE], pl.FP32]],
    w: pl.InOut[pld.DistributedTensor[[SIZE], pl.FP32]],
):
    y = identity_step(x, y, w)
    return y


@pl.jit.host
def identity(x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]):
    buf = pld.alloc_window_buffer(SIZE * pl.FP32.get_byte())
    for r in pl.range(pld.world_size()):
        w = pld.window(buf, [SIZE], dtype=pl.FP32)
        identity_chip(x[r], y[r], w, device=r)
    return y


@pl.jit.incore
def signals_step(
    x: pl.Tensor[[SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[SIZE], pl.FP32]],
    w: pld.DistributedTensor[[SIZE], pl.FP32],
    s: pld.DistributedTensor[[2, 1], pl.INT32],
):
    me = pld.rank()
    peer = (me + 1) % pld.nranks()
    pld.tensor.put(w, peer, x)
    pld.notify(s, peer, [0, 0], 1, pld.NotifyOp.AtomicAdd)
    pld.wait(s, [0, 0], 1, pld.WaitCmp.Ge)
    pld.system.notify(s, peer=peer, offsets=[1, 0], value=1, op=pld.NotifyOp.Set)
    pld.system.wait(s, offsets=[1, 0], expected=1, cmp=pld.WaitCmp.Eq)
    pld.meet("all have seen it")
    pld.system.notify(target=s, peer=peer, offsets=[1, 0], value=3)
    pld.system.wait(signal=s, offsets=[1, 0], expected=4)
    pld.system.defer_wait(s, offsets=[1, 0], expected=4, cmp=pld.WaitCmp.Ge)
    pld.meet("the end", [SIZE])
    y[:] = w


@pl.jit.host
def signals(x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]):
    data = pld.tensor.alloc_window_buffer([SIZE], dtype=pl.FP32)
    sig = pld.tensor.alloc_window_buffer(2 * pl.INT32.get_byte())
    for r in pl.range(pld.world_size()):
        w = pld.tensor.window(data, [SIZE], dtype=pl.FP32)
        s = pld.tensor.window(sig, [2, 1], dtype=pl.INT32)
        signals_step(x[r], y[r], w, s, device=r)


@pl.jit.incore
def moves_step(
    x: pl.Tensor[[N, N], pl.FP32],
    y: pl.Out[pl.Tensor[[N, N], pl.FP32]],
    w: pld.DistributedTensor[[N, N], pl.FP32],
    v: pld.DistributedTensor,
):
    me = pld.rank()
    t = pl.load(x, [0, 0], [N, N])
    w = pl.store(t, [0, 0], w)
    pld.tile.remote_store(t, target=v, peer=me, offsets=[0, 0])
    pld.tile.remote_store(t, v, me, [0, 0])
    pld.tensor.remote_store(x, target=v, peer=me, offsets=[0, 0])
    pld.tile.remote_store(src_tile=t, target=v, peer=me, offsets=[0, 0], atomic=pld.AtomicType.Add)
    pld.remote_store(t, v, peer=me, offsets=[0, 0], atomic=pl.AtomicType.Add)
    a = pld.tile.remote_load(w, peer=me, offsets=[0, 0], shape=[N, N])
    b = pld.remote_load(v, me, [0, 0], [N, N])
    c = pld.tile.remote_load(v, peer=me, offsets=[0, 32], shape=[N, 32], valid_shape=[N, 20])
    pld.tensor.put(
        dst=v,
        peer=me,
        src=x,
        dst_offsets=[0, 0],
        src_offsets=[32, 0],
        shape=[32, N],
        chunk_rows=8,
        chunk_cols=16,
        pipeline=True,
    )
    pld.tensor.put(v, me, x, [32, 0], [0, 0], [32, N], atomic=pld.AtomicType.Add)
    pld.tensor.put(v, peer=me, src=x, atomic=pld.AtomicType.None_)
    y = pl.store(pl.add(a, b), [0, 0], y)
    pld.tensor.get(w, me, v)
    pld.tensor.get(dst=w, peer=me, src=v, dst_offsets=[0, 0], src_offsets=[32, 0], shape=[32, N], chunk_rows=8)
    y[:] = y + w
    y[:, 0:20] += c
    part = pld.peer(v, me, use="update")
    part[:] += t
    pld.peer_end(part)
    y[:] = y + pld.peer(v, me)


@pl.jit.host
def moves(x: pl.Tensor[[NR, N, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N, N], pl.FP32]]):
    data = pld.alloc_window_buffer([N, N], dtype=pl.FP32)
    more = pld.alloc_window_buffer(N * N * pl.FP32.get_byte(), name="more")
    for r in pl.range(pld.world_size()):
        w = pld.window(data, [N, N], dtype=pl.FP32)
        moves_step(x[r], y[r], w, pld.window(more, shape=[N, N], dtype=pl.FP32), device=r)


@pl.jit.incore
def fill(x: pl.Tensor[[NR, SIZE], pl.FP32], w: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]):
    w[:] = x


@pl.jit.incore
def take(w: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.InOut[pl.Tensor[[NR, SIZE], pl.FP32]]):
    y[:] = y + w


@pl.jit.host
def on_hosts(x: pl.Tensor[[NR, NR, SIZE], pl.FP32], y: pl.InOut[pl.Tensor[[NR, NR, SIZE], pl.FP32]]):
    buf = pld.alloc_window_buffer([NR, SIZE], dtype=pl.FP32)
    other = pld.alloc_window_buffer([NR, SIZE], dtype=pl.FP32)
    sig_buf = pld.alloc_window_buffer([NR, 1], dtype=pl.INT32)
    w = pld.window(buf, [NR, SIZE], dtype=pl.FP32)
    v = pld.window(other, [NR, SIZE], dtype=pl.FP32)
    sig = pld.window(sig_buf, [NR, 1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        fill(x[r], w, device=r)
    sig = pld.tensor.barrier(sig)
    w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.Sum, core_num=4)
    w = pld.tensor.allreduce(w, signal=sig, op=pld.ReduceOp.Max, mode="ring")
    w = pld.all_reduce(w, op=pld.ReduceOp.Min)
    w = pld.all_reduce(w, op=pld.ReduceOp.Sum, mode="ring", nranks=1)
    w = pld.tensor.broadcast(w, sig, root=0)
    w = pld.tensor.reduce_scatter(w, sig, op=pld.ReduceOp.Sum)
    v = pld.tensor.all_to_all(w, v, sig)
    for r in pl.range(pld.world_size()):
        take(v, y[r], device=r)
    v = pld.tensor.allgather(w[0:1], v, sig)
    v = pld.all_gather(w[0:1], v)
    for r in pl.range(pld.world_size()):
        take(v, y[r], device=r)


@pl.jit.incore
def in_core(
    x: pl.Tensor[[NR, SIZE], pl.FP32],
    counts: pl.Tensor[[NR], pl.INT32],
    y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]],
    w: pld.DistributedTensor[[NR, SIZE], pl.FP32],
    got: pld.DistributedTensor[[NR], pl.INT32],
    sig: pld.DistributedTensor[[NR, 1], pl.INT32],
):
    w = pld.tensor.allgather(x[0:1], w, sig)
    w = pld.tensor.allreduce(w, sig, op=pld.ReduceOp.Prod)
    sig = pld.tensor.barrier(sig)
    pld.tensor.barrier(sig, core_num=2)
    y[:] = w
    sent = pl.create_tensor([NR], dtype=pl.INT32)
    sent[:] = counts % 2
    w = pld.tensor.all_to_all_v(x, w, sig, sent, got)
    y[:] = y + w
    w = pld.all_to_all_v(x, w, sent, got, nranks=1)
    y[:] = y + w


@pl.jit.host
def in_cores(
    x: pl.Tensor[[NR, NR, SIZE], pl.FP32],
    counts: pl.Tensor[[NR, NR], pl.INT32],
    y: pl.Out[pl.Tensor[[NR, NR, SIZE], pl.FP32]],
):
    w = pld.window(pld.alloc_window_buffer([NR, SIZE], dtype=pl.FP32), [NR, SIZE], dtype=pl.FP32)
    got = pld.window(pld.alloc_window_buffer([NR], dtype=pl.INT32), [NR], dtype=pl.INT32)
    sig = pld.window(pld.alloc_window_buffer([NR, 1], dtype=pl.INT32), [NR, 1], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        in_core(x[r], counts[r], y[r], w, got, sig, device=r)
