# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs over ranks: all-reduce against MPI_Allreduce, the cost of a dispatch, and the speedup of two ranks over one.
Prints medians and ratios, and writes bench/results/ranks.txt."""

import importlib
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import tegula

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "examples/ranks"), str(ROOT / "bench/ranks")]
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"]
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMP_NUM_THREADS": "1",
}


def mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def allreduce(lines: list[str]) -> None:
    command = [ROOT / "build/bin/tegula-allreduce-bench", ROOT / "bench/ranks/allreduce.py"]
    for ranks in (2, 4):
        done = subprocess.run(
            [*MPIRUN, "-n", str(ranks), *command], env=ENVIRONMENT, capture_output=True, text=True, check=True
        )
        lines.append(
            f"all-reduce of FP32 on {ranks} ranks, new inputs, us per iteration: MPI_Allreduce, in windows, private "
            "(time / MPI_Allreduce's: below 1, Tegula is faster)"
        )
        windows, private = [], []
        for row in done.stdout.splitlines():
            size, mpi, shared, copied = map(float, row.split()[:4])
            wrong = "  WRONG RESULT" if "wrong" in row else ""
            windows.append(shared / mpi)
            private.append(copied / mpi)
            lines.append(
                f"  {int(size):>9} bytes {mpi:>10.1f} {shared:>10.1f} ({windows[-1]:.2f}) {copied:>10.1f} "
                f"({private[-1]:.2f}){wrong}"
            )
        lines.append(
            f"  ratios, geometric mean: in windows {mean(windows):.2f} (0.35 wanted, worst {max(windows):.2f}), "
            f"private {mean(private):.2f} (0.8 wanted, worst {max(private):.2f}; none above 1.3)"
        )


def busy_seconds(processes: list[int]) -> float:
    """The CPU time that processes have used."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def wake(processes: int) -> float:
    """Microseconds to wake as many processes that do nothing."""
    command = [ROOT / "build/bin/tegula-wake-bench", str(processes)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def dispatch(lines: list[str]) -> None:
    program = importlib.import_module("noop").noop
    for ranks in (1, 2, 4):
        floor = wake(ranks)
        begin = time.perf_counter()
        group = tegula.ranks(ranks)
        started = time.perf_counter() - begin
        out = group.empty((ranks,), "int32")
        for _ in range(200):
            program(out)

        def once(pause: float) -> float:
            time.sleep(pause) if pause else None
            begin = time.perf_counter()
            program(out)
            return (time.perf_counter() - begin) * 1e6

        warm = [once(0) for _ in range(3000)]
        idle = [once(0.002) for _ in range(300)]
        before = busy_seconds(group.processes)
        time.sleep(3)
        used = (busy_seconds(group.processes) - before) / 3 * 100
        begin = time.perf_counter()
        group.close()
        ended = time.perf_counter() - begin
        lines.append(
            f"empty dispatch to {ranks} controlled ranks, us: median {statistics.median(warm):.1f} back to back "
            f"(15 wanted), {statistics.median(idle):.1f} after 2 ms (60 wanted; waking as many processes takes "
            f"{floor:.1f}); idle {used:.1f} % of a core (1 wanted); start {started:.2f} s (1 wanted), "
            f"end {ended:.2f} s (0.3 wanted)"
        )


UNDER_MPIRUN = """
import statistics, sys, time
sys.path[:0] = {paths!r}
import numpy as np, tegula
from noop import noop
out = np.zeros(1, np.int32)
def once():
    begin = time.perf_counter()
    noop(out)
    return (time.perf_counter() - begin) * 1e6
alone = statistics.median([once() for _ in range(3000)][500:])
with tegula.ranks() as group:
    out = np.zeros(group.count, np.int32)
    together = statistics.median([once() for _ in range(3000)][500:])
    if group.rank == 0:
        print(alone, together)
"""


def under_mpirun(lines: list[str]) -> None:
    for ranks in (1, 2):
        script = UNDER_MPIRUN.format(paths=sys.path[:2])
        done = subprocess.run(
            [*MPIRUN, "-n", str(ranks), sys.executable, "-c", script],
            env={**ENVIRONMENT, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        alone, together = map(float, done.stdout.split())
        lines.append(
            f"the same under mpirun on {ranks} ranks, us: {alone:.2f} as a local call, {together:.2f} on the ranks "
            f"({together - alone:+.2f}; +2 wanted)"
        )


def ffn(lines: list[str]) -> None:
    program = importlib.import_module("tensor_parallel_ffn").tensor_parallel_ffn
    tokens, dim, hidden = 256, 1024, 4096
    rng = np.random.default_rng(0)
    times = {}
    for ranks in (1, 2):
        os.environ["OMP_NUM_THREADS"] = "1"
        with tegula.ranks(ranks) as group:
            part = hidden // ranks
            shapes = [(tokens, dim), (ranks, dim, part), (ranks, dim, part), (ranks, part, dim), (ranks, tokens, dim)]
            arguments = [group.empty(shape) for shape in shapes]
            for argument in arguments[:-1]:
                argument[...] = rng.standard_normal(argument.shape, np.float32) * np.float32(0.05)
            found = []
            for _ in range(12):
                begin = time.perf_counter()
                program(*arguments)
                found.append(time.perf_counter() - begin)
            times[ranks] = statistics.median(found[2:])
            arguments = None
    lines.append(
        f"feed-forward network, {tokens} tokens, {dim} x {hidden}, one thread a rank: "
        f"{times[1] * 1e3:.1f} ms on one rank, "
        f"{times[2] * 1e3:.1f} ms on two, {times[1] / times[2]:.2f} times faster (1.7 wanted)"
    )


def main() -> None:
    lines: list[str] = []
    for part in (dispatch, under_mpirun, ffn, allreduce):
        done = len(lines)
        part(lines)
        print("\n".join(lines[done:]), flush=True)
    (ROOT / "bench/results/ranks.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
