# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels that walk memory with PyTorch and NumPy on one thread; writes bench/results/walks.md.

    OMP_NUM_THREADS=1 python bench/walks.py [--inductor] [--seconds 0.3] [KERNEL...]

All rivals take turns in one process and the least time of each counts, so that what else runs on the machine hits all
of them. A ratio is the time of the best rival over ours: above 1 we lead. `static` is the time of the same kernel with
extents that are numbers over that of the one kernel for all sizes. `limit` is the share of the rate at which this
machine copies memory of that size, counted in bytes that must be moved.
"""

import argparse
import importlib.util
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TEGULA_CACHE", "off")

import numpy as np
import torch

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
SIZES = [(64, 127), (1000, 33), (512, 1024), (4096, 1024), (8192, 8192)]
SCRATCH = tempfile.TemporaryDirectory()
Rival = Callable[[], object]


def np_softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def np_layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5) * gamma + beta


def np_rms_norm(x: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * gamma


def torch_layer_norm(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[1:], gamma[0], beta[0], 1e-5)


def torch_rms_norm(x: torch.Tensor, gamma: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.rms_norm(x, x.shape[1:], gamma[0], 1e-6)


ADD = """
import tegula.language as pl
M = pl.dynamic("M")
N = pl.dynamic("N")
@pl.jit
def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    z[:] = x + y
"""
TRANSPOSE = """
import tegula.language as pl
M = pl.dynamic("M")
N = pl.dynamic("N")
@pl.jit
def transpose(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]]):
    y[:] = pl.transpose(x)
"""

# Name, source (a file of examples/ if it is one word), shapes of the inputs, shape of the result, PyTorch, NumPy.
KERNELS = {
    "add": (ADD, ["MN", "MN"], "MN", torch.add, np.add),
    "silu": ("silu", ["MN"], "MN", torch.nn.functional.silu, lambda x: x / (1 + np.exp(-x))),
    "gelu": ("gelu", ["MN"], "MN", torch.nn.functional.gelu, None),
    "swiglu": (
        "swiglu",
        ["MN", "MN"],
        "MN",
        lambda g, u: torch.nn.functional.silu(g) * u,
        lambda g, u: g / (1 + np.exp(-g)) * u,
    ),
    "softmax": ("softmax", ["MN"], "MN", lambda x: torch.softmax(x, 1), np_softmax),
    "layer_norm": ("layer_norm", ["MN", "1N", "1N"], "MN", torch_layer_norm, np_layer_norm),
    "rms_norm": ("rms_norm_tensors", ["MN", "1N"], "MN", torch_rms_norm, np_rms_norm),
    "transpose": (TRANSPOSE, ["MN"], "NM", lambda x: x.t().contiguous(), lambda x: np.ascontiguousarray(x.T)),
}


def least_times(rivals: dict[str, Rival], seconds: float) -> dict[str, float]:
    """Returns the least seconds of each, all taking turns for a while."""
    counts = {}
    for name, rival in rivals.items():
        rival()
        start = time.perf_counter()
        rival()
        counts[name] = max(1, int(2e-4 / max(1e-7, time.perf_counter() - start)))
    best = dict.fromkeys(rivals, math.inf)
    end = time.perf_counter() + seconds * len(rivals)
    rounds = 0
    while time.perf_counter() < end or rounds < 5:
        rounds += 1
        for name, rival in rivals.items():
            start = time.perf_counter()
            for _ in range(counts[name]):
                rival()
            best[name] = min(best[name], (time.perf_counter() - start) / counts[name])
    return best


def load(source: str, name: str, dims: dict[str, int] | None) -> Callable[..., object]:
    """The kernel of an example or a text; with extents that are numbers if they are given."""
    text = source if "\n" in source else (EXAMPLES / f"{source}.py").read_text()
    for dim, size in (dims or {}).items():
        text = text.replace(f'{dim} = pl.dynamic("{dim}")', f"{dim} = {size}")
    path = Path(SCRATCH.name) / f"{name}{'_'.join(map(str, (dims or {}).values()))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name if "\n" in source else source)


def measure(name: str, rows: int, columns: int, options: argparse.Namespace) -> dict[str, float]:
    source, shapes, result, by_torch, by_numpy = KERNELS[name]
    extent = {"M": rows, "N": columns, "1": 1}
    random = np.random.default_rng(0)
    inputs = [random.standard_normal([extent[axis] for axis in shape], dtype=np.float32) for shape in shapes]
    tensors = [torch.from_numpy(array) for array in inputs]
    out = np.empty([extent[axis] for axis in result], dtype=np.float32)
    kernel = load(source, name, None)
    static = load(source, name, {"M": rows, "N": columns})
    copied = np.empty_like(inputs[0])
    rivals = {
        "ours": lambda: kernel(*inputs, out),
        "static": lambda: static(*inputs, out),
        "torch": lambda: by_torch(*tensors),
        "copy": lambda: np.copyto(copied, inputs[0]),
    }
    if by_numpy:
        rivals["numpy"] = lambda: by_numpy(*inputs)
    if options.inductor:
        compiled = torch.compile(by_torch, dynamic=False)
        rivals["inductor"] = lambda: compiled(*tensors)
    best = least_times(rivals, options.seconds)
    got, wanted = out, by_torch(*tensors).numpy()
    if not np.allclose(got, wanted, rtol=1e-4, atol=1e-5):
        sys.exit(f"{name} {rows}x{columns}: the result is wrong by {np.abs(got - wanted).max()}")
    moved = sum(array.nbytes for array in inputs) + out.nbytes
    best["limit"] = best["copy"] * moved / (2 * copied.nbytes) / best["ours"]
    return best


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kernels", nargs="*", default=list(KERNELS))
    parser.add_argument("--inductor", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--most", type=int, default=1 << 26, help="the largest number of elements")
    options = parser.parse_args()
    torch.set_num_threads(1)
    lines = [
        "| kernel | size | ours, µs | torch | NumPy | Inductor | best / ours | static / ours | limit |",
        "|---|" + "---|" * 8,
    ]
    ratios = []
    for name in options.kernels or KERNELS:
        for rows, columns in SIZES:
            if rows * columns > options.most:
                continue
            best = measure(name, rows, columns, options)
            peers = [best[peer] for peer in ("torch", "numpy", "inductor") if peer in best]
            ratios.append(min(peers) / best["ours"])
            shown = [
                f"{best[peer] * 1e6:.4g}" if peer in best else "" for peer in ("ours", "torch", "numpy", "inductor")
            ]
            static = best["static"] / best["ours"]
            row = [name, f"{rows}x{columns}", *shown, f"{ratios[-1]:.2f}", f"{static:.2f}", f"{best['limit']:.2f}"]
            lines.append("| " + " | ".join(row) + " |")
            print(lines[-1], flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    lines += ["", f"Geometric mean of best / ours: {mean:.2f}; least {min(ratios):.2f}."]
    print(lines[-1])
    if len(options.kernels) == len(KERNELS):
        (ROOT / "bench/results/walks.md").write_text("\n".join(lines) + "\n")


main()
