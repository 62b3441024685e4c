#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws docs/pictures/*.svg, or with --check says whether they are as they would be drawn. Text and lines have the
colour of what is around them, and fills are seen on light and on dark, so that one drawing serves both."""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[1]
OUT = ROOT / "docs" / "pictures"
BLUE, ORANGE, GREEN, GREY = "#3b82d6", "#e08a1e", "#2f9e6e", "#8a8f98"
# Where the drawing stands alone, as an image, it follows the reader's choice by itself.
STYLE = "<style>svg{color:#1b1f24}@media(prefers-color-scheme:dark){svg{color:#e6e8eb}}</style>"


class Drawing:
    """Shapes in the order they are drawn."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.size = width, height
        self.title = title
        self.parts: list[str] = []

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str = "none", opacity: float = 0.35, **more: str
    ) -> None:
        style = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
        line = "" if "stroke" in more else ' stroke="currentColor" stroke-width="1"'
        box = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"'
        self.parts.append(f'<rect {box} fill="{fill}" fill-opacity="{opacity}"{line}{style}/>')

    def text(self, x: float, y: float, words: str, size: int = 14, anchor: str = "start", **more: str) -> None:
        style = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        box = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"'
        self.parts.append(f'<text {box} fill="currentColor"{style}>{words}</text>')

    def code(self, x: float, y: float, words: str, size: int = 13) -> None:
        self.text(x, y, words, size, font_family="monospace", xml__space="preserve")

    def line(
        self, points: list[tuple[float, float]], color: str = "currentColor", width: float = 1.5, more: str = ""
    ) -> None:
        path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        self.parts.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width:g}"{more}/>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float, color: str = "currentColor") -> None:
        self.line([(x1, y1), (x2, y2)], color)
        angle = math.atan2(y2 - y1, x2 - x1)
        tips = [(x2 - 8 * math.cos(angle + a), y2 - 8 * math.sin(angle + a)) for a in (0.4, -0.4)]
        self.line([tips[0], (x2, y2), tips[1]], color)

    def __str__(self) -> str:
        width, height = self.size
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"'
        body = "\n".join(part.replace("xml--space", "xml:space") for part in self.parts)
        font = 'font-family="system-ui, sans-serif" '
        return f'{head} {font}width="{width:g}"><title>{self.title}</title>\n{STYLE}\n{body}\n</svg>\n'


def ragged_edge() -> Drawing:
    """The valid region of the last tile."""
    d = Drawing(720, 330, "The valid region of a tile at the tail")
    d.text(20, 24, "x: 19 rows in tiles of 8", 15)
    unit, left, top = 12, 40, 40
    for start, rows in ((0, 8), (8, 8), (16, 3)):
        y = top + start * unit
        d.rect(left, y, 180, rows * unit, BLUE, 0.45)
        d.text(left + 90, y + rows * unit / 2 + 5, f"rows {start} to {start + rows - 1}", 13, "middle")
    d.rect(left, top + 19 * unit, 180, 5 * unit, "none", 0, stroke="currentColor", stroke_dasharray="4 4")
    d.text(left + 90, top + 21.5 * unit + 5, "not there", 13, "middle")
    d.arrow(left + 190, top + 20 * unit, 330, top + 12 * unit)
    d.code(300, 60, "for i in pl.parallel(0, M, 8):")
    d.code(300, 80, "    t = x[i : i + 8, :]")
    d.code(300, 100, "    y[i : i + 8, :] = t / pl.row_sum(t)")
    d.text(340, 150, "the last t: shape at most 8, extent 3", 14)
    d.rect(340, 165, 160, 3 * unit, BLUE, 0.45)
    d.rect(340, 165 + 3 * unit, 160, 5 * unit, "none", 0, stroke="currentColor", stroke_dasharray="4 4")
    d.text(510, 188, "valid", 13)
    d.text(510, 235, "no value", 13)
    d.text(340, 290, "sums add 3 rows, stores write 3 rows: no masks", 14)
    return d


def gather_scatter() -> Drawing:
    d = Drawing(760, 250, "Gather and scatter")
    colors = [BLUE, ORANGE, GREEN, GREY]
    picks = [2, 0, 2, 3]

    def column(x: float, y: float, cells: list[int | None], names: list[str]) -> None:
        for row, (cell, name) in enumerate(zip(cells, names, strict=True)):
            d.rect(x, y + row * 36, 70, 30, colors[cell] if cell is not None else "none", 0.5)
            d.text(x + 35, y + row * 36 + 20, name, 13, "middle")

    for offset, title, call in (
        (0, "gather", "y = x[index]"),
        (340, "scatter", "y[index] = x, index = 2, 0, 1, 3"),
    ):
        d.text(offset + 20, 24, title, 16)
        d.code(offset + 90, 24, call, 12)
    column(20, 60, [0, 1, 2, 3], ["x[0]", "x[1]", "x[2]", "x[3]"])
    column(220, 60, picks, [f"x[{pick}]" for pick in picks])
    for row, pick in enumerate(picks):
        d.arrow(94, 75 + pick * 36, 214, 75 + row * 36, colors[pick])
        d.text(300, 80 + row * 36, str(pick), 12)
    d.text(292, 52, "index", 12)
    column(360, 60, [0, 1, 2, 3], ["x[0]", "x[1]", "x[2]", "x[3]"])
    targets = [2, 0, 1, 3]
    column(560, 60, [targets.index(row) for row in range(4)], [f"y[{row}]" for row in range(4)])
    for row, target in enumerate(targets):
        d.arrow(434, 75 + row * 36, 554, 75 + target * 36, colors[row])
    d.text(20, 235, "reads may repeat; each index is checked", 13)
    d.text(360, 235, "equal indices: the last write wins, or atomic= adds", 13)
    return d


def broadcasts() -> Drawing:
    d = Drawing(740, 230, "Broadcasts")

    def grid(x: float, y: float, rows: int, columns: int, color: str, dashed: bool = False) -> None:
        for row in range(rows):
            for column in range(columns):
                more = {"stroke": "currentColor", "stroke_dasharray": "3 3"} if dashed else {}
                d.rect(x + column * 26, y + row * 26, 24, 24, color, 0.15 if dashed else 0.5, **more)

    rows = (("t [3, 4] - pl.row_max(t) [3, 1]", 20, (3, 1)), ("t [3, 4] * gamma [1, 4]", 340, (1, 4)))
    for title, x, (height, width) in rows:
        d.code(x, 28, title, 13)
        grid(x, 50, 3, 4, BLUE)
        d.text(x + 118, 95, "−" if width == 1 else "×", 18, "middle")
        grid(x + 134, 50, 3, 4, ORANGE, dashed=True)
        grid(x + 134, 50, height, width, ORANGE)
    d.text(20, 165, "the column is repeated along axis 1", 13)
    d.text(340, 165, "the row is repeated along axis 0", 13)
    d.text(
        20, 205, "An axis of extent 1 is repeated; other axes must agree, which is proved or checked at the call.", 13
    )
    return d


def flash_attention() -> Drawing:
    d = Drawing(900, 430, "Flash attention: source and tiles")
    source = [
        ("for i in pl.parallel(0, SQ, QUERIES):", None),
        ("    queries = q[h, i : i + QUERIES, :]", BLUE),
        ("    largest = full(LOWEST); total = full(0)", None),
        ("    for j in pl.range(0, SK, KEYS):", None),
        ("        scores = matmul(queries, k[h, j : j + KEYS, :])", ORANGE),
        ("        higher = maximum(largest, row_max(scores))", None),
        ("        weights = exp(scores - higher)", ORANGE),
        ("        faded = exp(largest - higher)", None),
        ("        total = total * faded + row_sum(weights)", None),
        ("        result = matmul_acc(result * faded,", GREEN),
        ("                            weights, v[h, j : j + KEYS, :])", GREEN),
        ("        largest = higher", None),
        ("    out[h, i : i + QUERIES, :] = result / total", GREEN),
    ]
    for row, (words, color) in enumerate(source):
        y = 40 + row * 26
        if color:
            d.rect(14, y - 17, 472, 24, color, 0.22, stroke="none")
        d.code(20, y, words, 13)
    x, y = 560, 110
    for row in range(4):
        d.rect(x - 60, y + row * 40, 44, 36, BLUE, 0.6 if row == 1 else 0.12)
    for column in range(5):
        d.rect(x + column * 46, y - 60, 42, 44, ORANGE, 0.6 if column == 2 else 0.12)
        for row in range(4):
            seen = column <= row + 1
            is_now = (row, column) == (1, 2)
            fill = ORANGE if seen else "none"
            d.rect(x + column * 46, y + row * 40, 42, 36, fill, 0.75 if is_now else 0.18, stroke="currentColor")
    d.text(x + 115, 38, "keys, then values, one block after the other", 13, "middle")
    d.text(x + 115, y + 180, "only one block of scores exists at a time;", 13, "middle")
    d.text(x + 115, y + 198, "keys after a query are skipped", 13, "middle")
    for row in range(4):
        d.rect(x + 250, y + row * 40, 44, 36, GREEN, 0.6 if row == 1 else 0.12)
    d.text(x + 272, y - 12, "out", 13, "middle")
    d.text(x - 38, y - 12, "queries", 13, "middle")
    d.text(
        20,
        410,
        "The carried values are rescaled when a larger score comes: the matrix of all scores is never made.",
        14,
    )
    return d


def road() -> Drawing:
    d = Drawing(800, 420, "The stages of a kernel")
    steps = [
        ("kernel.py", "Python syntax, parsed and never run", ""),
        ("pl dialect", "tensors are memory, tiles are values, sizes are symbols", "frontend"),
        ("inferred", "one body, every extent traced to an argument", "inferred"),
        ("tiles", "tiled for the machine, loops proved parallel", "tiles"),
        ("target code", "CPU: vectors and threads · GPU · NPU simulator · ranks", "llvm, asm, ptx, ..."),
        ("compiled kernel", "one for all sizes; each call is checked by its guard", ""),
    ]
    for row, (name, what, stage) in enumerate(steps):
        y = 20 + row * 66
        d.rect(20, y, 170, 44, BLUE if stage else ORANGE, 0.3, rx="6")
        d.text(105, y + 27, name, 15, "middle")
        d.text(210, y + 20, what, 14)
        if stage:
            d.code(210, y + 40, f"tegula ir --stage {stage}", 12)
        if row + 1 < len(steps):
            d.arrow(105, y + 44, 105, y + 64)
    d.rect(640, 86, 140, 176, GREEN, 0.25, rx="6")
    for row, words in enumerate(("the reference", "interpreter", "runs any of", "these stages", "as the oracle")):
        d.text(710, 120 + row * 26, words, 14, "middle")
    return d


def time_over_size() -> Drawing:
    """From the measured table of matmuls."""
    table = (ROOT / "bench" / "results" / "matmul.md").read_text()
    rows = []
    for m, n, k, *cells in re.findall(
        r"^\| (\d+) x (\d+) x (\d+) \| (\S+) \| \S+ \| (\S+) \| (\S+) \|", table, re.MULTILINE
    ):
        if m == n == k and (not rows or int(m) > rows[-1][0]):
            rows.append((int(m), *(2 * int(m) ** 3 / float(cell) / 1e3 for cell in cells)))
    d = Drawing(680, 400, "Square matmul: time over size")
    left, top, width, height = 80, 40, 560, 290
    low, high = math.log10(min(min(row[1:]) for row in rows)), math.log10(max(max(row[1:]) for row in rows))
    first, last = math.log2(rows[0][0]), math.log2(rows[-1][0])

    def at(size: float, time: float) -> tuple[float, float]:
        x = left + (math.log2(size) - first) / (last - first) * width
        return round(x, 1), round(top + height - (math.log10(time) - low) / (high - low) * height, 1)

    d.text(left, 24, "FP32 matmul, n x n x n, one thread: microseconds over n, log-log; lower is faster", 13)
    for power in range(math.ceil(low), math.floor(high) + 1):
        y = at(rows[0][0], 10.0**power)[1]
        d.line([(left, y), (left + width, y)], GREY, 0.5)
        d.text(left - 8, y + 4, f"{10**power:,} µs" if power >= 0 else f"{10.0**power:g} µs", 12, "end")
    for size in (16, 64, 256, 1024, 2048):
        x = at(size, 1)[0]
        d.line([(x, top), (x, top + height)], GREY, 0.5)
        d.text(x, top + height + 18, str(size), 12, "middle")
    peers = ((3, "PyTorch", GREY, 1.5), (2, "NumPy", ORANGE, 1.5), (1, "Tegula", BLUE, 2.5))
    highest = at(rows[0][0], 10.0 ** math.floor(high))[1]
    for order, (column, name, color, thick) in enumerate(peers):
        d.line([at(row[0], row[column]) for row in rows], color, thick)
        # Between two lines of the grid.
        y = round(highest + 11 + order * 15, 1)
        d.line([(left + 20, y), (left + 50, y)], color, thick)
        d.text(left + 58, round(y + 4, 1), name, 12)
    d.text(left, 385, "bench/results/matmul.md: minimum times, interleaved in one process", 12)
    return d


def timeline() -> Drawing:
    """Some cycles of a matmul on a simulated NPU."""
    command = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin")) / "tegula"
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        sizes = [word for name in "MNK" for word in ("--dim", f"{name}=512")]
        arguments = ["sim", ROOT / "examples" / "gemm.py", *sizes, "--trace", trace]
        subprocess.run([command, *arguments], check=True, capture_output=True)
        events = json.loads(trace.read_text())["traceEvents"]
    units = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name" and e["pid"] == 1}
    begin, end = 4000, 12000
    d = Drawing(820, 60 + 46 * len(units) + 50, "The simulator's timeline")
    left, width = 90, 700
    d.text(20, 26, f"gemm 512 x 512 x 512 on tpuv3, cycles {begin:,} to {end:,}", 15)
    for row, (tid, name) in enumerate(sorted(units.items())):
        y = 48 + row * 46
        d.text(left - 10, y + 22, name, 13, "end")
        d.line([(left, y + 34), (left + width, y + 34)], GREY, 0.5)
        for event in events:
            if event["ph"] != "X" or event["tid"] != tid or event["pid"] != 1:
                continue
            start, stop = max(event["ts"], begin), min(event["ts"] + event["dur"], end)
            if start < stop:
                scale = width / (end - begin)
                color = [BLUE, GREEN, ORANGE, BLUE, GREY][row % 5]
                d.rect(
                    round(left + (start - begin) * scale, 1),
                    y + 6,
                    round((stop - start) * scale, 1),
                    28,
                    color,
                    0.6,
                    stroke="currentColor",
                    stroke_width="0.4",
                )
    y = 60 + 46 * len(units)
    for cycle in range(begin, end + 1, 2000):
        x = left + (cycle - begin) / (end - begin) * width
        d.text(x, y + 10, f"{cycle:,}", 12, "middle")
    d.text(left, y + 34, "tegula sim --report draws all cycles, with what each unit waited for", 13)
    return d


PICTURES = {
    "ragged-edge": ragged_edge,
    "gather-scatter": gather_scatter,
    "broadcasts": broadcasts,
    "flash-attention": flash_attention,
    "road": road,
    "time-over-size": time_over_size,
    "timeline": timeline,
}


def main() -> int:
    OUT.mkdir(exist_ok=True)
    is_current = True
    for name, draw in PICTURES.items():
        path, text = OUT / f"{name}.svg", str(draw())
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{path.relative_to(ROOT)} is not current; run scripts/draw-pictures.py")
            is_current = False
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main())
