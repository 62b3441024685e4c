# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures one compiled FP32 product at sixty sizes beside its peers on one thread, all taking turns in one run, and
the processor's peak beside them (`ninja -C build tegula-peak`). Prints a table and writes bench/results/products.md. A
peer that is not there is left out; OPENBLAS names a libopenblas. Sizes such as 64x64x64 (rows, columns, inner) may be
given."""

import ctypes
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from side_by_side import BUILD, EXAMPLES, RESULTS, geometric_mean, least_times, set_threads  # noqa: E402

set_threads(1)
sys.path.insert(0, str(EXAMPLES))

import gemm  # noqa: E402
import gemm_tensors  # noqa: E402
import numpy as np  # noqa: E402

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

SQUARES = [16, 32, 64, 96, 127, 128, 129, 192, 251, 256, 257, 384, 509, 512, 513, 768, 1021, 1024, 1536, 2048]
SHAPES = [(n, n, n) for n in SQUARES] + [
    # Tall, wide, deep.
    (4096, 64, 512), (2000, 48, 900), (4096, 128, 128), (1000, 96, 1000), (64, 4096, 512), (31, 1000, 777),
    (100, 4096, 1024), (64, 4099, 1031), (128, 2048, 128), (64, 64, 4096), (32, 32, 8192), (128, 128, 2048),
    (224, 256, 2048), (250, 1031, 1031), (1000, 777, 333), (511, 513, 509),
    # Primes, and one more or less than a tile.
    (17, 31, 13), (61, 67, 71), (113, 127, 131), (211, 223, 227), (13, 31, 64), (14, 32, 64), (15, 33, 64),
    (27, 63, 65), (28, 64, 64), (29, 65, 63), (223, 225, 1023),
    # Narrow.
    (1, 4096, 1024), (2, 4096, 1024), (4, 4096, 1024), (8, 1024, 1024), (14, 4096, 1024), (16, 4096, 1024),
    (17, 2049, 1031), (4096, 1, 512), (4096, 2, 512), (4096, 4, 512), (4096, 8, 512), (4096, 16, 512), (1, 1000, 1000),
]  # fmt: skip


def peak() -> Callable[[], object] | None:
    """Twenty-four million multiply-adds, or nothing if the library is not built."""
    for path in BUILD.glob("**/libtegula-peak.so"):
        step = ctypes.CDLL(str(path)).tegulaPeakStep
        step.argtypes, step.restype = [ctypes.c_int64, ctypes.c_float], ctypes.c_float
        return lambda: step(10_000, 0.5)
    return None


PEAK = peak()
PEAK_FLOPS = 10_000 * 24 * 16 * 2


def open_blas() -> Callable | None:
    path = os.environ.get("OPENBLAS")
    return ctypes.CDLL(path).cblas_sgemm if path else None


def measure(shape: tuple[int, int, int], blas: Callable | None, seconds: float) -> dict[str, float]:
    """GFLOP/s by name, and the peak's."""
    rows, columns, inner = shape
    random = np.random.default_rng(1)
    a = random.standard_normal((rows, inner), dtype=np.float32)
    b = random.standard_normal((inner, columns), dtype=np.float32)
    c, d, e, f = (np.empty((rows, columns), np.float32) for _ in range(4))
    actions: dict[str, Callable[[], object]] = {
        "tegula": lambda: gemm_tensors.gemm_tensors(a, b, c),
        "tegula tiles": lambda: gemm.gemm(a, b, d),
        "numpy": lambda: np.matmul(a, b, out=e),
    }
    if torch:
        x, y, z = torch.from_numpy(a), torch.from_numpy(b), torch.empty(rows, columns)
        actions["torch"] = lambda: torch.mm(x, y, out=z)
    if blas:
        one, none = ctypes.c_float(1), ctypes.c_float(0)
        p = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, f)]
        actions["openblas"] = lambda: blas(
            101, 111, 111, rows, columns, inner, one, p[0], inner, p[1], columns, none, p[2], columns
        )
    if PEAK:
        actions["peak"] = PEAK
    times = least_times(actions, seconds)
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    bound = 1e-6 * math.sqrt(inner) * 8
    for name, found in (("tegula", c), ("tegula tiles", d)):
        if not np.abs(found - wanted).max(initial=0) <= bound * max(1, np.abs(wanted).max(initial=0)):
            sys.exit(f"{name} is wrong at {shape}")
    flops = 2 * rows * columns * inner
    return {name: (PEAK_FLOPS if name == "peak" else flops) / found * 1e-9 for name, found in times.items()}


def main() -> None:
    shapes = [tuple(map(int, word.split("x"))) for word in sys.argv[1:]] or SHAPES
    seconds = float(os.environ.get("SECONDS_PER_SIZE", "0.5"))
    blas = open_blas()
    peers = ["numpy"] + ["torch"] * bool(torch) + ["openblas"] * bool(blas)
    names = ["tegula", "tegula tiles", *peers] + ["peak"] * bool(PEAK)
    lines = [
        f"| rows x columns x inner | {' | '.join(names)} | over the best peer |",
        "|---" * (len(names) + 2) + "|",
    ]
    print("\n".join(lines))
    ratios = []
    for shape in shapes:
        rates = measure(shape, blas, seconds)
        ratios.append(rates["tegula"] / max(rates[name] for name in peers))
        row = " | ".join(f"{rates[name]:.1f}" for name in names)
        lines.append(f"| {' x '.join(map(str, shape))} | {row} | {ratios[-1]:.2f} |")
        print(lines[-1], flush=True)
    mean = geometric_mean(ratios)
    lines.append(f"\nGFLOP/s on one thread; geometric mean {mean:.2f}, least {min(ratios):.2f} of {len(ratios)} sizes.")
    print(lines[-1])
    if len(sys.argv) == 1:
        (RESULTS / "products.md").write_text("\n".join(lines) + "\n")


main()
