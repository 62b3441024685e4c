# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how compile time and memory grow with the number of statements; writes bench/results/compile.md."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("TEGULA_BIN", ROOT / "build/bin"))
SCRATCH = ROOT / "bench/scratch"
COUNTS = [625, 1250, 2500, 5000]

HEADER = """import tegula.language as pl

M = pl.dynamic("M")


@pl.jit.inline
def step(t, scale):
    return pl.exp(t) * scale - pl.row_max(t)


@pl.jit
def k(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    for i in pl.parallel(0, M, 8):
        t = x[i : i + 8, :]
"""


def reductions(count: int) -> list[str]:
    """Returns a chain of reductions, with two statements in three that nothing needs."""
    live = "t = pl.exp(t) - pl.row_max(t)"
    return [live if k % 3 == 0 else f"t{k} = t * {k % 7 + 1}.0 + {k % 5}.5" for k in range(count)]


def stores(count: int) -> list[str]:
    """Returns stores to windows, each of something else."""
    places = [f"{k % 8 * 8} : {k % 8 * 8 + 8}" for k in range(count)]
    return [f"y[i : i + 8, {place}] = x[i : i + 8, {place}] * {k}.0" for k, place in enumerate(places)]


def mixture(count: int) -> list[str]:
    """Returns what real kernels hold: normalisation, branches, stores, windows."""
    lines = ["m = pl.row_max(t)"]
    for k in range(count // 8):
        lines += [
            "a = pl.exp(t - m)",
            "b = a / pl.row_sum(a)",
            "m = pl.maximum(m, pl.row_max(b))",
            f"if i > {k}:",
            "    t = b * 0.5",
            "y[i : i + 8, 0:32] = t[:, 0:32]",
            f"t = t + x[i : i + 8, :] * {k}.0",
            f"t = pl.minimum(t, {k}.5)",
        ]
    return lines


def helpers(count: int) -> list[str]:
    """Returns calls of a helper, each with another scale."""
    return [f"t = step(t, {k}.25)" for k in range(count)]


def measure(lines: list[str], name: str) -> tuple[float, float]:
    """Returns the seconds of processor time and the MB that `tegula run` takes."""
    path = SCRATCH / f"{name}.py"
    path.write_text(HEADER + "".join(f"        {line}\n" for line in lines) + "        y[i : i + 8, :] = t\n")
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.environ["TEGULA_CACHE"] = "off"
        os.execv(BIN / "tegula", ["tegula", "run", str(path), "--dim", "M=16"])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"tegula run {path} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def rows(name: str, make: Callable[[int], list[str]]) -> list[str]:
    """Returns the table's rows for one shape of kernel."""
    found, before = [], None
    for count in COUNTS:
        seconds, megabytes = measure(make(count), f"{name}{count}")
        growth = f"{seconds / before:.2f}" if before else ""
        found.append(f"| {name} | {count} | {seconds:.2f} s | {growth} | {megabytes:.0f} MB |")
        before = seconds
    return found


def main() -> None:
    SCRATCH.mkdir(exist_ok=True)
    table = ["| kernel | statements | compile | growth | memory |", "|---|---|---|---|---|"]
    for make in (reductions, stores, mixture, helpers):
        table += rows(make.__name__, make)
        print("\n".join(table[-len(COUNTS) :]), flush=True)
    (ROOT / "bench/results/compile.md").write_text("\n".join(table) + "\n")


main()
