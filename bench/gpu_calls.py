# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the host's overhead of a call on an NVIDIA GPU, and the time of a first call, with PyTorch, CuPy and Triton
interleaved in one run. Needs Tegula's Python package, torch and a GPU.

    python bench/gpu_calls.py
"""

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch

import tegula.language as pl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

N = pl.dynamic("N")


@pl.jit
def add(a: pl.Tensor[[N], pl.FP32], b: pl.Tensor[[N], pl.FP32], c: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    for i in pl.parallel(0, N, 1024):
        c[i : i + 1024] = a[i : i + 1024] + b[i : i + 1024]


def bare_launches() -> dict[str, Callable[[int], float]]:
    """The driver's own launches of an empty kernel with four parameters."""
    driver = ctypes.CDLL("libcuda.so.1")
    names = b", ".join(b".param .u64 " + name for name in (b"a", b"b", b"c", b"n"))
    text = b".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry f(" + names + b") { ret; }\0"
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert driver.cuModuleLoadData(ctypes.byref(module), text) == 0
    assert driver.cuModuleGetFunction(ctypes.byref(function), module, b"f") == 0
    values = [ctypes.c_uint64() for _ in range(4)]
    parameters = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))
    # Keeps them alive.
    parameters.values = values
    source = r"""
    #include <time.h>
    static double now(void) {
      struct timespec time;
      clock_gettime(CLOCK_MONOTONIC, &time);
      return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
    }
    typedef unsigned U;
    typedef int (*Launch)(void *, U, U, U, U, U, U, U, void *, void **, void **);
    double plain(Launch launch, void *function, void **parameters, int count) {
      double begin = now();
      for (int i = 0; i < count; ++i) launch(function, 1, 1, 1, 128, 1, 1, 0, 0, parameters, 0);
      return (now() - begin) / count;
    }
    typedef struct { int id, pad; unsigned words[16]; } Attribute;
    typedef struct { U blocks[3], threads[3], shared; void *stream; Attribute *attributes; U count; } Config;
    typedef int (*LaunchEx)(const Config *, void *, void **, void **);
    double overlapping(LaunchEx launch, void *function, void **parameters, int count) {
      double begin = now();
      for (int i = 0; i < count; ++i) {
        Attribute attribute = {6, 0, {1}};
        Config config = {{1, 1, 1}, {128, 1, 1}, 0, 0, &attribute, 1};
        launch(&config, function, parameters, 0);
      }
      return (now() - begin) / count;
    }
    """
    folder = tempfile.mkdtemp()
    Path(folder, "measure.c").write_text(source)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"{folder}/measure.c", "-o", f"{folder}/measure.so"], check=True)
    library = ctypes.CDLL(f"{folder}/measure.so")

    def measured(loop: Callable[..., float], launch: object) -> Callable[[int], float]:
        loop.restype = ctypes.c_double
        address = ctypes.cast(launch, ctypes.c_void_p)
        return lambda count: loop(address, function, parameters, ctypes.c_int(count))

    return {
        "cuLaunchKernel": measured(library.plain, driver.cuLaunchKernel),
        "cuLaunchKernelEx, may overlap": measured(library.overlapping, driver.cuLaunchKernelEx),
    }


def host_time(call: Callable[[], object]) -> Callable[[int], float]:
    def microseconds(count: int) -> float:
        begin = time.perf_counter()
        for _ in range(count):
            call()
        return 1e6 * (time.perf_counter() - begin) / count

    return microseconds


def rivals(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> dict[str, Callable[[int], float]]:
    found = {"torch.add(out=)": host_time(lambda: torch.add(a, b, out=c))}
    try:
        import cupy

        raw = cupy.RawKernel(
            'extern "C" __global__ void add(const float *a, const float *b, float *c, long n) '
            "{ long i = blockIdx.x * 256 + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }",
            "add",
        )
        ca, cb, cc = (cupy.from_dlpack(each) for each in (a, b, c))
        found["CuPy RawKernel"] = host_time(lambda: raw((4,), (256,), (ca, cb, cc, ca.size)))
        out = cupy.zeros_like(ca)
        found["Tegula, arrays of CuPy"] = host_time(lambda: add(ca, cb, out))
    except ImportError:
        print("no CuPy here")
    try:
        import triton_add

        found["Triton"] = host_time(lambda: triton_add.run(a, b, c))
    except ImportError:
        print("no Triton here")
    return found


def main() -> None:
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}\n")
    a, b, c = (torch.randn(1000, device="cuda") for _ in range(3))
    add(a, b, c)
    calls = {**bare_launches(), "Tegula": host_time(lambda: add(a, b, c)), **rivals(a, b, c)}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for measure in calls.values():
        measure(100)
    torch.cuda.synchronize()
    for _ in range(31):
        for name, measure in calls.items():
            times[name].append(measure(200))
            torch.cuda.synchronize()
    print("| a warm call of three tensors | host, us |\n|---|---|")
    for name, found in times.items():
        print(f"| {name} | {sorted(found)[len(found) // 2]:.2f} |")
    measure_cold()


FIRST = """
import sys, time
import torch
torch.zeros(1, device="cuda")
sys.path.insert(0, {examples!r})
import {module}
import tegula
arguments = [{arguments}]
begin = time.perf_counter()
{module}.{kernel}(*arguments)
torch.cuda.synchronize()
print(1000 * (time.perf_counter() - begin))
"""
COLD = {
    "add_scalar": 'torch.randn(64, 64, device="cuda"), 1.0, torch.zeros(64, 64, device="cuda")',
    "softmax": 'torch.randn(64, 64, device="cuda"), torch.zeros(64, 64, device="cuda")',
    "gemm": ", ".join(['torch.zeros(64, 64, device="cuda", dtype=torch.bfloat16)'] * 2)
    + ', torch.zeros(64, 64, device="cuda")',
    "flash_attention": ", ".join(['torch.zeros(2, 64, 64, device="cuda")'] * 3)
    + ', 0.125, torch.zeros(2, 64, 64, device="cuda")',
}


def measure_cold() -> None:
    print("\n| first call | compiled, ms | from the cache on disk, ms |\n|---|---|---|")
    for name, arguments in COLD.items():
        folder = tempfile.mkdtemp()
        source = (Path(__file__).resolve().parent.parent / f"examples/{name}.py").read_text()
        if "bfloat16" in arguments:
            source = source.replace("DTYPE = pl.FP32", "DTYPE = pl.BF16")
        Path(folder, f"{name}.py").write_text(source)
        text = FIRST.format(examples=folder, module=name, kernel=name, arguments=arguments)
        environment = {**os.environ, "TEGULA_CACHE_DIR": f"{folder}/cache"}
        runs = [
            subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True)
            for _ in range(3)
        ]
        for run in runs:
            if run.returncode:
                print(name, run.stderr[-2000:])
        cold, *warm = [float(run.stdout or "nan") for run in runs]
        print(f"| {name} | {cold:.0f} | {min(warm):.1f} |")


if __name__ == "__main__":
    main()
