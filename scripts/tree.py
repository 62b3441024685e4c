# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The project's files, as the checks see them."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ("tegula", "tools", "python")
ALL = (*CODE, "test", "examples", "bench", "scripts", "cmake", "docs")


def files(folders: tuple[str, ...], suffixes: tuple[str, ...]) -> list[Path]:
    """Returns the files below `folders` whose name ends in one of `suffixes`, sorted."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    # What Python and the benchmarks leave behind is nobody's source.
    left = {"__pycache__", "scratch"}
    return sorted(
        path for path in found if path.name.endswith(suffixes) and path.is_file() and not left & set(path.parts)
    )


def report(problems: list[str]) -> None:
    """Prints the problems, one per line, and exits with 1 if there are any."""
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def shown(path: Path) -> str:
    """Returns `path` as it is written in messages: relative to the root."""
    return path.relative_to(ROOT).as_posix()
