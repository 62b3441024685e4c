# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the first line of every source for its licence, and all text for notes to do things later."""

import re
from pathlib import Path

from tree import ALL, files, report, shown

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
LICENSED = (".h", ".cpp", ".c", ".td", ".py", ".sh", ".cmake", "CMakeLists.txt")
LATER = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")


def needs_licence(path: Path, lines: list[str]) -> bool:
    """Says whether `path` must name its licence; lit tests start with their RUN line instead."""
    is_lit_test = "test" in path.parts and path.suffix == ".py" and any("RUN:" in line for line in lines)
    return path.name.endswith(LICENSED) and not is_lit_test


def problems_of(path: Path) -> list[str]:
    """Returns one message per rule that `path` breaks."""
    lines = path.read_text().splitlines()
    body = lines[1:] if lines and lines[0].startswith("#!") else lines
    found = []
    if needs_licence(path, lines) and not (body and LICENCE in body[0]):
        found.append(f"{shown(path)}:1: the first line must be '{LICENCE}'")
    for number, line in enumerate(lines, 1):
        if match := LATER.search(line):
            found.append(f"{shown(path)}:{number}: '{match[0]}' found; do it, or describe what is missing")
    return found


def main() -> None:
    report([problem for path in files(ALL, (*LICENSED, ".mlir", ".md", ".in")) for problem in problems_of(path)])


main()
