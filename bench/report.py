# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one table and one drawing of the ratios in bench/results: how we stand beside the best rival of each kind.

    python bench/report.py

Writes bench/results/report.svg, and the table into README.md between two marks. `make bench-report` measures first.
A ratio is the time of the best rival over ours, on one thread and, where that was measured, on two. Of FP32 products it
also says how near the peak they are from 512 up.
"""

import re
from pathlib import Path

from side_by_side import RESULTS, ROOT, geometric_mean, plot_ratios, results_file

RATIOS = ("best / ours", "over the best peer")
BEGIN, END = "<!-- bench/report.py begins -->", "<!-- bench/report.py ends -->"
NAMES = {
    "EPILOGUE": "FP32 products with bias, ReLU and residual",
    "WEIGHTS4": "FP32 products with INT4 weights",
    "WEIGHTS8": "FP32 products with INT8 weights",
}
Row = dict[str, str]


def read_tables(path: Path) -> list[list[Row]]:
    """The tables of a Markdown file; a row is its cells by the names of their columns."""
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
    """What the row counts as: a kind of product, a kernel that walks, attention or decoding."""
    first = next(iter(row))
    if name == "products":
        kind = first.split(":")[0]
        return NAMES.get(kind, f"{kind} products")
    if name == "attention":
        queries = int(row[first].split(" x ")[1])
        return "attention, one query" if queries == 1 else "attention"
    word = re.match(r"[a-z_]+", row[first]).group().replace("_", " ")
    return word.strip()


def read_ratios(threads: int) -> dict[str, dict[str, float]]:
    """The ratios of each kind by what they are ratios of."""
    kinds: dict[str, dict[str, float]] = {}
    for name in ("products", "attention", "walks", "sorts"):
        path = results_file(name, threads)
        if not path.exists():
            continue
        for row in (row for table in read_tables(path) for row in table):
            if ratio := ratio_of(row):
                label = " ".join(list(row.values())[: 2 if "size" in row else 1])
                kinds.setdefault(kind_of(name, row), {}).setdefault(label, ratio)
    return kinds


def least_of_peak() -> str:
    """How near the peak FP32 products are whose sizes are all at least 512."""
    shares = {}
    for row in read_tables(RESULTS / "products.md")[0]:
        size = row["FP32: rows x columns x inner"]
        if row.get("peak") and min(map(int, size.split(" x "))) >= 509:
            shares[size] = float(row["tegula"]) / float(row["peak"])
    if not shares:
        return ""
    size = min(shares, key=shares.get)
    mean = geometric_mean(list(shares.values()))
    return f"FP32 products from 509 up reach {mean:.2f} of the peak on average, {shares[size]:.2f} at {size}.\n"


def summary(ratios: dict[str, float] | None) -> list[str]:
    """The geometric mean, the least, and where that is; empty cells if nothing was measured."""
    if not ratios:
        return [""] * 3
    worst = min(ratios, key=ratios.get)
    return [f"{geometric_mean(list(ratios.values())):.2f}", f"{ratios[worst]:.2f}", worst]


def make_table(one: dict[str, dict[str, float]], two: dict[str, dict[str, float]]) -> str:
    """A line for each kind; on two threads in columns of their own, if there are any."""
    heads = ["kernel", "sizes", "geometric mean", "least", "at"]
    heads += ["on two threads", "least", "at"] if two else []
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for kind, ratios in one.items():
        cells = [kind, str(len(ratios)), *summary(ratios), *(summary(two.get(kind)) if two else [])]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def draw(one: dict[str, dict[str, float]], two: dict[str, dict[str, float]]) -> None:
    drawn = {}
    for kind, ratios in one.items():
        drawn[kind] = {"geometric mean": geometric_mean(list(ratios.values())), "least": min(ratios.values())}
        if kind in two:
            drawn[kind]["mean on two threads"] = geometric_mean(list(two[kind].values()))
            drawn[kind]["least on two threads"] = min(two[kind].values())
    plot_ratios(RESULTS / "report.svg", "Time of the best rival over ours: right of 1 we lead", drawn)


def main() -> None:
    one, two = read_ratios(1), read_ratios(2)
    draw(one, two)
    report = f"{make_table(one, two)}\n{least_of_peak()}"
    print(report)
    path = ROOT / "README.md"
    before, _, rest = path.read_text().partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"{path} has no lines '{BEGIN}' and '{END}'")
    path.write_text(f"{before}{BEGIN}\n\n{report}\n{END}{after}")


main()
