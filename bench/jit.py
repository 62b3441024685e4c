# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `@pl.jit` with its peers from Python, in one run: warm calls, cold compiles, a second process, and how
often each compiles for a hundred sizes. Prints tables and writes bench/results/jit.md. A peer that is not installed is
left out; bench/requirements.txt has them all."""

import importlib.util
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

# The compilers are measured, not their caches.
os.environ["TEGULA_CACHE"] = "off"
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(os.environ.get("TEGULA_PYTHON", ROOT / "build/python"))
RESULTS = ROOT / "bench/results"
sys.path[:0] = [str(PACKAGE), str(ROOT / "bench")]

import kernels_jit  # noqa: E402
import numpy as np  # noqa: E402

has = {name: importlib.util.find_spec(name) is not None for name in ("torch", "jax", "numba", "tvm_ffi")}
if has["torch"]:
    import torch


def medians(actions: dict[str, Callable[[], object]], rounds: int = 21, calls: int = 5000) -> dict[str, float]:
    """Median nanoseconds per call; the actions are interleaved, so that noise affects all of them."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            start = time.perf_counter()
            for _ in range(calls):
                action()
            times[name].append((time.perf_counter() - start) / calls * 1e9)
    empty = min(times.pop("(loop)", [0.0]))
    return {name: statistics.median(samples) - empty for name, samples in times.items()}


def warm_calls() -> list[tuple[str, ...]]:
    add = kernels_jit.make_add()
    x, y, out = (np.ones((4, 8), np.float32) for _ in range(3))
    add(x, y, out)
    actions: dict[str, Callable[[], object]] = {
        "(loop)": lambda: None,
        "tegula, numpy arrays": lambda: add(x, y, out),
        "numpy.add(x, y, out=)": lambda: np.add(x, y, out=out),
    }
    if has["torch"]:
        a, b, c = (torch.ones(4, 8) for _ in range(3))
        actions["tegula, torch tensors"] = lambda: add(a, b, c)
        actions["torch.add(x, y, out=)"] = lambda: torch.add(a, b, out=c)
    if has["numba"]:
        import numba

        @numba.njit
        def numba_add(x, y, out):
            for i in range(x.shape[0]):
                for j in range(x.shape[1]):
                    out[i, j] = x[i, j] + y[i, j]

        numba_add(x, y, out)
        actions["numba.njit, numpy arrays"] = lambda: numba_add(x, y, out)
    if has["jax"]:
        import jax

        jax_add = jax.jit(lambda x, y: x + y)
        u, v = jax.numpy.ones((4, 8)), jax.numpy.ones((4, 8))
        jax_add(u, v).block_until_ready()
        actions["jax.jit, jax arrays"] = lambda: jax_add(u, v)
    if has["tvm_ffi"] and has["torch"]:
        call = tvm_function()
        if call:
            actions["tvm-ffi function, torch tensors"] = lambda: call(a, b, c)
    found = medians(actions)
    torch_add = found.get("torch.add(x, y, out=)")
    return [
        (name, f"{time_ns:.0f} ns", f"{time_ns / torch_add:.2f}" if torch_add else "")
        for name, time_ns in found.items()
    ]


def tvm_function() -> Callable[..., object] | None:
    """The same addition through tvm-ffi; None if it cannot be built here."""
    import tvm_ffi.cpp

    source = """
    #include <tvm/ffi/container/tensor.h>
    void add(tvm::ffi::TensorView x, tvm::ffi::TensorView y, tvm::ffi::TensorView out) {
      const float *a = static_cast<const float *>(x.data_ptr());
      const float *b = static_cast<const float *>(y.data_ptr());
      float *c = static_cast<float *>(out.data_ptr());
      int64_t count = x.size(0) * x.size(1);
      for (int64_t i = 0; i < count; ++i) c[i] = a[i] + b[i];
    }
    """
    try:
        return tvm_ffi.cpp.load_inline(name="bench_add", cpp_sources=source, functions="add").add
    except Exception as error:  # whatever its tool chain lacks here
        print(f"tvm-ffi is left out: {type(error).__name__}: {str(error).splitlines()[0]}")
        return None


def flat_calls() -> list[tuple[str, ...]]:
    """Calls of a kernel with a thousand variants, and of kernels with one, at the same sizes."""
    import tegula

    arrays = [(np.ones(size, np.float32), np.empty(size, np.float32)) for size in range(1, 1001)]
    small, middle = arrays[0], arrays[500]
    alone_small, alone_middle, many = (kernels_jit.make_open() for _ in range(3))
    any_size = kernels_jit.make_open_dynamic()
    alone_small(*small)
    alone_middle(*middle)
    with tempfile.TemporaryDirectory() as folder, tegula.config(cache="on", cache_dir=folder):
        for pair in arrays:
            many(*pair)
            any_size(*pair)
    pairs, same_pairs = iter(arrays * 200), iter(arrays * 200)
    found = medians(
        {
            "(loop)": lambda: None,
            "1 element, one variant": lambda: alone_small(*small),
            "1 element, 1,000 variants": lambda: many(*small),
            "501 elements, one variant": lambda: alone_middle(*middle),
            "501 elements, 1,000 variants": lambda: many(*middle),
            "all sizes in turn, one variant for all": lambda: any_size(*next(same_pairs)),
            "all sizes in turn, 1,000 variants": lambda: many(*next(pairs)),
        },
        calls=2000,
    )
    times = list(found.items())
    rows = []
    for (one, alone), (other, crowded) in zip(times[::2], times[1::2], strict=True):
        rows += [(one, f"{alone:.0f} ns", ""), (other, f"{crowded:.0f} ns", f"{crowded / alone:.2f}")]
    return rows


def cold_inputs(name: str) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    count = 2 if name == "gemm" else 1
    return [rng.standard_normal((64, 64), dtype=np.float32) for _ in range(count)]


def time_cold(make: Callable[[], Callable[..., object]], arguments: list, rounds: int) -> float:
    """Median milliseconds from a function to its first result, in a process that has compiled before."""
    times = []
    for _ in range(rounds + 1):
        function = make()
        start = time.perf_counter()
        function(*arguments)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times[1:])


def numba_makers() -> dict[str, Callable[[], Callable[..., object]]]:
    import numba

    def silu(x, out):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                out[i, j] = x[i, j] / (np.float32(1) + np.exp(-x[i, j]))

    def softmax(x, out):
        for i in range(x.shape[0]):
            most = x[i].max()
            total = np.float32(0)
            for j in range(x.shape[1]):
                out[i, j] = np.exp(x[i, j] - most)
                total += out[i, j]
            for j in range(x.shape[1]):
                out[i, j] /= total

    def gemm(x, y, out):
        for i in range(x.shape[0]):
            for j in range(y.shape[1]):
                total = np.float32(0)
                for k in range(x.shape[1]):
                    total += x[i, k] * y[k, j]
                out[i, j] = total

    return {name: lambda function=function: numba.njit(function) for name, function in locals().items() if name in COLD}


COLD = {"silu": 50, "softmax": 80, "gemm": 200}


def cold_compiles() -> list[tuple[str, ...]]:
    numba_of = numba_makers() if has["numba"] else {}
    rows = []
    for name, limit in COLD.items():
        arrays = cold_inputs(name)
        out = np.empty((64, 64), np.float32)
        ours = time_cold(getattr(kernels_jit, f"make_{name}"), [*arrays, out], 9)
        row = [name, f"{ours:.0f} ms", f"{limit} ms"]
        if has["torch"]:
            theirs = time_cold(lambda name=name: torch_maker(name), [torch.from_numpy(a) for a in arrays], 3)
            row.append(f"{theirs:.0f} ms ({theirs / ours:.1f}x)")
        if has["numba"]:
            theirs = time_cold(numba_of[name], [*arrays, out], 3)
            row.append(f"{theirs:.0f} ms ({theirs / ours:.1f}x)")
        rows.append(tuple(row))
    return rows


TORCH_FUNCTIONS = {
    "silu": lambda x: x / (1 + torch.exp(-x)),
    "softmax": lambda x: torch.softmax(x, dim=1),
    "gemm": lambda x, y: x @ y,
}


def torch_maker(name: str) -> Callable[..., object]:
    torch._dynamo.reset()
    return torch.compile(TORCH_FUNCTIONS[name], dynamic=True)


def hundred_sizes() -> list[tuple[str, ...]]:
    """How often each compiles for the same hundred sizes."""
    silu = kernels_jit.make_silu()
    sizes = [(1 + 7 * i % 61, 1 + 13 * i % 89) for i in range(100)]
    arrays = [np.ones(size, np.float32) for size in sizes]
    for x in arrays:
        silu(x, np.empty_like(x))
    rows = [("tegula", str(silu.compile_count))]
    if has["torch"]:
        from torch._dynamo.testing import CompileCounterWithBackend

        for dynamic in (True, None):
            torch._dynamo.reset()
            torch._dynamo.config.recompile_limit = 200
            counter = CompileCounterWithBackend("eager")
            function = torch.compile(TORCH_FUNCTIONS["silu"], dynamic=dynamic, backend=counter)
            for x in arrays:
                function(torch.from_numpy(x))
            rows.append((f"torch.compile(dynamic={dynamic})", str(counter.frame_count)))
    if has["jax"]:
        import jax

        function = jax.jit(lambda x: x / (1 + jax.numpy.exp(-x)))
        for x in arrays:
            function(x)
        rows.append(("jax.jit", str(function._cache_size())))
    if has["numba"]:
        function = numba_makers()["silu"]()
        for x in arrays:
            function(x, np.empty_like(x))
        rows.append(("numba.njit", str(len(function.signatures))))
    return rows


SECOND_PROCESS = """
import time
start = time.perf_counter()
import tegula
import tegula.language as pl
imported = time.perf_counter()
import numpy as np
import kernels_jit
add = kernels_jit.make_add()
x = np.ones((4, 8), np.float32)
out = np.empty_like(x)
before = time.perf_counter()
add(x, x, out)
print((imported - start) * 1e3, (time.perf_counter() - before) * 1e3)
"""


def second_process() -> list[tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TEGULA_CACHE": "on", "TEGULA_CACHE_DIR": folder}
        environment["PYTHONPATH"] = os.pathsep.join([str(PACKAGE), str(ROOT / "bench")])
        found = []
        for _ in range(16):
            done = subprocess.run(
                [sys.executable, "-c", SECOND_PROCESS], env=environment, check=True, capture_output=True, text=True
            )
            found.append([float(word) for word in done.stdout.split()])
    cold, *warm = found
    imports, calls = (statistics.median(column) for column in zip(*warm, strict=True))
    return [
        ("import tegula", f"{imports:.1f} ms", "80 ms"),
        ("first call, kernel on disk", f"{calls:.2f} ms", "5 ms"),
        ("first call, nothing on disk", f"{cold[1]:.0f} ms", ""),
    ]


def table(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [f"## {title}", "", "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    text = "\n".join(lines) + "\n"
    print(text, flush=True)
    return text


def main() -> None:
    versions = []
    for name in ("numpy", "torch", "jax", "numba", "tvm_ffi"):
        if importlib.util.find_spec(name):
            module = importlib.import_module(name)
            versions.append(f"{name} {getattr(module, '__version__', '')}".strip())
    cold_head = ["kernel", "tegula", "limit"]
    cold_head += ["torch.compile(dynamic=True)"] * has["torch"] + ["numba.njit"] * has["numba"]
    parts = [
        table(
            "Warm call, three tensors of 4 x 8", ("call", "median", "time / torch.add's: below 1, faster"), warm_calls()
        ),
        table("A second process", ("what", "median", "limit"), second_process()),
        table("Compiles for 100 sizes", ("compiler", "compiles"), hundred_sizes()),
        table("Cold, first call in a running process", tuple(cold_head), cold_compiles()),
        table(
            "Warm calls and the number of variants", ("call", "median", "time / that with one variant"), flat_calls()
        ),
    ]
    head = f"# `@pl.jit` from Python\n\n{platform.processor() or platform.machine()}, {os.cpu_count()} cores; "
    (RESULTS / "jit.md").write_text(head + ", ".join(versions) + ".\n\n" + "\n".join(parts))


main()
