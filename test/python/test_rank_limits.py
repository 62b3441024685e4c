# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs over ranks that do not end by themselves, and processes that leave early."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import tegula
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")


@pl.jit.incore
def count_up(limit: pl.Tensor[[1], pl.INT32], out: pl.Out[pl.Tensor[[1], pl.INT32]]):
    number = 0
    while number < limit[0]:
        number = number + 1
        if number == 1000:
            number = 0
    out[0] = number


@pl.jit.host
def counted(limits: pl.Tensor[[NR, 1], pl.INT32], out: pl.Out[pl.Tensor[[NR, 1], pl.INT32]]):
    for r in pl.range(pld.world_size()):
        count_up(limits[r], out[r], device=r)


def endless() -> list[np.ndarray]:
    """The last of two ranks counts for ever."""
    return [np.array([[5], [2000]], np.int32), np.zeros((2, 1), np.int32)]


def test_a_call_ends_at_its_time_and_the_next_one_works():
    with tegula.ranks(2, timeout=1.5) as group:
        before = group.processes
        with pytest.raises(tegula.RunError, match=r"rank 1 did not end in 1500 ms"):
            counted(*endless())
        limits = np.array([[5], [7]], np.int32)
        out = np.zeros((2, 1), np.int32)
        counted(limits, out)
        np.testing.assert_array_equal(out, limits)
        assert not set(before) & set(group.processes)


@pytest.mark.parametrize("timeout", [0, -1.0])
def test_a_time_is_positive(timeout):
    with pytest.raises(ValueError, match="a timeout is a number of seconds above 0"):
        tegula.ranks(2, timeout=timeout)


def is_running(process: int) -> bool:
    status = pathlib.Path(f"/proc/{process}/status")
    return status.exists() and "\nState:\tZ" not in status.read_text()


def test_an_interrupt_ends_all_ranks():
    program = subprocess.Popen(
        [sys.executable, __file__, "interrupted"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    processes = [int(number) for number in program.stdout.readline().split()]
    assert len(processes) == 2
    assert all(map(is_running, processes))
    # It is in the call once the last rank has used its processor for a while.
    while busy_ticks(processes[1]) < 100:
        time.sleep(0.02)
    program.send_signal(signal.SIGINT)
    output, errors = program.communicate(timeout=60)
    assert output.strip() == "interrupted", errors
    assert not any(map(is_running, processes))


def busy_ticks(process: int) -> int:
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def interrupted() -> None:
    with tegula.ranks(2) as group:
        print(*group.processes, flush=True)
        try:
            counted(*endless())
        except KeyboardInterrupt:
            print("interrupted", flush=True)


if __name__ == "__main__":
    interrupted()
