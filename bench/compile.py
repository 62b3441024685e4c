# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how compile time and memory grow with the number of statements and with the depth of loops and branches;
writes bench/results/compile.md."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("TEGULA_BIN", ROOT / "build/bin"))
SCRATCH = ROOT / "bench/scratch"
COUNTS = [625, 1250, 2500, 5000]
DEPTHS = [4, 8, 16, 32]

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


VECTORS = """import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
"""


def reductions(count: int) -> list[str]:
    """Returns a chain of reductions, in which two statements of three are dead."""
    live = "t = pl.exp(t) - pl.row_max(t)"
    return [live if k % 3 == 0 else f"t{k} = t * {k % 7 + 1}.0 + {k % 5}.5" for k in range(count)]


def stores(count: int) -> list[str]:
    """Returns stores to windows, each of another value."""
    windows = [f"{k % 8 * 8} : {k % 8 * 8 + 8}" for k in range(count)]
    return [f"y[i : i + 8, {window}] = x[i : i + 8, {window}] * {k}.0" for k, window in enumerate(windows)]


def mixture(count: int) -> list[str]:
    """Returns a mix as in real kernels: normalisation, branches, stores, windows."""
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


def nest(depth: int, head: str, last: str) -> str:
    """Returns a kernel of nested loops or branches, which narrows its carried values at every level."""
    lines = ["b = x * 2.0"]
    for level in range(depth):
        lines.append("    " * level + head.format(level=level))
        lines.append("    " * (level + 1) + "b = b[0 : max(b.shape[0] - 1, 0)] + 1.0")
    lines.append("    " * depth + last)
    lines.append("y[0 : b.shape[0]] = b")
    return VECTORS + "".join(f"    {line}\n" for line in lines)


def loops(depth: int) -> str:
    """Returns a nest of loops."""
    return nest(depth, "for i{level} in pl.range(2):", "b = b * 0.5")


def branches(depth: int) -> str:
    """Returns nested branches."""
    return nest(depth, "if n > {level}:", "b = b * 0.5")


def measure(command: list[str], text: str, name: str) -> tuple[float, float]:
    """Returns the CPU seconds and the MB that the command takes for a kernel."""
    path = SCRATCH / f"{name}.py"
    path.write_text(text)
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.environ["TEGULA_CACHE"] = "off"
        os.execv(BIN / "tegula", ["tegula", command[0], str(path), *command[1:]])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"tegula {command[0]} {path} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def statements(lines: list[str]) -> str:
    """Returns the kernel that consists of these statements."""
    return HEADER + "".join(f"        {line}\n" for line in lines) + "        y[i : i + 8, :] = t\n"


def rows(name: str, command: list[str], make: Callable[[int], str], counts: list[int]) -> list[str]:
    """Returns the table's rows for one shape of kernel, and prints them."""
    found, before = [], None
    for count in counts:
        seconds, megabytes = measure(command, make(count), f"{name}{count}")
        growth = f"{seconds / before:.2f}" if before else ""
        found.append(f"| {name} | {count} | {seconds:.2f} s | {growth} | {megabytes:.0f} MB |")
        print(found[-1], flush=True)
        before = seconds
    return found


def main() -> None:
    SCRATCH.mkdir(exist_ok=True)
    table = [
        "# Compile time",
        "",
        "`bench/compile.py`, cache off. `compile` is CPU time; `growth` is the time / that of the row above, half",
    ]
    table += ["as long: 2 is linear.", ""]
    table += ["| kernel | statements | compile | growth | memory |", "|---|---|---|---|---|"]
    for make in (reductions, stores, mixture, helpers):
        table += rows(make.__name__, ["run", "--dim", "M=16"], lambda count, make=make: statements(make(count)), COUNTS)
    table += ["", "`tegula check` of loops and of branches inside each other, which narrow what they carry:", ""]
    table += ["| kernel | depth | check | growth | memory |", "|---|---|---|---|---|"]
    for make in (loops, branches):
        table += rows(make.__name__, ["check"], make, DEPTHS)
    (ROOT / "bench/results/compile.md").write_text("\n".join(table) + "\n")


main()
