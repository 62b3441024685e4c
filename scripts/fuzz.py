# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzzers, several at once, and prints a line of figures for each:

    scripts/fuzz.py --seconds 600 --jobs 2 [--build build-asan] [INPUT...]

What they learn stays in the build folder. An input that one fails on is left there, and printed; the fuzzer goes on
until its time is over. The exit code says whether there was any."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What each begins with besides its corpus.
SEEDS = {
    "source": ["examples"],
    "ir": ["test/ir", "test/transforms"],
    "npy": [],
    "cache": [],
    "machine": ["tegula/sim/machines"],
    "ptx": [],
    "model": [],
    "lsp": [],
    "playground": [],
}
# Models are long.
MOST_BYTES = {"model": 65536, "lsp": 16384}
# After so many failures the rest of the time would find the same ones.
MOST_FAILURES = 5
# Seconds that one input may take, and what one may take of memory, in MiB.
LONGEST, MOST_MEMORY = 20, 4096
# LLVM's allocators mark memory as theirs, but the LLVM of Debian does not know that it should, and it frees what
# std::stable_sort has from operator new. What ends in its middle leaves memory behind.
SANITIZERS = {
    "ASAN_OPTIONS": "allow_user_poisoning=0:alloc_dealloc_mismatch=0:detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


class Figures:
    """What one fuzzer did."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.executions = 0
        self.units = 0
        self.failures: list[str] = []

    def __str__(self) -> str:
        return (
            f"{self.name:<12}{self.executions:>12} executions{self.units:>8} new units{len(self.failures):>4} failures"
        )


def number(pattern: str, output: str) -> int:
    """The last number that a pattern finds, or 0."""
    found = re.findall(pattern, output)
    return int(found[-1]) if found else 0


def run_once(name: str, seconds: int, build: pathlib.Path, figures: Figures) -> str:
    """Runs a fuzzer until its time is over or it fails; what it printed then, otherwise nothing."""
    learnt = build / "fuzz" / name
    learnt.mkdir(parents=True, exist_ok=True)
    seeds = [learnt, ROOT / "test/fuzz/corpus" / name, *(ROOT / seed for seed in SEEDS[name])]
    options = {
        "max_total_time": seconds,
        "max_len": MOST_BYTES.get(name, 4096),
        "timeout": LONGEST,
        "rss_limit_mb": MOST_MEMORY,
        "use_value_profile": 1,
        "print_final_stats": 1,
        "artifact_prefix": f"{learnt}-failed-",
    }
    done = subprocess.run(
        [build / "bin" / f"tegula-fuzz-{name}", *(f"-{key}={value}" for key, value in options.items()), *seeds],
        cwd=ROOT,
        env={**os.environ, **SANITIZERS},
        capture_output=True,
        text=True,
        errors="replace",
    )
    output = done.stderr + done.stdout
    figures.executions += number(r"stat::number_of_executed_units: (\d+)", output)
    figures.units += number(r"stat::new_units_added: +(\d+)", output)
    return output if done.returncode else ""


def fuzz(name: str, seconds: int, build: pathlib.Path) -> Figures:
    """Runs a fuzzer for so many seconds, however often it fails."""
    figures = Figures(name)
    end = time.monotonic() + seconds
    while (left := round(end - time.monotonic())) > 0 and len(figures.failures) < MOST_FAILURES:
        if failure := run_once(name, left, build, figures):
            figures.failures.append(failure)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help=", ".join(SEEDS))
    parser.add_argument("--seconds", type=int, default=600, help="for each")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-asan")
    arguments = parser.parse_args()
    for name in arguments.inputs:
        if name not in SEEDS:
            parser.error(f"there is no fuzzer of '{name}'")
    has_failed = False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        started = [pool.submit(fuzz, name, arguments.seconds, arguments.build) for name in arguments.inputs or SEEDS]
        for each in concurrent.futures.as_completed(started):
            figures = each.result()
            for failure in figures.failures:
                has_failed = True
                print("\n".join(failure.splitlines()[-80:]))
            print(figures, flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
