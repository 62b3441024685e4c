# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of programs over ranks that are made of others; prelude.py says how such functions are written. In
pl.distributed they go by their names without what is in front of them."""

import tegula.language as pl


@pl.theme("", effect=True)
def _store_at(window, peer, tile, use):
    """Writes a tile to the window of another rank, or adds it to what is there."""
    part = pl.distributed.peer(window, peer, use)
    if use == "update":
        part[:] += tile
    else:
        part[:] = tile
    pl.distributed.peer_end(part)


@pl.theme("ranks", effect=True)
def distributed_remote_load(target, peer, offsets, shape, valid_shape=None):
    """a part of the window of rank `peer` as a tile; `valid_shape` takes less of it"""
    part = pl.slice(target, shape, offsets, valid_shape)
    return pl.load(pl.distributed.peer(part, peer, "read"))


@pl.theme("ranks", effect=True)
def distributed_remote_store(src: pl.Any["src_tile"], target, peer, offsets, atomic=None):
    """writes a tile to the window of rank `peer` at the offsets, or adds it with `atomic=pld.AtomicType.Add`"""
    tile = pl.load(src)
    pl._store_at(pl._part(target, tile, offsets), peer, tile, pl._peer_use(atomic))


def _part_or_all(x, shape, offsets):
    """A part of a tensor, or all of it without a shape."""
    return x if shape is None else pl.slice(x, shape, offsets)


@pl.theme("ranks", effect=True)
def distributed_put(
    dst,
    peer,
    src,
    dst_offsets=None,
    src_offsets=None,
    shape=None,
    atomic=None,
    chunk_rows: pl.Schedule = None,
    chunk_cols: pl.Schedule = None,
    pipeline: pl.Schedule = None,
):
    """writes a tensor, or a part of it, to the window of rank `peer`, or adds it with `atomic=pld.AtomicType.Add`"""
    part = pl._part_or_all(src, shape, src_offsets)
    pl._store_at(pl._part_or_all(dst, shape, dst_offsets), peer, pl.load(part), pl._peer_use(atomic))


@pl.theme("ranks", effect=True)
def distributed_get(
    dst,
    peer,
    src,
    dst_offsets=None,
    src_offsets=None,
    shape=None,
    chunk_rows: pl.Schedule = None,
    chunk_cols: pl.Schedule = None,
    pipeline: pl.Schedule = None,
):
    """writes the window of rank `peer`, or a part of it, to a tensor"""
    part = pl._part_or_all(src, shape, src_offsets)
    to = pl._part_or_all(dst, shape, dst_offsets)
    to[:] = pl.load(pl.distributed.peer(part, peer, "read"))


@pl.theme("ranks", effect=True)
def distributed_barrier(signal=None, core_num: pl.Schedule = None):
    """waits until all ranks are here"""
    pl._meet("barrier")
    return signal


def _sum_of_parts(part, op):
    """What all ranks have in a part of a window together, in the order of the ranks, rounded once."""
    total = pl._wide(pl.load(pl.distributed.peer(part, 0, "read")))
    for peer in pl.range(1, pl.distributed.nranks()):
        total = pl._reduced(total, pl._wide(pl.load(pl.distributed.peer(part, peer, "read"))), op)
    return pl.cast(total, part.dtype, mode="rint")


@pl.theme("ranks", effect=True)
def distributed_allreduce(target, signal: pl.Signal = None, op=None, mode="mesh", core_num: pl.Schedule = None):
    """combines the windows of all ranks element by element, in the order of the ranks; each then has the result"""
    kind = pl._reduce_name(op)
    flat = pl.reshape(target, [-1])
    ranks = pl.distributed.nranks()
    pl.static_assert(mode in ("mesh", "ring"), f"'{__name__}' has the modes 'mesh' and 'ring', got '{mode}'")
    pl._meet("allreduce", flat.shape[0], target, kind, mode)
    if mode == "ring":
        pl._ring_allreduce(flat, ranks, kind)
    else:
        pl._mesh_allreduce(flat, ranks, kind)
    pl._meet("the end of allreduce")
    return target


@pl.theme("ranks", effect=True)
def distributed_all_reduce(target, op=None, mode="mesh", nranks: pl.Schedule = None):
    """as `pld.allreduce`"""
    return pl.distributed.allreduce(target, None, op, mode)


@pl.theme("", effect=True)
def _mesh_allreduce(flat, ranks, kind):
    """Each rank combines its share and gives it to all."""
    share = pl.cdiv(pl.cdiv(flat.shape[0], ranks), 64) * 64
    own = pl.slice(flat, [share], [share * pl.distributed.rank()])
    for first in pl.range(0, own.shape[0], 2048):
        block = pl.slice(own, [2048], [first])
        total = pl._sum_of_parts(block, kind)
        for peer in pl.range(ranks):
            pl._store_at(block, peer, total, "write")


@pl.theme("", effect=True)
def _ring_allreduce(flat, ranks, kind):
    """Shares go around, each rank adds its own to what its neighbour has; then they go around once more."""
    share = pl.cdiv(pl.cdiv(flat.shape[0], ranks), 64) * 64
    me = pl.distributed.rank()
    left = (me + ranks - 1) % ranks
    for step in pl.range(ranks - 1):
        part = pl.slice(flat, [share], [share * ((me + ranks - 1 - step) % ranks)])
        for first in pl.range(0, part.shape[0], 2048):
            block = pl.slice(part, [2048], [first])
            theirs = pl._wide(pl.load(pl.distributed.peer(block, left, "read")))
            total = pl._reduced(theirs, pl._wide(pl.load(block)), kind)
            block[:] = pl.cast(total, flat.dtype, mode="rint")
        pl._meet("a step of allreduce")
    for step in pl.range(ranks - 1):
        part = pl.slice(flat, [share], [share * ((me + ranks - step) % ranks)])
        part[:] = pl.load(pl.distributed.peer(part, left, "read"))
        pl._meet("a step of allreduce")


@pl.theme("ranks", effect=True)
def distributed_broadcast(target, signal: pl.Signal = None, root=0, core_num: pl.Schedule = None):
    """gives the window of rank `root` to all"""
    pl._meet("broadcast", root)
    if pl.distributed.rank() != root:
        target[:] = pl.load(pl.distributed.peer(target, root, "read"))
    pl._meet("the end of broadcast")
    return target


@pl.theme("ranks", effect=True)
def distributed_allgather(local_data: pl.Any["src"], target, signal: pl.Signal = None, core_num: pl.Schedule = None):
    """writes the tensors of all ranks to the window of each, one after the other along the first axis"""
    rows = local_data.shape[0]
    pl._meet("allgather", rows, target)
    first = rows * pl.distributed.rank()
    for peer in pl.range(pl.distributed.nranks()):
        pl._store_at(target[first : first + rows], peer, pl.load(local_data), "write")
    pl._meet("the end of allgather")
    return target


@pl.theme("ranks", effect=True)
def distributed_all_gather(local_data: pl.Any["src"], target):
    """as `pld.allgather`"""
    return pl.distributed.allgather(local_data, target)


@pl.theme("ranks", effect=True)
def distributed_reduce_scatter(target, signal: pl.Signal = None, op=None, core_num: pl.Schedule = None):
    """of a window with one row for each rank, combines row r of all ranks into that row of rank r"""
    kind = pl._reduce_name(op)
    pl._meet("reduce_scatter", target.shape[0], target, kind)
    flat = pl.reshape(target[pl.distributed.rank()], [-1])
    for first in pl.range(0, flat.shape[0], 2048):
        block = pl.slice(flat, [2048], [first])
        block[:] = pl._sum_of_parts(block, kind)
    pl._meet("the end of reduce_scatter")
    return target


@pl.theme("ranks", effect=True)
def distributed_all_to_all(input: pl.Any["src"], target, signal: pl.Signal = None, core_num: pl.Schedule = None):
    """writes row p of the tensor of rank r to row r of the window of rank p"""
    pl._meet("all_to_all", target.shape[0], target)
    for peer in pl.range(pl.distributed.nranks()):
        pl._store_at(target[pl.distributed.rank()], peer, pl.load(input[peer]), "write")
    pl._meet("the end of all_to_all")
    return target


@pl.theme("ranks", effect=True)
def distributed_all_to_all_v(
    input: pl.Any["src"], target, signal=None, send_counts=None, recv_counts=None, nranks: pl.Schedule = None
):
    """as `pld.all_to_all`, of as many rows for rank p as `send_counts[p]` says, which must be no more than there is
    room for; `recv_counts[r]` says how many came from rank r; the signal may be left out in front of them"""
    to_send = signal if recv_counts is None else send_counts
    to_receive = send_counts if recv_counts is None else recv_counts
    if to_send is None or to_receive is None:
        pl.static_assert(False, f"'{__name__}' needs 'send_counts' and 'recv_counts'")
    else:
        pl._exchange_rows(input, target, pl.reshape(to_send, [-1]), pl.reshape(to_receive, [-1]))
    return target


@pl.theme("", effect=True)
def _exchange_rows(input, target, sent, counts):
    """Rows for each rank, as many as `sent` says; `counts` of each rank get how many came."""
    ranks = pl.distributed.nranks()
    me = pl.distributed.rank()
    room = target.shape[0] // ranks
    pl._meet("all_to_all_v", room, target)
    for peer in pl.range(ranks):
        count = sent[peer]
        assert count >= 0 and count <= room, "as many rows are sent as there is room for"
        source = pl.load(input[peer * room : peer * room + count])
        pl._store_at(target[me * room : me * room + count], peer, source, "write")
        pl.distributed.notify(counts, peer, [me], count, pl.distributed.NotifyOp.Set)
    pl._meet("the end of all_to_all_v")
