#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records every stage of every example on every target, so that a refactoring can be shown to change nothing.

scripts/record-stages.py before           with the old build
scripts/record-stages.py after            with the new build
scripts/record-stages.py after --against before
                                          says which files differ in more than names, and which names changed
"""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# White space does not count: long names wrap lines.
TOKEN = re.compile(r"\w+|[^\w\s]")
TARGETS = ["cpu:x86-64-v4", "cpu:x86-64-v3", "npu:tpuv3", "cuda:sm_90a", "cuda:sm_80", "interpreter"]


def run(tool: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "TEGULA_CACHE": "off"}
    return subprocess.run([tool, *arguments], capture_output=True, text=True, env=environment, check=False, cwd=ROOT)


def list_stages(tool: Path, target: str) -> list[str]:
    """The stages of a target, which the message about an unknown one names."""
    message = run(tool, "ir", "examples/softmax.py", "--stage", "?", "--target", target).stderr
    wanted = re.search(r"wants (.*), got", message)
    if not wanted:
        raise SystemExit(f"no stages of '{target}' in: {message}")
    return re.split(r", | or ", wanted.group(1))


def compare(before: Path, after: Path) -> int:
    """Prints how two recordings differ; returns how many files do in more than names."""
    renamed: Counter[tuple[str, str]] = Counter()
    differing = []
    recorded = sorted(path.relative_to(before) for path in before.rglob("*.txt"))
    for path in recorded:
        old = TOKEN.findall((before / path).read_text())
        new = TOKEN.findall((after / path).read_text()) if (after / path).exists() else []
        if len(old) != len(new):
            differing.append(path)
        else:
            renamed.update((x, y) for x, y in zip(old, new, strict=True) if x != y)
    for path in differing:
        print(f"differs: {path}")
    for (old, new), count in renamed.most_common():
        print(f"{count:8} {old} -> {new}")
    print(f"{len(recorded)} files, {len(differing)} of them differ in more than names")
    return len(differing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="the folder to write to")
    parser.add_argument("--tool", type=Path, default=ROOT / "build/bin/tegula", help="the command (build/bin/tegula)")
    parser.add_argument("--target", action="append", help=f"one of the targets ({', '.join(TARGETS)})")
    parser.add_argument("--against", type=Path, help="another recording, to compare this one with; records nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.against:
        sys.exit(1 if compare(options.against, options.output) else 0)
    tool = options.tool.resolve()
    examples = sorted((ROOT / "examples").rglob("*.py"))

    def record(job: tuple[str, str, Path]) -> None:
        target, stage, example = job
        result = run(tool, "ir", str(example.relative_to(ROOT)), "--stage", stage, "--target", target)
        name = "-".join(example.relative_to(ROOT / "examples").with_suffix("").parts)
        path = options.output / target.replace(":", "-") / stage / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(result.stdout + result.stderr)

    jobs = []
    common = set()
    for target in options.target or TARGETS:
        for stage in list_stages(tool, target):
            if stage in common:
                continue  # The stages that all targets share are recorded once.
            jobs += [(target, stage, example) for example in examples]
        common = common or {"frontend", "inferred"}
    with ThreadPoolExecutor(options.jobs) as pool:
        for count, _ in enumerate(pool.map(record, jobs), 1):
            if count % 200 == 0 or count == len(jobs):
                print(f"{count} of {len(jobs)}", flush=True)


if __name__ == "__main__":
    main()
