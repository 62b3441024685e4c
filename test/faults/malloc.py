# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The n-th allocation of the launch library fails: the call says so, and the next one gives the right result. Once in a
library that `tegula build` made, for a caller who knows nothing of exceptions, and once in the command."""

import pathlib
import random
import re
import sys

from kills import KERNELS
from world import BIN, TEGULA, Options, Record, environment, judge, run, scratch

PRELOADED = str(BIN.parent / "lib" / "libtegula-failing-malloc.so")
CALLS = pathlib.Path(__file__).with_name("malloc_calls.py")


def fail_library(record: Record, source: pathlib.Path, path: pathlib.Path, count: int) -> None:
    """One process makes all calls, each of a copy of the library that was never called; another one after a crash."""
    library = path / "kernels.so"
    built = run([TEGULA, "build", f"{source}:soften", "-o", str(library)])
    if built.code != 0:
        record.complain("the library cannot be built", built)
        return
    first = 1
    while first <= count:
        words = [sys.executable, str(CALLS), str(library), str(first), str(count)]
        ended = run(words, env=environment(LD_PRELOAD=PRELOADED, TEGULA_FAIL_IN="kernels.so"))
        for status in re.findall(r"status (\d)", ended.output):
            record.count("calls refused" if status != "0" else "calls done")
        numbers = re.findall(r"^allocation (\d+)", ended.output, re.MULTILINE)
        if ended.code == 0 or not numbers:
            if ended.code != 0:
                record.complain("the calls cannot be made", ended)
            return
        record.complain(f"allocation {numbers[-1]} of a library fails", ended)
        first = int(numbers[-1]) + 1


def fail_command(record: Record, source: pathlib.Path, path: pathlib.Path, options: Options) -> None:
    """Allocations of the launch library in the command, which compiles and calls, or finds what it compiled before."""
    chance = random.Random(options.seed)
    counted = path / "count"
    words = [TEGULA, "run", f"{source}:soften", "--dim", "M=7", "--dim", "N=33", "--check", "--no-reference"]
    for cache in ("off", "on"):
        variables = {"LD_PRELOAD": PRELOADED, "TEGULA_FAIL_IN": "libtegula-launch", "TEGULA_CACHE": cache}
        variables["TEGULA_CACHE_DIR"] = str(path / "cache")
        run(words, env=environment(**variables))
        run(words, env=environment(**variables, TEGULA_FAIL_COUNT=str(counted)))
        number = int(counted.read_text())
        tried = min(number, max(2, options.count // 20))
        for at in sorted(chance.sample(range(1, number + 1), tried)):
            ended = run(words, env=environment(**variables, TEGULA_FAIL_AT=str(at)))
            judge(record, ended, f"allocation {at} of {number} of the command, cache {cache}")


def failing_malloc(options: Options) -> Record:
    record = Record("malloc")
    with scratch() as name:
        path = pathlib.Path(name)
        source = path / "source.py"
        source.write_text(KERNELS.format(number=3))
        fail_library(record, source, path, options.count)
        fail_command(record, source, path, options)
    return record
