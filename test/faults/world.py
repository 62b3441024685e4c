# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all faults need: the command, processes with a time limit, and what may come of a process that met a fault."""

import dataclasses
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin"))
TEGULA = str(BIN / "tegula")
# Seconds after which a process hangs, on a machine that is busy.
HANGS = 120.0


@dataclasses.dataclass
class Options:
    count: int
    seed: int
    # True if only a part of each list of cases is tried.
    is_slice: bool = False


class Record:
    """What a kind of fault came to: numbers of what happened, and what should not have."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.numbers: dict[str, int] = {}
        self.problems: list[str] = []

    def count(self, what: str) -> None:
        self.numbers[what] = self.numbers.get(what, 0) + 1

    def complain(self, what: str, process: "Ended | None" = None) -> None:
        self.problems.append(what + (f"\n{process}" if process else ""))

    def __str__(self) -> str:
        numbers = ", ".join(f"{number} {what}" for what, number in self.numbers.items())
        return f"{self.name:<8} {numbers}, {len(self.problems)} problems"


@dataclasses.dataclass
class Ended:
    """A process that has ended; the code is None if it would not."""

    words: list[str]
    code: int | None
    output: str
    error: str

    def __str__(self) -> str:
        return f"  {' '.join(self.words)}\n  code {self.code}\n{self.output[-1000:]}{self.error[-1000:]}"


def environment(**variables: str) -> dict[str, str]:
    """That of this process, with these, and ranks that root may start."""
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return {**os.environ, **root, "OMP_NUM_THREADS": "2", **variables}


def finish(process: subprocess.Popen, words: list[str]) -> Ended:
    """Waits for the end of a process, and ends it if it hangs."""
    try:
        output, error = process.communicate(timeout=HANGS)
    except subprocess.TimeoutExpired:
        process.kill()
        output, error = process.communicate()
        return Ended(words, None, output, error)
    return Ended(words, process.returncode, output, error)


def start(words: list[str], **options) -> subprocess.Popen:
    options.setdefault("env", environment())
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **options
    )


def run(words: list[str], **options) -> Ended:
    return finish(start(words, **options), words)


def judge(record: Record, process: Ended, what: str) -> bool:
    """Counts how a process ended that had to do its work or say why it cannot. True if it did its work."""
    if process.code is None:
        record.complain(f"{what}: hangs", process)
    elif process.code == 127 and "error while loading shared libraries" in process.error:
        record.count("not loaded")
    elif process.code < 0 or process.code >= 126:
        record.complain(f"{what}: crashes", process)
    elif process.code != 0 and "error" not in process.error:
        record.complain(f"{what}: ends without an error", process)
    elif process.code != 0:
        record.count("errors")
    else:
        record.count("done")
    return process.code == 0


def scratch() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="tegula-faults-")
