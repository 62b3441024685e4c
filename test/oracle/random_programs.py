# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of tegula-differential, judged: in blocks, by several processes."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from . import dumps
from .judge import Count

ROOT = pathlib.Path(__file__).parents[2]
BINARIES = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin"))
#: What random programs are about; those over ranks are not evaluated.
THEMES = tuple(
    "expressions carries grids barriers windows rows scratch matmuls epilogues norms ends panels layers "
    "attention edges".split()
)
#: So many programs are made, judged and forgotten at once.
BLOCK = 20


@dataclasses.dataclass
class Work:
    """A block of programs of a theme."""

    theme: str
    seed: int
    count: int
    configuration: int | None = None

    @property
    def command(self) -> list[str]:
        """How to run these programs again."""
        command = ["tegula-differential", "--only", self.theme, "--seed", str(self.seed), "--count", str(self.count)]
        return command if self.configuration is None else [*command, "--configuration", str(self.configuration)]


@dataclasses.dataclass
class Report:
    """What became of programs."""

    programs: int = 0
    calls: int = 0
    count: Count = dataclasses.field(default_factory=Count)
    #: Calls that are an error, here and there.
    refused: int = 0
    left_out: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    failures: list[str] = dataclasses.field(default_factory=list)

    def add(self, other: Report) -> None:
        self.programs += other.programs
        self.calls += other.calls
        self.refused += other.refused
        self.count.add(other.count)
        self.left_out.update(other.left_out)
        self.failures += other.failures

    def __str__(self) -> str:
        count, left = self.count, sum(self.left_out.values())
        return (
            f"{self.programs} programs, {self.calls} calls, of which {self.refused} are errors; {count.exact} elements "
            f"bit for bit, {count.bounded} within a bound, {count.unknown} unknown; {left} calls left out; "
            f"{len(self.failures)} do not agree"
        )


def _failure(work: Work, number: int, verdict: dumps.Verdict) -> str:
    one = Work(work.theme, number, 1, work.configuration)
    repeat = f"python test/oracle/compare.py random --only {work.theme} --seed {number} --count 1"
    if work.configuration is not None:
        repeat += f" --configuration {work.configuration}"
    wrong = "\n".join(f"  {line}" for line in verdict.wrong[:4])
    return (
        f"{work.theme} {number} does not agree:\n{wrong}\n  repeat: {repeat}\n  source: {' '.join(one.command)} --print"
    )


def judge_block(work: Work, keep: pathlib.Path | None = None) -> Report:
    """Makes the programs of a block, runs them, and judges what they did."""
    report = Report()
    folder = keep or pathlib.Path(tempfile.mkdtemp(prefix="tegula-oracle-"))
    try:
        command = [BINARIES / work.command[0], *work.command[1:], "--jobs", "1", "--most-failures", "0"]
        done = subprocess.run([*command, "--dump", folder], capture_output=True, text=True)
        numbers = range(work.seed, work.seed + work.count)
        if "programs," not in done.stdout:
            report.failures.append(f"{' '.join(work.command)}: {done.stdout}{done.stderr}")
            return report
        for number in numbers:
            verdict = dumps.judge(folder / str(number))
            report.programs += 1
            report.calls += verdict.calls
            report.refused += verdict.refused
            report.count.add(verdict.count)
            report.left_out.update(verdict.left_out)
            if verdict.wrong:
                report.failures.append(_failure(work, number, verdict))
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    return report


def _blocks(themes: dict[str, int], seed: int, configuration: int | None) -> list[Work]:
    made = []
    for theme, count in themes.items():
        for start in range(0, count, BLOCK):
            made.append(Work(theme, seed + start, min(BLOCK, count - start), configuration))
    return made


def judge(themes: dict[str, int], seed: int, jobs: int, configuration: int | None = None) -> Report:
    """So many programs of each theme, the first with the number `seed`."""
    report = Report()
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(judge_block, _blocks(themes, seed, configuration)):
            report.add(found)
            for failure in found.failures:
                print(failure, file=sys.stderr, flush=True)
    return report
