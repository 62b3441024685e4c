# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy on the C++ files that differ from the merge base with the main branch, or there from an earlier one.

    scripts/check-tidy.py                     what changed since the merge base, files with most changed lines first
    scripts/check-tidy.py --since v0.1.0      since another commit
    scripts/check-tidy.py tegula/ir/extents/Dim.h     these files

Only what is wrong in those files counts. A header is checked through the source file of its name, if there is one.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tree import CODE, ROOT

TOOL = "clang-tidy-22"
MAIN = ("origin/HEAD", "origin/main", "origin/master")
# On the main branch itself: so many commits count as what changed, if the clone is that deep.
COMMITS = 10


def git(*arguments: str) -> str | None:
    """Returns what git prints, or nothing if it fails or is not there."""
    try:
        result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def find_base() -> str | None:
    """Returns the merge base with the main branch, or an earlier commit where that is HEAD itself."""
    head = git("rev-parse", "HEAD")
    for branch in MAIN:
        base = git("merge-base", "HEAD", branch)
        if base and base != head:
            return base
    earlier = (git("rev-parse", "--verify", "--quiet", f"HEAD~{count}") for count in range(COMMITS, 0, -1))
    return next(filter(None, earlier), None)


def list_changed(base: str) -> list[str]:
    """Returns the files that differ from `base`, most changed lines first; the working tree counts."""
    lines = {}
    for row in (git("diff", "--numstat", "--no-renames", "--diff-filter=AM", base) or "").splitlines():
        added, removed, path = row.split("\t")
        lines[path] = int(added) + int(removed) if added != "-" else 0
    for path in (git("ls-files", "--others", "--exclude-standard") or "").splitlines():
        lines[path] = 0
    return sorted(lines, key=lambda path: (-lines[path], path))


def find_units(paths: list[str], compiled: set[str]) -> dict[str, None]:
    """Returns the source files, in order, through which `paths` are checked."""
    sources = (str(Path(path).with_suffix(".cpp")) for path in paths)
    return dict.fromkeys(source for source in sources if source in compiled)


def check(build: Path, unit: str, paths: list[str]) -> str:
    """Returns what is wrong in `paths`, as seen from one source file."""
    names = json.dumps([{"name": path} for path in paths])
    command = [TOOL, "-p", build, "--quiet", f"--line-filter={names}", unit]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout if result.returncode else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="the files to check (those that changed)")
    parser.add_argument("--since", help="the commit to compare with (the merge base with the main branch)")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder (build)")
    parser.add_argument("--limit", type=int, default=24, help="check no more source files than that; 0 for all (24)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not shutil.which(TOOL):
        print(f"check-tidy: skipped, there is no {TOOL}")
        return
    database = options.build / "compile_commands.json"
    if not database.exists():
        sys.exit(f"check-tidy: {database} does not exist; build first")
    base = options.since or find_base()
    if not options.paths and not base:
        print("check-tidy: skipped, git knows no commit to compare with")
        return
    paths = options.paths or [path for path in list_changed(base) if path.startswith(tuple(f"{x}/" for x in CODE))]
    paths = [path for path in paths if path.endswith((".cpp", ".h"))]
    commands = json.loads(database.read_text())
    compiled = {os.path.relpath(Path(row["directory"], row["file"]), ROOT) for row in commands}
    units = list(find_units(paths, compiled))
    chosen = units[: options.limit or None]
    if len(chosen) < len(units):
        print(f"check-tidy: {len(chosen)} of {len(units)} source files, those with most changed lines")
    with ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda unit: check(options.build, unit, paths), chosen))
    # A header is seen from several files.
    problems = dict.fromkeys(text for text in found if text)
    for text in problems:
        print(text, end="")
    sys.exit(1 if problems else 0)


main()
