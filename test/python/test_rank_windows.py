# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows that stay from call to call, on ranks that this process starts and under mpirun."""

import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest

import tegula
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def put(x: pl.Tensor[[N], pl.FP32], window: pld.DistributedTensor[[N], pl.FP32]):
    window[:] = x + window


@pl.jit.host
def add(x: pl.Tensor[[NR, N], pl.FP32], window: pld.DistributedTensor[[N], pl.FP32]):
    for r in pl.range(pld.world_size()):
        put(x[r], window, device=r)


@pl.jit.host
def total(window: pld.DistributedTensor[[N], pl.FP32]):
    window = pld.tensor.allreduce(window, op=pld.ReduceOp.Sum)


@pl.jit.incore
def shift_step(
    window: pld.DistributedTensor[[N], pl.FP32],
    signal: pld.DistributedTensor[[1], pl.INT32],
    iteration: pl.Scalar[pl.INT32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
):
    right = (pld.rank() + 1) % pld.nranks()
    own = pl.load(window)
    pld.barrier()
    pld.remote_store(own, window, right, [0])
    pld.notify(signal, right, [0], 1)
    pld.wait(signal, [0], iteration)
    y[:] = window


@pl.jit.host
def shift(
    window: pld.DistributedTensor[[N], pl.FP32],
    signal: pld.DistributedTensor[[1], pl.INT32],
    iteration: pl.Scalar[pl.INT32],
    y: pl.Out[pl.Tensor[[NR, N], pl.FP32]],
):
    for r in pl.range(pld.world_size()):
        shift_step(window, signal, iteration, y[r], device=r)


def check(group: tegula.ranks, own: list[int]) -> None:
    """Ranks add to their windows, sum them up and hand them on, each in a call of its own."""
    ranks = group.count
    for size in (1, 7, 5000):
        x = np.random.default_rng(size).integers(-9, 9, (ranks, size)).astype(np.float32)
        window = group.window(size)
        came = group.window(1, "int32")
        assert window.shape == (size,)
        assert window.dtype == np.float32
        for iteration in range(1, 4):
            add(x, window)
            for r in own:
                np.testing.assert_array_equal(window[r], iteration * x[r])
        y = np.zeros_like(x)
        for iteration in range(1, 4):
            shift(window, came, iteration, y)
            np.testing.assert_array_equal(y, 3 * np.roll(x, iteration, axis=0))
        total(window)
        for r in own:
            np.testing.assert_array_equal(window[r], 3 * x.sum(axis=0))
            assert came[r][0] == 3


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_data_stays_in_windows_of_ranks_that_this_process_starts(ranks):
    with tegula.ranks(ranks) as group:
        check(group, list(range(ranks)))
        window = group.window((2, 3))
        window[0][1, 2] = 4
        assert window[0].sum() == 4
        with pytest.raises(IndexError, match=f"there are {ranks} ranks, not a rank {ranks}"):
            window[ranks]


def test_windows_stay_when_ranks_are_started_anew():
    with tegula.ranks(2) as group:
        window = group.window(3)
        x = np.ones((2, 3), np.float32)
        add(x, window)
        os.kill(group.processes[0], signal.SIGKILL)
        with pytest.raises(tegula.RunError, match="rank 0 ended"):
            add(x, window)
        window[0][:] = window[1][:] = 5
        total(window)
        assert window[0].tolist() == window[1].tolist() == [10, 10, 10]


def test_a_window_larger_than_memory_is_refused():
    with tegula.ranks(2) as group:
        for size in (2**45, 2**62):
            with pytest.raises(tegula.ResourceError, match="no memory for a window of"):
                group.window(size)
        check(group, [0, 1])


def test_an_ordinary_array_is_no_window():
    with tegula.ranks(2), pytest.raises(tegula.RunError, match="the tensor is in no window"):
        total(np.zeros(4, np.float32))


@pytest.mark.parametrize("ranks, transport", [(1, ""), (3, ""), (2, "mpi"), (3, "mpi")])
def test_data_stays_in_windows_under_mpirun(ranks, transport):
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    paths = os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path])
    done = subprocess.run(
        ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), sys.executable, __file__],
        env={**os.environ, **root, "TEGULA_RANKS_TRANSPORT": transport, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("all right") == ranks


def main() -> None:
    with tegula.ranks() as group:
        check(group, [group.rank])
        window = group.window(1)
        if group.count > 1:
            with pytest.raises(IndexError, match="does not see the window of rank"):
                window[(group.rank + 1) % group.count]
        print(f"rank {group.rank}: all right", flush=True)


if __name__ == "__main__":
    main()
