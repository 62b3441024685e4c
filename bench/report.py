# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one table and one plot of the ratios in bench/results: Tegula against the best rival for each kind of kernel.

    python bench/report.py

Writes bench/results/report.svg, and the table into README.md between two markers. `make bench-report` measures first.
A ratio is the best rival's time / Tegula's time, on one thread and, where that was measured, on two: above 1, Tegula is
faster. For FP32 matmul it also prints the fraction of peak from 509 up.
"""

import re
from pathlib import Path

from side_by_side import RESULTS, ROOT, geometric_mean, plot_ratios, results_file

RATIOS = ("best rival / Tegula", "Tegula / best rival")
BEGIN, END = "<!-- bench/report.py begins -->", "<!-- bench/report.py ends -->"
NAMES = {
    "EPILOGUE": "FP32 matmul with bias, ReLU and residual",
    "WEIGHTS4": "FP32 matmul with INT4 weights",
    "WEIGHTS8": "FP32 matmul with INT8 weights",
}
SHOWN = {"topk": "top-k", "scatter_add": "scatter-add", "depthwise": "depthwise convolution"}
UNIT = "Unit: the best rival's time / Tegula's time. **Above 1, Tegula is faster.**\n"
Row = dict[str, str]


def read_tables(path: Path) -> list[list[Row]]:
    """The tables of a Markdown file; a row maps column names to cells."""
    tables: list[list[Row]] = []
    heads: list[str] = []
    for line in path.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            heads = []
        elif not heads:
            heads = cells
            tables.append([])
        elif not set(line) <= set("|-"):
            tables[-1].append(dict(zip(heads, cells, strict=True)))
    return tables


def ratio_of(row: Row) -> float | None:
    """The ratio of a row, if a rival was measured."""
    return next((float(row[name]) for name in RATIOS if row.get(name)), None)


def kind_of(name: str, row: Row) -> str:
    """The kind of a row: a matmul type, a memory-bound kernel, attention or decoding."""
    first = next(iter(row))
    if name == "matmul":
        kind = first.split(":")[0]
        return NAMES.get(kind, f"{kind} matmul")
    if name == "attention":
        queries = int(row[first].split(" x ")[1])
        return "attention, one query" if queries == 1 else "attention"
    kernel = re.match(r"[a-z_]+", row[first]).group().strip("_")
    return SHOWN.get(kernel, kernel.replace("_", " "))


def read_ratios(threads: int) -> dict[str, dict[str, float]]:
    """The ratios of each kind, by size."""
    kinds: dict[str, dict[str, float]] = {}
    for name in ("matmul", "attention", "memory_bound", "sorts"):
        path = results_file(name, threads)
        if not path.exists():
            continue
        for row in (row for table in read_tables(path) for row in table):
            if ratio := ratio_of(row):
                label = " ".join(list(row.values())[: 2 if "size" in row else 1])
                kinds.setdefault(kind_of(name, row), {}).setdefault(label, ratio)
    return kinds


def fraction_of_peak() -> str:
    """The fraction of peak of FP32 matmul whose sizes are all at least 509."""
    shares = {}
    for row in read_tables(RESULTS / "matmul.md")[0]:
        size = row["FP32: rows x columns x inner"]
        if row.get("peak") and min(map(int, size.split(" x "))) >= 509:
            shares[size] = float(row["tegula"]) / float(row["peak"])
    if not shares:
        return ""
    size = min(shares, key=shares.get)
    mean = geometric_mean(list(shares.values()))
    least = f"the minimum is {shares[size]:.2f}, at {size}"
    return f"FP32 matmul from 509 up reaches {mean:.2f} of peak on average; {least}.\n"


def summary(ratios: dict[str, float] | None) -> list[str]:
    """The geometric mean, the minimum and its size; empty cells if nothing was measured."""
    if not ratios:
        return [""] * 3
    worst = min(ratios, key=ratios.get)
    return [f"{geometric_mean(list(ratios.values())):.2f}", f"{ratios[worst]:.2f}", worst]


def make_table(one: dict[str, dict[str, float]], two: dict[str, dict[str, float]]) -> str:
    """A line for each kind; two threads have their own columns, if they were measured."""
    heads = ["kernel", "sizes", "geometric mean, 1 thread", "minimum", "at"]
    heads += ["geometric mean, 2 threads", "minimum", "at"] if two else []
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for kind, ratios in one.items():
        cells = [kind, str(len(ratios)), *summary(ratios), *(summary(two.get(kind)) if two else [])]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def draw(one: dict[str, dict[str, float]], two: dict[str, dict[str, float]]) -> None:
    drawn = {}
    for kind, ratios in one.items():
        drawn[kind] = {"mean, 1 thread": geometric_mean(list(ratios.values())), "minimum": min(ratios.values())}
        if kind in two:
            drawn[kind]["mean, 2 threads"] = geometric_mean(list(two[kind].values()))
            drawn[kind]["minimum, 2 threads"] = min(two[kind].values())
    plot_ratios(RESULTS / "report.svg", "Best rival's time / Tegula's time; right of 1, Tegula is faster", drawn)


def main() -> None:
    one, two = read_ratios(1), read_ratios(2)
    draw(one, two)
    report = f"{UNIT}\n{make_table(one, two)}\n{fraction_of_peak()}"
    print(report)
    path = ROOT / "README.md"
    before, _, rest = path.read_text().partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"{path} has no lines '{BEGIN}' and '{END}'")
    path.write_text(f"{before}{BEGIN}\n\n{report}\n{END}{after}")


main()
