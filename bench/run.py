# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures compiles, calls and kernels; prints a table and writes bench/results/latest.json and latest.md."""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("TEGULA_BIN", ROOT / "build/bin"))
EXAMPLES = ROOT / "examples"
RESULTS = ROOT / "bench/results"

# (key, what it is, unit, limit or None)
MEASURES = [
    ("compiles_for_100_sizes", "compiles of one kernel at 100 sizes", "", 1),
    ("cold_elementwise_ms", "cold compile, elementwise", "ms", 50),
    ("cold_softmax_ms", "cold compile, softmax", "ms", None),
    ("cold_gemm_ms", "cold compile, matmul", "ms", 200),
    ("process_ms", "tegula run, process start to result", "ms", 500),
    ("call_overhead_ns", "call overhead, three tensors", "ns", 200),
    ("bare_kernel_ns", "the kernel itself at 1 x 1", "ns", None),
    ("growth_over_million_calls_kib", "memory growth over a million calls", "KiB", 1024),
]


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


# kernel, sizes, the shapes of its inputs, and the same in NumPy.
KERNELS: list[tuple[str, dict[str, int], list[str], Callable[..., object]]] = [
    ("silu", {"M": 4096, "N": 1024}, ["MN"], lambda x: x / (1 + np.exp(-x))),
    ("softmax", {"M": 4096, "N": 1024}, ["MN"], softmax),
    ("gemm", {"M": 512, "N": 512, "K": 512}, ["MK", "KN"], np.matmul),
    ("gemm", {"M": 1000, "N": 777, "K": 333}, ["MK", "KN"], np.matmul),
]


def median_time(action: Callable[[], object], count: int) -> float:
    """Returns the median seconds of `count` runs of `action`, after a warm-up run."""
    action()
    times = []
    for _ in range(count):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure_process() -> float:
    """Returns the milliseconds of one `tegula run`."""
    command = [BIN / "tegula", "run", EXAMPLES / "silu.py", "--dim", "M=1000", "--dim", "N=333"]
    return median_time(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 5) * 1e3


def measure_kernel(
    name: str, dims: dict[str, int], shapes: list[str], reference: Callable[..., object]
) -> dict[str, float]:
    """Returns the median times of a kernel and of its NumPy reference, in milliseconds."""
    options = [word for dim, size in dims.items() for word in ("--dim", f"{dim}={size}")]
    command = [BIN / "tegula", "bench", EXAMPLES / f"{name}.py", *options, "--time", "300", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stderr.strip()}")
    ours = json.loads(done.stdout)["sizes"][0]["seconds"] * 1e3
    random = np.random.default_rng(0)
    inputs = [random.standard_normal([dims[axis] for axis in shape], dtype=np.float32) for shape in shapes]
    numpy = median_time(lambda: reference(*inputs), 9) * 1e3
    return {"tegula_ms": ours, "numpy_ms": numpy, "ratio": numpy / ours}


def table(results: dict) -> str:
    """Returns the results as Markdown."""
    lines = [
        "# Quick measures",
        "",
        "`bench/run.py`. Limits are upper bounds. In the second table times are ms per call, and the last column is",
    ]
    lines += ["NumPy's time / Tegula's time: above 1, Tegula is faster.", ""]
    lines += ["| measure | found | limit |", "|---|---|---|"]
    for key, what, unit, limit in MEASURES:
        mark = "" if limit is None else f"{limit} {unit}".strip()
        lines.append(f"| {what} | {results[key]:.4g} {unit} | {mark} |")
    lines += ["", "| kernel | Tegula | NumPy | NumPy / Tegula |", "|---|---|---|---|"]
    for name, row in results["kernels"].items():
        lines.append(f"| {name} | {row['tegula_ms']:.3g} ms | {row['numpy_ms']:.3g} ms | {row['ratio']:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    done = subprocess.run([BIN / "tegula-bench", EXAMPLES], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    results = json.loads(done.stdout)
    results["process_ms"] = measure_process()
    results["machine"] = {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()}
    results["kernels"] = {}
    for name, dims, shapes, reference in KERNELS:
        label = f"{name} " + " ".join(f"{dim}={size}" for dim, size in dims.items())
        results["kernels"][label] = measure_kernel(name, dims, shapes, reference)
    text = table(results)
    print(text, end="")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "latest.json").write_text(json.dumps(results, indent=2) + "\n")
    (RESULTS / "latest.md").write_text(text)


main()
