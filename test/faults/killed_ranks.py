# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that are killed, and ranks for which there is no room in shared memory: the others end with an error, and
nothing is left in /dev/shm, which is one of our own here."""

import os
import pathlib
import random
import signal
import subprocess
import time

from world import BIN, TEGULA, Options, Record, finish, judge, run, scratch, start

PROGRAM = """
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")

@pl.jit.incore
def chip(x: pl.Tensor[[N], pl.FP32], iterations: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[N], pl.FP32]],
         window: pld.DistributedTensor[[N], pl.FP32]):
    window[:] = x
    for _ in pl.range(iterations):
        pld.barrier()
    y[:] = window * 2.0

@pl.jit.host
def barriers(x: pl.Tensor[[NR, N], pl.FP32], iterations: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]):
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        chip(x[r], iterations, y[r], window, device=r)
"""
SHARED = pathlib.Path("/dev/shm")
ENDLESS = 2**31 - 1


def below(process: int) -> list[int]:
    """The process, and all that it and its children started."""
    found = [process]
    for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = path.read_text().split()
        except OSError:
            continue
        found += [number for child in children for number in below(int(child))]
    return found


def ranks_of(process: int) -> list[int]:
    def is_rank(number: int) -> bool:
        try:
            return os.readlink(f"/proc/{number}/exe") == str((BIN / "tegula-rank").resolve())
        except OSError:
            return False

    return list(filter(is_rank, below(process)))


def await_ranks(process: subprocess.Popen, count: int) -> list[int]:
    """The ranks once there are so many; fewer if the process ends before."""
    while len(ranks := ranks_of(process.pid)) < count and process.poll() is None:
        time.sleep(0.002)
    return ranks


def kill_one_of(ranks: list[int], chance: random.Random) -> None:
    """Kills one; what a rank starts in between may have ended."""
    for rank in chance.sample(ranks, len(ranks)):
        try:
            os.kill(rank, chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
            return
        except ProcessLookupError:
            continue


def words_for(source: pathlib.Path, count: int, iterations: int, size: int = 10) -> list[str]:
    dims = ["--dim", f"NR={count}", "--dim", f"N={size}", "--scalar", f"iterations={iterations}"]
    return [TEGULA, "run", f"{source}:barriers", "--ranks", str(count), *dims, "--check"]


def expect_nothing(record: Record, processes: list[int], what: str) -> None:
    """No process is left after a few seconds, and nothing in shared memory."""
    end = time.monotonic() + 30
    while (left := [each for each in processes if os.path.exists(f"/proc/{each}")]) and time.monotonic() < end:
        time.sleep(0.005)
    if left:
        record.complain(f"{what}: processes {left} are left")
    if names := os.listdir(SHARED):
        record.complain(f"{what}: {names} is left in {SHARED}")
        for name in names:
            (SHARED / name).unlink()


def can_run(record: Record, source: pathlib.Path) -> bool:
    """Whether ranks work here without a fault. Without MPI there are none."""
    source.write_text(PROGRAM)
    ended = run(words_for(source, 3, 3))
    if "need MPI" in ended.error or "need mpirun" in ended.error:
        record.count("left out, for there is no MPI")
    elif ended.code != 0:
        record.complain("ranks without a fault", ended)
    return ended.code == 0


def killed_ranks(options: Options) -> Record:
    record = Record("ranks")
    chance = random.Random(options.seed)
    with scratch() as path:
        source = pathlib.Path(path) / "program.py"
        if not can_run(record, source):
            return record
        for index in range(options.count):
            count = chance.randint(2, 4)
            what = f"{count} ranks, kill {index}"
            words = words_for(source, count, ENDLESS)
            process = start(words)
            ranks = await_ranks(process, count)
            processes = below(process.pid)
            # Some are killed while they start, others in the middle of a barrier.
            time.sleep(chance.choice([0, 0.002, 0.05, 0.3]) * chance.random())
            kill_one_of(ranks, chance)
            ended = finish(process, words)
            if judge(record, ended, what):
                record.complain(f"{what}: the rank is not missed", ended)
            elif "rank" not in ended.error:
                record.complain(f"{what}: the error does not name a rank", ended)
            expect_nothing(record, processes, what)
    return record


def full_shared_memory(options: Options) -> Record:
    """Ranks, with so little room in shared memory."""
    record = Record("shm")
    rooms = [0, 64, 65536] if options.is_slice else [0, *(4 << shift for shift in range(17))]
    with scratch() as path:
        source = pathlib.Path(path) / "program.py"
        if not can_run(record, source):
            return record
        for room in rooms:
            # The least that a file system in memory can have is one page.
            subprocess.run(["mount", "-o", f"remount,size={max(room, 4)}k", SHARED], check=True)
            if room == 0:
                (SHARED / "full").write_bytes(bytes(4096))
            ended = run(words_for(source, 3, 3, size=40000))
            if room == 0:
                (SHARED / "full").unlink()
            judge(record, ended, f"{room} KiB of shared memory")
            expect_nothing(record, [], f"{room} KiB of shared memory")
        subprocess.run(["mount", "-o", "remount,size=1g", SHARED], check=True)
    if "done" not in record.numbers:
        record.complain("no room was enough")
    return record
