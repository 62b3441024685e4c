# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes at the ends of what there is: windows that fit nowhere, ranks with nothing to do, more ranks than cores."""

import os
import pathlib

import numpy as np
import pytest

import tegula
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
ROWS = pl.dynamic("ROWS")
N = pl.dynamic("N")


@pl.jit.incore
def touch(window: pld.DistributedTensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[1], pl.FP32]]):
    y[0] = window[0] + 1.0


@pl.jit.host
def large(size: pl.Scalar[pl.INT64], y: pl.Out[pl.Tensor[[NR, 1], pl.FP32]]):
    window = pld.window(pld.alloc_window_buffer([size], dtype=pl.FP32), [size], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        touch(window, y[r], device=r)


def test_a_window_larger_than_memory_is_reported_and_the_next_call_works():
    with tegula.ranks(2) as group:
        processes = group.processes
        y = np.zeros((2, 1), np.float32)
        with pytest.raises(tegula.RunError, match=f"no memory for a buffer of {2**42} bytes"):
            large(2**40, y)
        # More bytes than can be counted.
        for size in (2**61, 2**62, 2**63 - 1):
            with pytest.raises(tegula.RunError, match=f"its size in bytes is {2**63 - 1}, that of the window is "):
                large(size, y)
        with pytest.raises(tegula.RunError, match="index 0 of axis 0 is out of range, the extent is 0"):
            large(-1, y)
        large(1000, y)
        np.testing.assert_array_equal(y, 1)
        assert group.processes == processes


@pl.jit
def exchange(
    x: pl.Tensor[[ROWS, 8], pl.FP32],
    counts: pl.Tensor[[NR], pl.INT32],
    y: pl.Out[pl.Tensor[[ROWS, 8], pl.FP32]],
    got: pl.Out[pl.Tensor[[NR], pl.INT32]],
    window: pld.DistributedTensor[[ROWS, 8], pl.FP32],
    came: pld.DistributedTensor[[NR], pl.INT32],
):
    window = pld.tensor.all_to_all_v(x, window, None, counts, came)
    y[:] = window
    got[:] = came


@pl.jit.host
def exchanged(
    x: pl.Tensor[[NR, ROWS, 8], pl.FP32],
    counts: pl.Tensor[[NR, NR], pl.INT32],
    y: pl.Out[pl.Tensor[[NR, ROWS, 8], pl.FP32]],
    got: pl.Out[pl.Tensor[[NR, NR], pl.INT32]],
):
    window = pld.window(pld.alloc_window_buffer([ROWS, 8], dtype=pl.FP32), [ROWS, 8], dtype=pl.FP32)
    came = pld.window(pld.alloc_window_buffer([NR], dtype=pl.INT32), [NR], dtype=pl.INT32)
    for r in pl.range(pld.world_size()):
        exchange(x[r], counts[r], y[r], got[r], window, came, device=r)


def expect_exchanged(counts: np.ndarray, room: int) -> None:
    ranks = len(counts)
    x = np.random.default_rng(1).standard_normal((ranks, ranks * room, 8), np.float32)
    y, got = np.full_like(x, 7), np.full_like(counts, 7)
    exchanged(x, counts, y, got)
    wanted = np.zeros_like(x)
    for sender in range(ranks):
        for receiver in range(ranks):
            count = counts[sender, receiver]
            part = x[sender, receiver * room : receiver * room + count]
            wanted[receiver, sender * room : sender * room + count] = part
    np.testing.assert_array_equal(y, wanted)
    np.testing.assert_array_equal(got, counts.T)


def test_ranks_may_have_no_tokens_and_no_more_than_there_is_room_for():
    room = 5
    with tegula.ranks(3):
        counts = np.array([[0, 0, 0], [5, 0, 2], [1, 0, 5]], np.int32)
        expect_exchanged(counts, room)
        expect_exchanged(np.zeros_like(counts), room)
        for wrong in (6, -1, 2**31 - 1, -(2**31)):
            counts[2, 1] = wrong
            with pytest.raises(tegula.RunError, match="as many rows are sent as there is room for"):
                expect_exchanged(counts, room)
        counts[2, 1] = 5
        expect_exchanged(counts, room)
        assert len(exchanged.variants) == 1


@pl.jit
def uneven(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    window: pld.DistributedTensor[[N], pl.FP32],
):
    window[:] = x
    pld.allreduce(window, op=pld.ReduceOp.Sum)
    y[:] = window


@pl.jit.host
def shares(x: pl.Tensor[[NR, N], pl.FP32], starts: pl.Tensor[[NR], pl.INT32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    for r in pl.range(pld.world_size()):
        first = starts[r]
        last = N
        if r + 1 < pld.world_size():
            last = starts[r + 1]
        double(x[r, first:last], y[first:last], device=r)


@pl.jit.incore
def double(x: pl.Tensor[[ROWS], pl.FP32], y: pl.Out[pl.Tensor[[ROWS], pl.FP32]]):
    y[:] = x * 2.0


def test_shares_of_ranks_may_be_empty():
    with tegula.ranks(3):
        x = np.random.default_rng(2).standard_normal((3, 10), np.float32)
        for starts in ([0, 0, 4], [0, 10, 10], [0, 3, 3], [0, 0, 0]):
            y = np.zeros(10, np.float32)
            shares(x, np.array(starts, np.int32), y)
            owner = [max(r for r in range(3) if starts[r] <= i) for i in range(10)]
            np.testing.assert_array_equal(y, 2 * x[owner, range(10)])


@pl.jit.host
def summed(x: pl.Tensor[[NR, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]):
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        uneven(x[r], y[r], window, device=r)


def busy_seconds(processes: list[int]) -> float:
    """The processor time that processes have used."""
    texts = [pathlib.Path(f"/proc/{process}/stat").read_text() for process in processes]
    ticks = sum(sum(map(int, text.rsplit(")", 1)[1].split()[11:13])) for text in texts)
    return ticks / os.sysconf("SC_CLK_TCK")


def test_more_ranks_than_cores_wait_without_spinning():
    count = 4 * len(os.sched_getaffinity(0))
    with tegula.ranks(count) as group:
        for size in (0, 1, 3, 1000):
            x = np.random.default_rng(size).integers(-9, 9, (count, size)).astype(np.float32)
            y = np.zeros_like(x)
            summed(x, y)
            np.testing.assert_array_equal(y, np.broadcast_to(x.sum(0), x.shape))
        before = busy_seconds(group.processes)
        for _ in range(50):
            summed(x, y)
        # Ranks that spin take a turn of the scheduler for each of three barriers, some seconds in all.
        assert busy_seconds(group.processes) - before < 1
