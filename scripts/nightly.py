# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the parts of the nightly campaign, and prints a row of a table when each ends, for docs/testing.md:

    scripts/nightly.py --seed 202611200000 [PART...]

A part that fails does not end the others. What each printed is in build/nightly; the exit code says whether one
failed."""

import argparse
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "nightly"
# The target of make, and what it has.
PARTS = {
    "random": "random kernels, compiled and interpreted, and with the second judge",
    "operations": "PyTorch's samples of its operations",
    "graphs": "random graphs of PyTorch, random calls",
    "asan": "unit tests and random kernels under ASan and UBSan",
    "tsan": "guard, cache, threads and ranks under TSan",
    "faults": "kills, full disks, full memory",
    "fuzz": "what is read from outside, mutated",
}


def figures_of(log: str) -> str:
    """The lines that say how much was done, without those of what makes the programs."""
    words = (
        "programs",
        "agree",
        "executions",
        "problems",
        "tests ran",
        "PASSED",
        "FAILED",
        "graphs",
        "calls",
        "samples",
    )
    lines = [line.strip() for line in log.splitlines() if any(word in line for word in words)]
    return "; ".join(dict.fromkeys(" ".join(line.replace("|", "/").split()) for line in lines[-12:]))


def run_part(name: str, seed: int) -> bool:
    begin = time.monotonic()
    with open(LOGS / f"{name}.log", "w") as log:
        done = subprocess.run(["make", "-s", name, f"SEED={seed}"], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    minutes = (time.monotonic() - begin) / 60
    outcome = "passed" if done.returncode == 0 else f"failed: `make {name} SEED={seed}`"
    figures = figures_of((LOGS / f"{name}.log").read_text(errors="replace"))
    print(f"| {PARTS[name]} | {figures} | {minutes:.0f} min | {outcome} |", flush=True)
    return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()
    for name in arguments.parts:
        if name not in PARTS:
            parser.error(f"there is no part '{name}'")
    LOGS.mkdir(parents=True, exist_ok=True)
    print(f"Seed {arguments.seed}.\n\n| part | figures | time | |\n|---|---|---|---|", flush=True)
    outcomes = [run_part(name, arguments.seed) for name in arguments.parts or PARTS]
    sys.exit(not all(outcomes))


if __name__ == "__main__":
    main()
