# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one table and one drawing of the ratios in bench/results: how we stand beside the best rival of each kind.

    python bench/report.py

Writes bench/results/report.svg, and the table into README.md between two marks. `make bench-report` measures first.
A ratio is the time of the best rival over ours. Of FP32 products it also says how near the peak they are from 512 up.
"""

import re
from pathlib import Path

from side_by_side import RESULTS, ROOT, geometric_mean, plot_ratios

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


def kind_of(path: Path, row: Row) -> str:
    """What the row counts as: a kind of product, a kernel that walks, attention or decoding."""
    first = next(iter(row))
    if path.stem == "products":
        kind = first.split(":")[0]
        return NAMES.get(kind, f"{kind} products")
    if path.stem == "attention":
        queries = int(row[first].split(" x ")[1])
        return "attention, one query" if queries == 1 else "attention"
    word = re.match(r"[a-z_]+", row[first]).group().replace("_", " ")
    return word.strip()


def read_ratios() -> dict[str, dict[str, float]]:
    """The ratios of each kind by what they are ratios of."""
    kinds: dict[str, dict[str, float]] = {}
    for name in ("products", "attention", "walks", "sorts"):
        path = RESULTS / f"{name}.md"
        for row in (row for table in read_tables(path) for row in table):
            if ratio := ratio_of(row):
                label = " ".join(list(row.values())[: 2 if "size" in row else 1])
                # The first table is of one thread.
                kinds.setdefault(kind_of(path, row), {}).setdefault(label, ratio)
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


def make_table(kinds: dict[str, dict[str, float]]) -> str:
    lines = ["| kernel | sizes | geometric mean | least | at |", "|---|---|---|---|---|"]
    for kind, ratios in kinds.items():
        worst = min(ratios, key=ratios.get)
        mean = geometric_mean(list(ratios.values()))
        lines.append(f"| {kind} | {len(ratios)} | {mean:.2f} | {ratios[worst]:.2f} | {worst} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    kinds = read_ratios()
    drawn = {
        kind: {"geometric mean": geometric_mean(list(ratios.values())), "least": min(ratios.values())}
        for kind, ratios in kinds.items()
    }
    plot_ratios(RESULTS / "report.svg", "Time of the best rival over ours: right of 1 we lead", drawn)
    report = f"{make_table(kinds)}\n{least_of_peak()}"
    print(report)
    path = ROOT / "README.md"
    before, _, rest = path.read_text().partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"{path} has no lines '{BEGIN}' and '{END}'")
    path.write_text(f"{before}{BEGIN}\n\n{report}\n{END}{after}")


main()
