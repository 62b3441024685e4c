# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels compiled for a simulated NPU: compile and simulation times, and the cycles of the chosen tilings
relative to the best tile of a hand-written program. Prints medians and ratios, and writes bench/results/npu.txt."""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import tegula.language as pl

ROOT = Path(__file__).resolve().parent.parent
TEGULA = ROOT / "build/bin/tegula"
KERNELS = {
    "gemm_tensors": "whole arrays, seven tilings",
    "gemm": "tiles of the author",
    "softmax": "tiles of the author",
    "layer_norm": "tiles of the author",
    "flash_attention": "tiles of the author",
}
LARGE = [512, 1024, 1536, 2048, 3072, 4096]


def simulate(*words: str) -> dict:
    done = subprocess.run([TEGULA, "sim", *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def cycles(data: dict) -> int:
    return data["runs"][0]["summary"]["cycles"]


def measure_compile(lines: list[str]) -> None:
    lines.append("compiling for npu:tpuv3, cache off, median of five processes (ms, with the start of the process)")
    for name, what in KERNELS.items():
        times = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run(
                [TEGULA, "ir", ROOT / f"examples/{name}.py", "--target", "npu:tpuv3", "--stage", "npu"],
                capture_output=True,
                check=True,
            )
            times.append(time.perf_counter() - start)
        steps = statistics.median(times) * 1e3
        times = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                start = time.perf_counter()
                subprocess.run(
                    [sys.executable, "-c", COMPILE.format(name=name)],
                    capture_output=True,
                    check=True,
                    cwd=ROOT / "examples",
                    env={"TEGULA_CACHE_DIR": folder, "PYTHONPATH": str(ROOT / "build/python"), "PATH": "/usr/bin"},
                )
                times.append(time.perf_counter() - start)
        lines.append(
            f"  {name:16} to steps {steps:6.0f}   whole, with Python {statistics.median(times) * 1e3:6.0f}   {what}"
        )


COMPILE = """
import importlib, tegula
with tegula.config(target="npu:tpuv3"):
    kernel = getattr(importlib.import_module("{name}"), "{name}")
    kernel.compile()
"""


def measure_tiles(lines: list[str]) -> None:
    random.seed(1)
    shapes = {
        "calibration-like": [[random.choice(LARGE) for _ in "MNK"] for _ in range(20)],
        "small": [
            [random.randint(1, 300), random.choice([256, 512, 1000, 2048, 4096]), random.choice([64, 256, 1000, 4096])]
            for _ in range(20)
        ],
    }
    for dram in ("channel", "bank"):
        lines.append(
            f"compiled matmul against the best tile of a hand-written one, tpuv3, level {dram}: cycles / cycles; "
            "below 1, the compiled one is faster"
        )
        for kind, list_of in shapes.items():
            ratios = []
            for m, n, k in list_of:
                dims = ["--dim", f"M={m}", "--dim", f"N={n}", "--dim", f"K={k}", "--dram", dram]
                own = cycles(simulate(str(ROOT / "examples/gemm_tensors.py"), *dims))
                hand = cycles(simulate("--workload", "gemm", *dims))
                ratios.append(own / hand)
            lines.append(
                f"  {kind:18} mean {statistics.mean(ratios):.3f}  median {statistics.median(ratios):.3f}"
                f"  worst {max(ratios):.3f}  best {min(ratios):.3f}"
            )


def measure_simulation(lines: list[str]) -> None:
    m, n, k = pl.dynamic("M"), pl.dynamic("N"), pl.dynamic("K")

    @pl.jit(target="npu:tpuv3")
    def matmul(a: pl.Tensor[[m, k], pl.FP32], b: pl.Tensor[[k, n], pl.FP32], c: pl.Out[pl.Tensor[[m, n], pl.FP32]]):
        c[:] = a @ b

    lines.append("a report on a call, twice simulated and written (ms, median of five)")
    for size in (512, 2048):
        a = np.zeros((size, size), np.float32)
        matmul(a, a)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            report = matmul.last_report
            times.append(time.perf_counter() - start)
        lines.append(f"  {size}^3: {statistics.median(times) * 1e3:.2f}, {report.cycles} cycles")


def main() -> None:
    lines: list[str] = []
    measure_compile(lines)
    measure_simulation(lines)
    measure_tiles(lines)
    text = "\n".join(lines) + "\n"
    print(text, end="")
    (ROOT / "bench/results/npu.txt").write_text(text)


main()
