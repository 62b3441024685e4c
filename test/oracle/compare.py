# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares compiled kernels and the interpreter with the second judge: `compare.py random --seed 1 --count 1000`."""

from __future__ import annotations

import argparse
import os
import pathlib
import sys

if __package__ is None:
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from oracle import kernel_files, random_programs  # noqa: E402

#: How programs are shared out among themes, in percent.
SHARES = {"expressions": 56, "carries": 8, "grids": 2, "barriers": 2, "windows": 6, "rows": 6, "scratch": 5}
SHARES |= {"matmuls": 3, "epilogues": 2, "norms": 4, "ends": 2, "panels": 2, "layers": 2}


def shared_out(count: int) -> dict[str, int]:
    """So many programs of each theme."""
    return {theme: max(1, count * share // 100) for theme, share in SHARES.items()}


def compare_random(options: argparse.Namespace) -> bool:
    """Random programs; False if any does not agree."""
    themes = {options.only: options.count} if options.only else shared_out(options.count)
    report = random_programs.judge(themes, options.seed, options.jobs, options.configuration)
    print(report)
    for reason, times in report.left_out.most_common(8):
        print(f"  left out {times} times: {reason}")
    return not report.failures


def compare_files(options: argparse.Namespace) -> bool:
    """Kernels of the examples and the pages; False if any does not agree."""
    report = kernel_files.judge(options.jobs, (options.only,))
    for failure in report.failures:
        print(failure, file=sys.stderr)
    print(report)
    for reason, times in report.left_out.items():
        print(f"  left out {times} times: {reason}")
    return not report.failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    random = commands.add_parser("random", help="random programs of tegula-differential")
    random.add_argument("--seed", type=int, default=1, help="the first program")
    random.add_argument("--count", type=int, default=1000, help="how many programs")
    random.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once")
    random.add_argument("--only", choices=random_programs.THEMES, help="what they are about; a mixture without")
    random.add_argument("--configuration", type=int, help="one of the ways to run programs, for all of them")
    random.set_defaults(compare=compare_random)
    files = commands.add_parser("files", help="kernels of the examples, the pages and the tutorials")
    files.add_argument("--only", default="", help="files whose names begin so")
    files.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once")
    files.set_defaults(compare=compare_files)
    options = parser.parse_args()
    sys.exit(0 if options.compare(options) else 1)


if __name__ == "__main__":
    main()
