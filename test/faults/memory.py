# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Less and less memory (`ulimit -v`) for commands: they do their work or say that there is no memory."""

import pathlib
import resource

from kills import KERNELS
from world import TEGULA, Ended, Options, Record, environment, judge, run, scratch

COMMANDS = {
    "check": ["check", "SOURCE"],
    "run": ["run", "SOURCE:soften", "--dim", "M=300", "--dim", "N=3000", "--check", "--no-reference"],
    "build": ["build", "SOURCE", "-o", "OUT/kernels.so"],
}


def least_that_works(words: list[str]) -> int:
    """MiB, to about a twentieth."""
    least, most = 16, 4096
    while most - least > max(1, least // 20):
        middle = (least + most) // 2
        works = limited(words, middle).code == 0
        least, most = (least, middle) if works else (middle, most)
    return most


def limited(words: list[str], mebibytes: int) -> Ended:
    limit = mebibytes << 20
    return run(
        words,
        env=environment(TEGULA_CACHE="off"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )


def memory_limits(options: Options) -> Record:
    """At so many levels below what is enough."""
    record = Record("memory")
    with scratch() as path:
        source = pathlib.Path(path) / "kernels.py"
        source.write_text(KERNELS.format(number=3))
        for name, words in COMMANDS.items():
            words = [TEGULA, *(word.replace("SOURCE", str(source)).replace("OUT", path) for word in words)]
            enough = 400 if options.is_slice else least_that_works(words)
            for level in range(options.count):
                mebibytes = enough * (level + 1) // options.count
                judge(record, limited(words, mebibytes), f"{name} with {mebibytes} of {enough} MiB")
    return record
