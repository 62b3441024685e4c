# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the benchmarks: interleaved timing, kernels with static and dynamic sizes, tables and plots.

Import it before NumPy or PyTorch: `set_threads` sets their number of threads.
"""

import importlib.util
import itertools
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
RESULTS = ROOT / "bench/results"
BUILD = Path(os.environ.get("TEGULA_BUILD", ROOT / "build"))
SCRATCH = tempfile.TemporaryDirectory()
Action = Callable[[], object]


def results_file(name: str, threads: int = 1) -> Path:
    """The file of a table for so many threads."""
    return RESULTS / (f"{name}.md" if threads == 1 else f"{name}-{threads}-threads.md")


def write_results(name: str, title: str, threads: int, note: str, tables: str) -> None:
    """Writes tables for so many threads, below a heading and a note that says what the columns are."""
    results_file(name, threads).write_text(f"# {title}\n\n{note}\n\n{tables}")


def set_threads(count: int) -> None:
    """Gives every rival so many threads, and turns off Tegula's cache on disk."""
    if "numpy" in sys.modules or "torch" in sys.modules:
        raise RuntimeError("threads are set before NumPy or PyTorch is imported")
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(count)
    os.environ.setdefault("TEGULA_CACHE", "off")
    if (BUILD / "python").is_dir():
        sys.path.insert(0, str(BUILD / "python"))


def least_times(actions: dict[str, Action], seconds: float, threads: int = 1) -> dict[str, float]:
    """The least seconds of each action; actions are interleaved, so that noise affects all of them.

    In each round an action warms up for as many runs as are measured, which brings its data back to the caches. They
    are not restored fully, so the order of actions is shuffled. With several threads a pause lets spinning threads of
    the previous action go to sleep. Rounds go on, for at most four times as long, until no minimum has improved for
    some rounds. Long runs are always disturbed on a busy machine: on one thread, CPU time is measured if one is long.
    """
    counts = {}
    clock = time.perf_counter
    for name, action in actions.items():
        action()
        taken = math.inf
        for _ in range(5):
            start = time.perf_counter()
            action()
            taken = min(taken, max(time.perf_counter() - start, 1e-7))
        counts[name] = max(1, int(1e-4 / taken))
        if threads == 1 and taken > 2e-3:
            clock = time.thread_time
    best = dict.fromkeys(actions, math.inf)
    begin = time.perf_counter()
    order = random.Random(0)
    names = list(actions)
    rounds = settled = 0

    def goes_on() -> bool:
        passed = time.perf_counter() - begin
        return passed < seconds or rounds < 5 or (settled < 5 and passed < 4 * seconds)

    while goes_on():
        rounds += 1
        settled += 1
        order.shuffle(names)
        for name in names:
            action = actions[name]
            if threads > 1:
                time.sleep(0.05)
            for _ in itertools.repeat(None, counts[name]):
                action()
            start = clock()
            for _ in itertools.repeat(None, counts[name]):
                action()
            taken = (clock() - start) / counts[name]
            if taken < 0.98 * best[name]:
                settled = 0
            best[name] = min(best[name], taken)
    return best


def load_kernel(text: str, name: str, sizes: dict[str, int] | None = None) -> Callable[..., object]:
    """The kernel of that name in a source text, with `X = pl.dynamic("X")` replaced by static sizes if given."""
    for symbol, size in (sizes or {}).items():
        text = text.replace(f'{symbol} = pl.dynamic("{symbol}")', f"{symbol} = {size}")
    path = Path(SCRATCH.name) / f"{'_'.join([name, *map(str, (sizes or {}).values())])}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


class Table:
    """Rows that are printed as they are added, and written as Markdown."""

    def __init__(self, *heads: str) -> None:
        self.lines: list[str] = []
        self.say("| " + " | ".join(heads) + " |")
        self.say("|---" * len(heads) + "|")

    def add(self, *cells: object) -> None:
        """Numbers are shown with four digits; None is an empty cell."""
        shown = (f"{cell:.4g}" if isinstance(cell, float) else "" if cell is None else str(cell) for cell in cells)
        self.say("| " + " | ".join(shown) + " |")

    def say(self, line: str) -> None:
        self.lines.append(line)
        print(line, flush=True)

    def markdown(self) -> str:
        return "\n".join(self.lines) + "\n"


COLOURS = ["#1f6fb4", "#d9730d", "#4b8b3b", "#8d5bb0", "#7a7a7a"]


def plot_ratios(path: Path, title: str, rows: dict[str, dict[str, float]]) -> None:
    """Writes an SVG drawing of ratios: a line of dots for each row, one for each name in it, on a logarithmic axis."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    ratios = [ratio for row in rows.values() for ratio in row.values()]
    least, most = min(0.5, *ratios), max(2.0, *ratios)
    left, width, top, step = 12 + 7 * max(map(len, rows)), 560, 52, 16
    height = top + step * len(rows) + 28

    def across(ratio: float) -> float:
        return left + width * math.log(ratio / least) / math.log(most / least)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="18" font-size="14">{escape(title)}</text>',
    ]
    for index, name in enumerate(names):
        x, colour = left + 130 * index, COLOURS[index % len(COLOURS)]
        parts.append(f'<circle cx="{x}" cy="34" r="4" fill="{colour}"/><text x="{x + 8}" y="38">{escape(name)}</text>')
    for mark in (0.1, 0.2, 0.5, 0.8, 1, 1.5, 2, 3, 5, 10, 20, 50, 100):
        if least <= mark <= most:
            colour = "#333" if mark == 1 else "#ddd"
            x, end = across(mark), height - 24
            parts.append(f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{end}" stroke="{colour}"/>')
            parts.append(f'<text x="{x:.1f}" y="{height - 10}" text-anchor="middle">{mark}</text>')
    for index, (label, row) in enumerate(rows.items()):
        y = top + step * index + step // 2
        parts.append(f'<text x="8" y="{y + 4}">{escape(label)}</text>')
        for name, ratio in row.items():
            colour = COLOURS[names.index(name) % len(COLOURS)]
            parts.append(f'<circle cx="{across(ratio):.1f}" cy="{y}" r="4" fill="{colour}" fill-opacity="0.8"/>')
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")
