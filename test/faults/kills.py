# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that are killed while they compile and while they write the cache. What comes after them finds a cache that
gives right answers, or none."""

import os
import pathlib
import random
import subprocess
import time

from world import TEGULA, Options, Record, environment, finish, judge, run, scratch, start

KERNELS = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")

@pl.jit
def scale(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = x * {number}.0

@pl.jit
def soften(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 4):
        t = x[i : i + 4, :] * 0.{number}
        e = pl.exp(t - pl.row_max(t))
        y[i : i + 4, :] = e / pl.row_sum(e)

@pl.jit
def total(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
    for i in pl.parallel(0, M, 4):
        y[i : i + 4, :] = pl.row_sum(x[i : i + 4, :] * {number})
"""
NAMES = ("scale", "soften", "total")


def await_write(process: subprocess.Popen, folder: pathlib.Path) -> bool:
    """Whether the process has begun to write a file before it ended."""
    while process.poll() is None:
        if any(name.startswith(".tmp-") for name in os.listdir(folder)):
            return True
    return False


def kill_one(folder: pathlib.Path, words: list[str], chance: random.Random, usual: float, record: Record) -> None:
    """Kills a process that compiles: at any time, or while it writes."""
    process = start(words, env=environment(TEGULA_CACHE_DIR=str(folder)))
    if chance.random() < 0.5:
        is_writing = await_write(process, folder)
        record.count("kills while writing" if is_writing else "too late")
    else:
        time.sleep(chance.uniform(0, 1.2 * usual))
        record.count("kills while compiling" if process.poll() is None else "too late")
    process.kill()
    ended = finish(process, words)
    if ended.code not in (0, -9):
        record.complain("a process that was killed", ended)


def kills(options: Options) -> Record:
    record = Record("kills")
    chance = random.Random(options.seed)
    with scratch() as path:
        cache = pathlib.Path(path) / "cache"
        cache.mkdir(mode=0o700)
        source = pathlib.Path(path) / "kernels.py"
        usual = 0.0
        for index in range(options.count):
            # Another text is another program, which no one has compiled.
            source.write_text(KERNELS.format(number=options.seed % 1000 * 10000 + index + 1))
            name = NAMES[index % len(NAMES)]
            words = [TEGULA, "run", f"{source}:{name}", "--dim", "M=7", "--dim", "N=33", "--check", "--no-reference"]
            kill_one(cache, words, chance, usual, record)
            begin = time.monotonic()
            after = run(words, env=environment(TEGULA_CACHE_DIR=str(cache)))
            usual = 0.5 * usual + 0.5 * (time.monotonic() - begin)
            if not judge(record, after, "a call after a kill"):
                record.complain("a call after a kill fails", after)
        verified = run([TEGULA, "cache", "verify", "--dir", str(cache)])
        if verified.code != 0:
            record.complain("the cache is damaged", verified)
    return record
