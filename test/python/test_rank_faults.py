# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that are killed, raise or leave: the others name them within a second, all have ended within three, nothing is
left, and the next run works."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tegula
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")
# Seconds: one and three on a machine that is free, which that of the tests need not be.
NAMED, ENDED = 10.0, 30.0


@pl.jit
def chip(
    x: pl.Tensor[[N], pl.FP32],
    iterations: pl.Scalar[pl.INT32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    window: pld.DistributedTensor[[N], pl.FP32],
):
    window[:] = x
    for _ in pl.range(iterations):
        pld.barrier()
    y[:] = pl.exp(window) * 0.0 + window


@pl.jit.host
def barriers(x: pl.Tensor[[NR, N], pl.FP32], iterations: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]):
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        chip(x[r], iterations, y[r], window, device=r)


def expect_works(ranks: int) -> None:
    x = np.arange(100000 * ranks, dtype=np.float32).reshape(ranks, -1) % 10
    y = np.zeros_like(x)
    barriers(x, 1, y)
    np.testing.assert_array_equal(y, x)


def is_there(process: int) -> bool:
    """Whether a process is there, be it as a zombie; those of the first process are left to it."""
    try:
        state, parent = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return (state, parent) != ("Z", "1")


# What programs of other tests may have in shared memory meanwhile: marks of threads, links, segments of MPI.
OF_OTHERS = ("__KMP", "tegula-link", "vader_segment")


def expect_nothing_left(processes: list[int], since: float, before: set[str]) -> None:
    """All have ended, and what is in shared memory was there before, or is not theirs."""
    while any(map(is_there, processes)) and time.monotonic() < since + ENDED:
        time.sleep(0.01)
    assert not [process for process in processes if is_there(process)]
    left = set(os.listdir("/dev/shm")) - before
    marks = {f"__KMP_REGISTERED_LIB_{process}_{os.getuid()}" for process in processes}
    assert not left & marks
    assert not {name for name in left if not name.startswith(OF_OTHERS)}


def children() -> list[int]:
    """The children of this process, whichever of its threads started them, living and dead."""
    tasks = pathlib.Path("/proc/self/task").glob("*/children")
    return [int(number) for path in tasks for number in path.read_text().split()]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_rank_that_is_killed_is_named_and_the_next_call_works(how):
    before = set(os.listdir("/dev/shm"))
    with tegula.ranks(3) as group:
        expect_works(3)
        processes = group.processes
        killed = []

        def kill() -> None:
            killed.append(time.monotonic())
            os.kill(processes[1], how)

        timer = threading.Timer(0.2, kill)
        timer.start()
        with pytest.raises(tegula.RunError, match="rank 1 ended before the program was done"):
            barriers(np.zeros((3, 8), np.float32), 2**31 - 1, np.zeros((3, 8), np.float32))
        timer.join()
        assert time.monotonic() - killed[0] < NAMED
        expect_nothing_left(processes, killed[0], before)
        expect_works(3)
        processes = group.processes
    expect_nothing_left(processes, time.monotonic(), before)
    assert not children()


def environment() -> dict[str, str]:
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return {**os.environ, **root, "PYTHONPATH": os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path])}


def test_ranks_end_with_the_process_that_controls_them():
    before = set(os.listdir("/dev/shm"))
    script = """
        import numpy as np, tegula
        from test_rank_faults import expect_works, barriers, children
        with tegula.ranks(3) as group:
            expect_works(3)
            print(*group.processes, *children(), flush=True)
            barriers(np.zeros((3, 8), np.float32), 2**31 - 1, np.zeros((3, 8), np.float32))
        """
    controller = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], env=environment(), stdout=subprocess.PIPE, text=True
    )
    processes = [int(number) for number in controller.stdout.readline().split()]
    assert len(processes) == 4
    assert all(map(is_there, processes))
    controller.kill()
    killed = time.monotonic()
    controller.wait()
    expect_nothing_left(processes, killed, before)


FAULTS = {
    "raises": ("raise ValueError('on purpose')", "rank 1 left before the program was done"),
    "leaves": ("sys.exit(0)", "rank 1 left before the program was done"),
    "is killed": ("os.kill(os.getpid(), 9)", "rank 1 ended before the program was done"),
}


@pytest.mark.parametrize("transport", ["", "mpi"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_process_that_does_not_go_on_is_named_by_the_others(fault, transport, tmp_path):
    action, message = FAULTS[fault]
    before = set(os.listdir("/dev/shm"))
    segments = tmp_path / "segments"
    segments.mkdir()
    script = tmp_path / "program.py"
    script.write_text(
        textwrap.dedent(f"""
        import os, sys, time
        import numpy as np, tegula
        from test_rank_faults import expect_works

        def tell(what):
            with open({str(tmp_path)!r} + f"/{{what}}-{{os.getpid()}}", "w") as file:
                file.write(str(time.monotonic()))

        with tegula.ranks() as group:
            for step in range(100000):
                if step == 20 and group.rank == 1:
                    tell("fault")
                    {action}
                try:
                    expect_works(group.count)
                except tegula.RunError:
                    tell("named")
                    raise
        """)
    )
    done = subprocess.run(
        ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", sys.executable, str(script)],
        env={
            **environment(),
            "TEGULA_RANKS_TRANSPORT": transport,
            "OMPI_MCA_btl_vader_backing_directory": str(segments),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    end = time.monotonic()
    assert done.returncode != 0
    # Of ranks that have no memory in common, mpirun may be the first to know.
    if transport == "" or fault != "is killed":
        assert message in done.stderr, done.stderr
    times = {path.name: float(path.read_text()) for path in tmp_path.iterdir() if "-" in path.name}
    faults = [moment for name, moment in times.items() if name.startswith("fault")]
    named = [moment for name, moment in times.items() if name.startswith("named")]
    assert len(faults) == 1
    assert all(moment - faults[0] < NAMED for moment in named)
    assert end - faults[0] < ENDED
    expect_nothing_left([int(name.split("-")[1]) for name in times], faults[0], before)
    assert not list(segments.iterdir())
