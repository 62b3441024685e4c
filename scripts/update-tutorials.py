#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the cells of docs/tutorials/*.py print below them, as comments, where it no longer matches.

    scripts/update-tutorials.py            all tutorials
    scripts/update-tutorials.py --check    exits with 1 if one does not match

Numbers and units of time match any others, but for lines of the tutorial; `...` matches anything. Long outputs are cut
in their middle.
"""

import importlib.util
import pathlib
import re
import sys
import types

ROOT = pathlib.Path(__file__).parents[1]
TUTORIALS = ROOT / "docs" / "tutorials"
HEAD = "# Output:"
LONGEST, FIRST, LAST, WIDTH = 18, 8, 8, 116
NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?")
KEY = re.compile(r"\b[0-9a-f]{16}\b")
# Where something is in the tutorial: that has to be right.
LINE = re.compile(r"(\w+\.py:\d+(?::\d+)?|\bline \d+)")


def load_site() -> types.ModuleType:
    """The script that runs the cells of a tutorial."""
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "scripts" / "build-site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shorten(printed: str) -> list[str]:
    """The lines that are shown of an output."""
    lines = [KEY.sub("...", line).rstrip() for line in printed.strip().splitlines()]
    lines = [line if len(line) <= WIDTH else line[: WIDTH - 3] + "..." for line in lines]
    return lines if len(lines) <= LONGEST else [*lines[:FIRST], "...", *lines[-LAST:]]


def matches(shown: list[str], printed: str) -> bool:
    """Whether an output is what is shown of it, but for numbers."""
    patterns = []
    for line in shown:
        if line == "...":
            patterns.append(r"(?:.*\n)*?")
            continue
        # A location stays as it is.
        text = "".join(part if LINE.fullmatch(part) else NUMBER.sub("\0", part) for part in LINE.split(line))
        text = re.escape(text).replace(re.escape("..."), ".*")
        text = re.sub(r"\0(\\ )(?:ns|us|ms|s)\b", "\0\\1(?:ns|us|ms|s)", text)
        patterns.append(re.sub(r"(?:\\ )+", r"\\s*", text).replace("\0", NUMBER.pattern) + r"\s*\n")
    return re.fullmatch("".join(patterns), printed.strip() + "\n") is not None


def updated(script: pathlib.Path, site: types.ModuleType, is_exact: bool = False) -> str:
    """The text of a tutorial with what its cells print now."""
    source = script.read_text()
    outputs = site.run_tutorial(script)
    if not outputs:
        sys.exit(f"{script.name} fails")
    parts = re.split(r"^(# %%.*\n)", source, flags=re.MULTILINE)
    # In front of the first mark is a cell of its own.
    cells = [parts[0], *(head + body for head, body in zip(parts[1::2], parts[2::2], strict=True))]
    for number, printed in enumerate(outputs[: len(cells)]):
        code, shown = site.split_output(cells[number].rstrip("\n"))
        if not printed.strip():
            new = code if shown else None
        elif shown and not is_exact and matches(shown, printed):
            new = None
        else:
            new = "\n".join([code.rstrip("\n"), HEAD, *(f"# {line}".rstrip() for line in shorten(printed))])
        if new is not None:
            after = cells[number][len(cells[number].rstrip("\n")) :]
            cells[number] = new.rstrip("\n") + after
    return "".join(cells)


def main() -> None:
    site = load_site()
    stale = []
    for script in sorted(TUTORIALS.glob("*.py")):
        text = updated(script, site)
        if text != script.read_text():
            stale.append(script.name)
            if "--check" not in sys.argv:
                script.write_text(text)
                # Lines have moved.
                script.write_text(updated(script, site, is_exact=True))
    print("\n".join(stale))
    sys.exit(1 if stale and "--check" in sys.argv else 0)


if __name__ == "__main__":
    main()
