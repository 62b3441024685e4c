# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels that sort, scan, gather, scatter, count and slide windows with PyTorch, Inductor and NumPy.

    [THREADS=1] python bench/sorts.py [--threads 1] [--no-inductor] [--seconds 1] [KERNEL...]

Writes bench/results/sorts.md and sorts-2-threads.md, and sorts.svg of both, if nothing is left out. A ratio is the
best rival's time / Tegula's time: above 1, Tegula is faster. Sizes are dynamic in our kernels except for windows and
the k of top-k.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from side_by_side import (
    EXAMPLES,
    RESULTS,
    Table,
    geometric_mean,
    least_times,
    load_kernel,
    plot_ratios,
    set_threads,
    write_results,
)

THREADS = int(os.environ.get("THREADS", "0"))
PARSER = argparse.ArgumentParser()
PARSER.add_argument("kernels", nargs="*")
PARSER.add_argument("--threads", type=int, default=THREADS, help="only this number of threads")
PARSER.add_argument("--no-inductor", action="store_true")
PARSER.add_argument("--seconds", type=float, default=1.0, help="for one kernel at one size")
PARSER.add_argument("--json", help="where the rows go")
OPTIONS = PARSER.parse_args()
set_threads(max(OPTIONS.threads, 1))

import numpy as np  # noqa: E402
import torch  # noqa: E402
from sorts_kernels import CASES  # noqa: E402


def measure(name: str, case: dict) -> dict[str, float]:
    """The least seconds of each rival; ends the program if our result is wrong."""
    text = case["text"] if "\n" in case["text"] else (EXAMPLES / f"{case['text']}.py").read_text()
    kernel = load_kernel(text, case.get("kernel", "k"))
    inputs = [np.ascontiguousarray(array) for array in case["inputs"](np.random.default_rng(0))]
    outputs = [np.zeros(shape, dtype) for shape, dtype in case["outputs"]]
    tensors = [torch.from_numpy(array) for array in inputs]
    # PyTorch may get its inputs in another layout.
    tensors = case["arrange"](*tensors) if "arrange" in case else tensors
    by_torch, by_numpy = case["torch"], case.get("numpy")
    rivals = {"ours": lambda: kernel(*inputs, *outputs), "torch": lambda: by_torch(*tensors)}
    if by_numpy:
        rivals["NumPy"] = lambda: by_numpy(*inputs)
    if not OPTIONS.no_inductor and case.get("inductor", True):
        # Static code for this size; a recompile for another size does not count.
        torch._dynamo.reset()
        compiled = torch.compile(by_torch, dynamic=False)
        rivals["Inductor"] = lambda: compiled(*tensors)
    kernel(*inputs, *outputs)
    wanted = by_torch(*tensors)
    # Rivals may order equal elements in any way.
    for got, found in zip(outputs[:1], wanted if isinstance(wanted, tuple | list) else [wanted], strict=False):
        if not np.allclose(got, found.numpy().reshape(got.shape), rtol=1e-3, atol=case.get("atol", 1e-4)):
            sys.exit(f"{name}: the result is wrong by {np.abs(got - found.numpy().reshape(got.shape)).max()}")
    return least_times(rivals, OPTIONS.seconds, max(OPTIONS.threads, 1))


NOTE = """Times are µs per call. `best rival / Tegula` is the quotient of times: above 1, Tegula is faster.
`wanted` is the quotient that we aim at."""


def measure_all(names: list[str]) -> None:
    """All rows on one number of threads, as a table and as JSON."""
    torch.set_num_threads(OPTIONS.threads)
    ratios = {}
    times = [f"{name}, µs" for name in ("Tegula", "torch", "NumPy", "Inductor")]
    table = Table("kernel", "wanted", *times, "best rival / Tegula")
    for name in names:
        best = measure(name, CASES[name])
        ratios[name] = min(seconds for rival, seconds in best.items() if rival != "ours") / best["ours"]
        shown = [best[rival] * 1e6 if rival in best else None for rival in ("ours", "torch", "NumPy", "Inductor")]
        table.add(name, CASES[name]["wanted"], *shown, ratios[name])
    mean, least = geometric_mean(list(ratios.values())), min(ratios.values())
    table.say(f"\nThreads: {OPTIONS.threads}. Geometric mean of best rival / Tegula: {mean:.2f}; least {least:.2f}.")
    if OPTIONS.json:
        Path(OPTIONS.json).write_text(json.dumps(ratios))
    if is_whole():
        title = "Sorts, scans, gathers, scatters, convolutions"
        command = f"bench/sorts.py --threads {OPTIONS.threads} --seconds {OPTIONS.seconds:g}"
        note = f"`{command}`, interleaved in one run.\n{NOTE}"
        write_results("sorts", title, OPTIONS.threads, note, table.markdown())


def is_whole() -> bool:
    """True if nothing is left out."""
    return not OPTIONS.kernels and not OPTIONS.no_inductor


def main() -> None:
    if OPTIONS.threads:
        return measure_all(OPTIONS.kernels or list(CASES))
    drawn: dict[str, dict[str, float]] = {}
    # One process per number of threads: libraries read it once.
    for threads in (1, 2):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            command = [sys.executable, __file__, *sys.argv[1:], "--threads", str(threads), "--json", file.name]
            subprocess.run(command, check=True)
            for name, ratio in json.loads(Path(file.name).read_text()).items():
                drawn.setdefault(name, {})["one thread" if threads == 1 else f"{threads} threads"] = ratio
    if is_whole():
        plot_ratios(RESULTS / "sorts.svg", "Best rival's time / Tegula's time; right of 1, Tegula is faster", drawn)
    return None


main()
