# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels that sort, scan, gather, scatter, count and slide windows with PyTorch, Inductor and NumPy.

    python bench/sorts.py [--threads 1] [--no-inductor] [--seconds 1] [KERNEL...]

Writes bench/results/sorts.md and sorts.svg if nothing is left out. A ratio is the time of the best rival over ours:
above 1 we lead. Sizes are dynamic in our kernels but for those of windows and of what is kept.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from side_by_side import EXAMPLES, RESULTS, Table, geometric_mean, least_times, load_kernel, plot_ratios, set_threads

PARSER = argparse.ArgumentParser()
PARSER.add_argument("kernels", nargs="*")
PARSER.add_argument("--threads", type=int, default=0, help="only this number of threads")
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
    # What PyTorch wants in another order it may have.
    tensors = case["arrange"](*tensors) if "arrange" in case else tensors
    by_torch, by_numpy = case["torch"], case.get("numpy")
    rivals = {"ours": lambda: kernel(*inputs, *outputs), "torch": lambda: by_torch(*tensors)}
    if by_numpy:
        rivals["NumPy"] = lambda: by_numpy(*inputs)
    if not OPTIONS.no_inductor and case.get("inductor", True):
        compiled = torch.compile(by_torch, dynamic=False)
        rivals["Inductor"] = lambda: compiled(*tensors)
    kernel(*inputs, *outputs)
    wanted = by_torch(*tensors)
    # Places of equal elements are anybody's choice for others.
    for got, found in zip(outputs[:1], wanted if isinstance(wanted, tuple | list) else [wanted], strict=False):
        if not np.allclose(got, found.numpy().reshape(got.shape), rtol=1e-3, atol=case.get("atol", 1e-4)):
            sys.exit(f"{name}: the result is wrong by {np.abs(got - found.numpy().reshape(got.shape)).max()}")
    return least_times(rivals, OPTIONS.seconds, max(OPTIONS.threads, 1))


def measure_all(names: list[str]) -> list[dict]:
    torch.set_num_threads(max(OPTIONS.threads, 1))
    rows = []
    table = Table("kernel", "wanted", "ours, µs", "torch", "NumPy", "Inductor", "best / ours")
    for name in names:
        best = measure(name, CASES[name])
        ratio = min(seconds for rival, seconds in best.items() if rival != "ours") / best["ours"]
        shown = [best[rival] * 1e6 if rival in best else None for rival in ("ours", "torch", "NumPy", "Inductor")]
        table.add(name, CASES[name]["wanted"], *shown, ratio)
        rows.append({"name": name, "ratio": ratio, "cells": [CASES[name]["wanted"], *shown]})
    return rows


def main() -> None:
    names = OPTIONS.kernels or list(CASES)
    if OPTIONS.threads:
        rows = measure_all(names)
        if OPTIONS.json:
            Path(OPTIONS.json).write_text(json.dumps(rows))
        return
    # Every number of threads has a process of its own: libraries read it once.
    found, parts = {}, []
    for threads in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.json"
            arguments = ["--threads", str(threads), "--seconds", str(OPTIONS.seconds), "--json", str(path)]
            arguments += ["--no-inductor"] if OPTIONS.no_inductor else []
            subprocess.run([sys.executable, __file__, *arguments, *names], check=True)
            found[threads] = json.loads(path.read_text())
        table = Table("kernel", "wanted", "ours, µs", "torch", "NumPy", "Inductor", "best / ours")
        for row in found[threads]:
            table.add(row["name"], *row["cells"], row["ratio"])
        ratios = [row["ratio"] for row in found[threads]]
        table.say(f"\nGeometric mean of best / ours: {geometric_mean(ratios):.2f}; least {min(ratios):.2f}.")
        parts.append(f"## {'One thread' if threads == 1 else 'Two threads'}\n\n{table.markdown()}")
    if not OPTIONS.kernels and not OPTIONS.no_inductor:
        (RESULTS / "sorts.md").write_text("\n".join(parts))
        drawn = {
            row["name"]: {"one thread": row["ratio"], "two threads": other["ratio"]}
            for row, other in zip(found[1], found[2], strict=True)
        }
        plot_ratios(RESULTS / "sorts.svg", "time of the best rival over ours", drawn)


main()
