# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares memory-bound kernels with PyTorch, Inductor and NumPy on one thread and on two.

    [THREADS=1] python bench/memory_bound.py [--threads 1] [--no-inductor] [--seconds 1] [KERNEL...]

Writes memory_bound.md, memory_bound-2-threads.md and memory_bound.svg to bench/results, if nothing is left out. A
ratio is the best rival's time / Tegula's time: above 1, Tegula is faster. Rivals may write into preallocated memory, as
we do.
`static` is the time of the same kernel with static extents over that of the one kernel for all sizes; both
write the same memory.
`of copy bandwidth` is the share of this machine's copy bandwidth at that size, counted in bytes that must be moved.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
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
PARSER.add_argument("--most", type=int, default=1 << 26, help="the largest number of elements")
PARSER.add_argument("--json", help="where the rows go")
OPTIONS = PARSER.parse_args()
set_threads(max(OPTIONS.threads, 1))

import numpy as np  # noqa: E402
import torch  # noqa: E402

SIZES = [(64, 127), (1000, 33), (512, 1024), (200, 5000), (4096, 1024), (8192, 8192)]
ATEN = torch.ops.aten


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


def layer_norm_into(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, y: torch.Tensor) -> None:
    mean, scale = torch.empty(len(x), 1), torch.empty(len(x), 1)
    ATEN.native_layer_norm.out(x, x.shape[1:], gamma[0], beta[0], 1e-5, out0=y, out1=mean, out2=scale)


def torch_rms_norm(x: torch.Tensor, gamma: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.rms_norm(x, x.shape[1:], gamma[0], 1e-6)


def swiglu_into(gate: torch.Tensor, up: torch.Tensor, y: torch.Tensor) -> None:
    ATEN.silu.out(gate, out=y)
    y.mul_(up)


HEAD = """
import tegula.language as pl
M = pl.dynamic("M")
N = pl.dynamic("N")
"""
ADD = """
@pl.jit
def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    z[:] = x + y
"""
TRANSPOSE = """
@pl.jit
def transpose(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]]):
    y[:] = pl.transpose(x)
"""


def example(name: str) -> str:
    return (EXAMPLES / f"{name}.py").read_text()


# Name of the kernel, its source, shapes of the inputs and of the result, PyTorch, the same into given memory, NumPy.
KERNELS: dict[str, tuple] = {
    "add": ("add", HEAD + ADD, ["MN", "MN"], "MN", torch.add, lambda x, y, z: torch.add(x, y, out=z), np.add),
    "silu": (
        "silu",
        example("silu"),
        ["MN"],
        "MN",
        torch.nn.functional.silu,
        lambda x, y: ATEN.silu.out(x, out=y),
        lambda x: x / (1 + np.exp(-x)),
    ),
    "gelu": (
        "gelu",
        example("gelu"),
        ["MN"],
        "MN",
        torch.nn.functional.gelu,
        lambda x, y: ATEN.gelu.out(x, out=y),
        None,
    ),
    "swiglu": (
        "swiglu",
        example("swiglu"),
        ["MN", "MN"],
        "MN",
        lambda g, u: torch.nn.functional.silu(g) * u,
        swiglu_into,
        lambda g, u: g / (1 + np.exp(-g)) * u,
    ),
    "softmax": (
        "softmax",
        example("softmax"),
        ["MN"],
        "MN",
        lambda x: torch.softmax(x, 1),
        lambda x, y: torch.softmax(x, 1, out=y),
        np_softmax,
    ),
    "layer_norm": (
        "layer_norm",
        example("layer_norm"),
        ["MN", "1N", "1N"],
        "MN",
        torch_layer_norm,
        layer_norm_into,
        np_layer_norm,
    ),
    "rms_norm": (
        "rms_norm_tensors",
        example("rms_norm_tensors"),
        ["MN", "1N"],
        "MN",
        torch_rms_norm,
        None,
        np_rms_norm,
    ),
    "transpose": (
        "transpose",
        HEAD + TRANSPOSE,
        ["MN"],
        "NM",
        lambda x: x.t().contiguous(),
        lambda x, y: y.copy_(x.t()),
        lambda x: np.ascontiguousarray(x.T),
    ),
}
PEERS = ["torch", "torch into", "Inductor", "NumPy"]
PAGE, LINE = 4096, 64


def memory(shape: list[int], number: int) -> np.ndarray:
    """A cache-line-aligned array, as PyTorch's are, at an offset in its page that no other array has: a load waits
    for a recent store at the same offset of another page (4K aliasing). Otherwise, which arrays alias would change
    from run to run.
    """
    count = math.prod(shape)
    room = np.empty(count + 2 * PAGE // 4, dtype=np.float32)
    start = -room.ctypes.data % PAGE + number * 17 * LINE % PAGE
    return room[start // 4 : start // 4 + count].reshape(shape)


def measure(label: str, rows: int, columns: int) -> dict[str, float]:
    """The least seconds of each rival, and the ratios."""
    name, text, shapes, result, by_torch, torch_into, by_numpy = KERNELS[label]
    extent = {"M": rows, "N": columns, "1": 1}
    random = np.random.default_rng(0)
    inputs = [memory([extent[axis] for axis in shape], number) for number, shape in enumerate(shapes)]
    for array in inputs:
        random.standard_normal(out=array, dtype=np.float32)
    tensors = [torch.from_numpy(array) for array in inputs]
    out, into = (memory([extent[axis] for axis in result], len(inputs)) for _ in range(2))
    copied = memory(list(inputs[0].shape), len(inputs))
    kernel = load_kernel(text, name)
    static = load_kernel(text, name, {"M": rows, "N": columns})
    rivals: dict[str, Callable[[], object]] = {
        "ours": lambda: kernel(*inputs, out),
        "static": lambda: static(*inputs, out),
        "torch": lambda: by_torch(*tensors),
        "copy": lambda: np.copyto(copied, inputs[0]),
    }
    if torch_into:
        given = torch.from_numpy(into)
        rivals["torch into"] = lambda: torch_into(*tensors, given)
    if by_numpy is np.add:
        rivals["NumPy"] = lambda: np.add(*inputs, out=copied)
    elif by_numpy:
        rivals["NumPy"] = lambda: by_numpy(*inputs)
    if not OPTIONS.no_inductor:
        # Static code for this size; a recompile for another size does not count.
        torch._dynamo.reset()
        compiled = torch.compile(by_torch, dynamic=False)
        rivals["Inductor"] = lambda: compiled(*tensors)
    best = least_times(rivals, OPTIONS.seconds, OPTIONS.threads)
    got, wanted = out, by_torch(*tensors).numpy()
    if not np.allclose(got, wanted, rtol=1e-4, atol=1e-5):
        sys.exit(f"{label} {rows}x{columns}: the result is wrong by {np.abs(got - wanted).max()}")
    moved = sum(array.nbytes for array in inputs) + out.nbytes
    return {
        **best,
        "ratio": min(best[peer] for peer in PEERS if peer in best) / best["ours"],
        "over static": best["static"] / best["ours"],
        "limit": best["copy"] * moved / (2 * copied.nbytes) / best["ours"],
    }


NOTE = """Times are µs per call. `best rival / Tegula` is the quotient of times: above 1, Tegula is faster.
`static / Tegula` is the time of the same kernel with static extents / that of the one kernel for all sizes.
`of copy bandwidth` is the share of this machine's copy bandwidth at that size."""


def measure_all() -> None:
    """All rows on one number of threads, as a table and as JSON."""
    torch.set_num_threads(OPTIONS.threads)
    times = [f"{name}, µs" for name in ("Tegula", *PEERS)]
    table = Table("kernel", "size", *times, "best rival / Tegula", "static / Tegula", "of copy bandwidth")
    found = {}
    for label in OPTIONS.kernels or KERNELS:
        for rows, columns in SIZES:
            if rows * columns > OPTIONS.most:
                continue
            row = measure(label, rows, columns)
            found[f"{label} {rows}x{columns}"] = row
            times = [row[name] * 1e6 if name in row else None for name in ("ours", *PEERS)]
            ratios = [f"{row[name]:.2f}" for name in ("ratio", "over static", "limit")]
            table.add(label, f"{rows}x{columns}", *times, *ratios)
    ratios = [row["ratio"] for row in found.values()]
    dynamic = [row["over static"] for row in found.values()]
    table.say("")
    table.say(
        f"Threads: {OPTIONS.threads}. Geometric mean of best rival / Tegula: {geometric_mean(ratios):.2f}, least "
        f"{min(ratios):.2f}; of static / Tegula: {geometric_mean(dynamic):.2f}, least {min(dynamic):.2f}."
    )
    if OPTIONS.json:
        Path(OPTIONS.json).write_text(json.dumps(found))
    if is_whole():
        command = f"bench/memory_bound.py --threads {OPTIONS.threads} --seconds {OPTIONS.seconds:g}"
        note = f"`{command}`, interleaved in one run.\n{NOTE}"
        write_results("memory_bound", "Memory-bound kernels", OPTIONS.threads, note, table.markdown())


def is_whole() -> bool:
    """True if nothing is left out."""
    return not OPTIONS.kernels and not OPTIONS.no_inductor and OPTIONS.most == PARSER.get_default("most")


def main() -> None:
    if OPTIONS.threads:
        return measure_all()
    ratios = {}
    words = sys.argv[1:]
    # One process per number of threads: libraries read it once.
    for threads in (1, 2):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            command = [sys.executable, __file__, *words, "--threads", str(threads), "--json", file.name]
            subprocess.run(command, check=True)
            rows = json.loads(Path(file.name).read_text())
        for label, row in rows.items():
            ratios.setdefault(label, {})["one thread" if threads == 1 else f"{threads} threads"] = row["ratio"]
    if is_whole():
        plot_ratios(
            RESULTS / "memory_bound.svg", "Best rival's time / Tegula's time; right of 1, Tegula is faster", ratios
        )
    return None


main()
