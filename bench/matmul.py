# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares compiled matmuls with their peers on THREADS threads (1), interleaved in one run, and with a core's peak
(`ninja -C build tegula-peak`): FP32 at sixty sizes; BF16, INT8, FP16, FP32 with INT8 and INT4 weights,
and FP32 with bias, ReLU and residual at some. Prints tables and writes bench/results/matmul.md, or
matmul-2-threads.md. A peer that is not
installed is left out; OPENBLAS and ONEDNN name libraries that the system does not find. Kinds such as `bf16`, and sizes
such as 64x64x64 (rows, columns, inner), may be given. `Tegula / static` is the rate / that of the same kernel with
static extents."""

import ctypes
import ctypes.util
import math
import os
import sys
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parent))

from side_by_side import (  # noqa: E402
    BUILD,
    EXAMPLES,
    Action,
    Table,
    geometric_mean,
    least_times,
    load_kernel,
    set_threads,
    write_results,
)

THREADS = int(os.environ.get("THREADS", "1"))
set_threads(THREADS)
sys.path.insert(0, str(EXAMPLES))

import gemm  # noqa: E402
import gemm_tensors  # noqa: E402
import kernels_matmul  # noqa: E402
import numpy as np  # noqa: E402

try:
    import torch

    torch.set_num_threads(THREADS)
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
NARROW_SHAPES = [
    (64, 64, 64), (127, 127, 127), (256, 256, 256), (512, 512, 512), (1024, 1024, 1024), (511, 513, 509),
    (31, 1000, 777), (2000, 48, 900), (16, 4096, 1024), (1, 4096, 1024), (17, 31, 13), (61, 67, 71), (129, 129, 129),
    (192, 192, 192), (251, 251, 251), (384, 384, 384), (768, 768, 768), (4096, 64, 512), (2000, 16, 900),
    (64, 4096, 512), (100, 4096, 1024), (64, 64, 4096), (250, 1031, 1031), (4096, 128, 128), (1000, 96, 1000),
]  # fmt: skip
FEW_SHAPES = [(1, 4096, 1024), (16, 4096, 1024), (61, 67, 71), (128, 1024, 1024), (512, 512, 512), (1000, 777, 333)]


def peak() -> Action | None:
    """Twenty-four million multiply-adds, or nothing if the library is not built."""
    for path in BUILD.glob("**/libtegula-peak.so"):
        step = ctypes.CDLL(str(path)).tegulaPeakStep
        step.argtypes, step.restype = [ctypes.c_int64, ctypes.c_float], ctypes.c_float
        return lambda: step(10_000, 0.5)
    return None


PEAK = peak()
PEAK_FLOPS = 10_000 * 24 * 16 * 2


def find_library(name: str, variable: str) -> ctypes.CDLL | None:
    path = os.environ.get(variable) or ctypes.util.find_library(name)
    return ctypes.CDLL(path) if path else None


OPEN_BLAS = find_library("openblas", "OPENBLAS")
ONE_DNN = find_library("dnnl", "ONEDNN")


def address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class Matmul:
    """The operands of a matmul, and its implementations."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.shape = self.rows, self.columns, self.inner = shape
        self.random = np.random.default_rng(1)
        self.ours: dict[str, np.ndarray] = {}
        self.results: list[np.ndarray] = []
        self.actions: dict[str, Action] = {}
        self.make()

    def result(self, dtype: type) -> np.ndarray:
        """Memory for the result, alive as long as this object."""
        self.results.append(np.empty((self.rows, self.columns), dtype))
        return self.results[-1]

    def compute(self, module: ModuleType, kernel: str, *operands: object, dtype: type, name: str = "tegula") -> None:
        """Adds the kernel of a module; `tegula` also with static extents. Both write the same memory:
        its address may matter more than static extents."""
        kernels = {name: getattr(module, kernel)}
        if name == "tegula":
            extents = dict(zip("MNK", self.shape, strict=True))
            kernels["static"] = load_kernel(Path(module.__file__).read_text(), kernel, extents)
        out = self.result(dtype)
        for each, call in kernels.items():
            self.ours[each] = out
            self.actions[each] = lambda call=call: call(*operands, out)

    def normal(self, rows: int, columns: int) -> np.ndarray:
        return self.random.standard_normal((rows, columns), dtype=np.float32)

    def expect(self, wanted: np.ndarray) -> None:
        self.wanted = wanted
        self.bound = 8e-6 * math.sqrt(self.inner) * max(1, np.abs(wanted).max(initial=0))

    def sizes(self) -> list[ctypes.c_int64]:
        return [ctypes.c_int64(size) for size in self.shape]


class Fp32(Matmul):
    def make(self) -> None:
        a, b = self.normal(self.rows, self.inner), self.normal(self.inner, self.columns)
        self.expect(a.astype(np.float64) @ b.astype(np.float64))
        self.compute(gemm_tensors, "gemm_tensors", a, b, dtype=np.float32)
        self.compute(gemm, "gemm", a, b, dtype=np.float32, name="tegula tiles")
        c = self.result(np.float32)
        self.actions["numpy"] = lambda: np.matmul(a, b, out=c)
        if torch:
            x, y, z = torch.from_numpy(a), torch.from_numpy(b), torch.empty(self.rows, self.columns)
            self.actions["torch"] = lambda: torch.mm(x, y, out=z)
        m, n, k = self.sizes()
        one, none = ctypes.c_float(1), ctypes.c_float(0)
        if OPEN_BLAS:
            d, sgemm = self.result(np.float32), OPEN_BLAS.cblas_sgemm
            given = (*self.shape, one, address(a), self.inner, address(b), self.columns, none, address(d), self.columns)
            self.actions["openblas"] = lambda: sgemm(101, 111, 111, *given)
        if ONE_DNN:
            e, plain = self.result(np.float32), ctypes.c_char(b"N")
            words = (plain, plain, m, n, k, one, address(a), k, address(b), n, none, address(e), n)
            self.actions["onednn"] = lambda: ONE_DNN.dnnl_sgemm(*words)


class Bf16(Matmul):
    """Ours gives FP32, PyTorch the type of the operands."""

    kind, kernel = torch and torch.bfloat16, "bf16"

    def make(self) -> None:
        x, y = (
            torch.from_numpy(self.normal(*shape)).to(self.kind)
            for shape in ((self.rows, self.inner), (self.inner, self.columns))
        )
        self.expect((x.double() @ y.double()).numpy())
        self.compute(kernels_matmul, self.kernel, x, y, dtype=np.float32)
        z = torch.empty(self.rows, self.columns, dtype=self.kind)
        self.actions["torch"] = lambda: torch.mm(x, y, out=z)


class Fp16(Bf16):
    kind, kernel = torch and torch.float16, "fp16"


class Weights8(Matmul):
    """PyTorch widens the weights first."""

    def make(self) -> None:
        a = self.normal(self.rows, self.inner)
        b = self.random.integers(-128, 128, (self.inner, self.columns), np.int8)
        self.expect(a.astype(np.float64) @ b.astype(np.float64))
        self.compute(kernels_matmul, "weights8", a, b, dtype=np.float32)
        x, y, z = torch.from_numpy(a), torch.from_numpy(b), torch.empty(self.rows, self.columns)
        self.actions["torch"] = lambda: torch.mm(x, y.float(), out=z)


class Weights4(Matmul):
    """Two weights in a byte; PyTorch unpacks and widens them first."""

    def make(self) -> None:
        a = self.normal(self.rows, self.inner)
        b = self.random.integers(-8, 8, (self.inner, self.columns), np.int8)
        self.expect(a.astype(np.float64) @ b.astype(np.float64))
        packed = (b[:, ::2].view(np.uint8) & 15) | (b[:, 1::2].view(np.uint8) << 4)
        self.compute(kernels_matmul, "weights4", a, packed, dtype=np.float32)
        x, y, z = torch.from_numpy(a), torch.from_numpy(packed.view(np.int8)), torch.empty(self.rows, self.columns)

        def widen_and_multiply() -> None:
            torch.mm(x, torch.stack([y << 4 >> 4, y >> 4], -1).reshape(self.inner, self.columns).float(), out=z)

        self.actions["torch"] = widen_and_multiply


class Epilogue(Matmul):
    """With a bias, ReLU and a residual."""

    def make(self) -> None:
        a, b = self.normal(self.rows, self.inner), self.normal(self.inner, self.columns)
        bias, residual = self.normal(1, self.columns), self.normal(self.rows, self.columns)
        self.expect(np.maximum(a.astype(np.float64) @ b.astype(np.float64) + bias, 0) + residual)
        self.compute(kernels_matmul, "epilogue", a, b, bias, residual, dtype=np.float32)
        x, y, line, rest = map(torch.from_numpy, (a, b, bias, residual))
        z = torch.empty(self.rows, self.columns)
        self.actions["torch"] = lambda: torch.addmm(line, x, y, out=z).relu_().add_(rest)


class Int8(Matmul):
    def make(self) -> None:
        a = self.random.integers(-128, 128, (self.rows, self.inner), np.int8)
        b = self.random.integers(-128, 128, (self.inner, self.columns), np.int8)
        self.wanted = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.int64)
        self.bound = 0
        self.compute(kernels_matmul, "int8", a, b, dtype=np.int32)
        # PyTorch needs at least as many rows.
        if torch and self.rows > 16:
            x, y = torch.from_numpy(a), torch.from_numpy(b)
            z = torch.empty(self.rows, self.columns, dtype=torch.int32)
            self.actions["torch"] = lambda: torch._int_mm(x, y, out=z)
        if ONE_DNN:
            m, n, k = self.sizes()
            c, offset = self.result(np.int32), ctypes.c_int32(0)
            plain, fixed, none = ctypes.c_char(b"N"), ctypes.c_char(b"F"), ctypes.c_int8(0)
            one, zero = ctypes.c_float(1), ctypes.c_float(0)
            words = (plain, plain, fixed, m, n, k, one, address(a), k, none, address(b), n, none, zero)
            rest = (address(c), n, ctypes.byref(offset))
            self.actions["onednn"] = lambda: ONE_DNN.dnnl_gemm_s8s8s32(*words, *rest)


KINDS = {
    "fp32": (Fp32, SHAPES),
    "bf16": (Bf16, NARROW_SHAPES),
    "int8": (Int8, NARROW_SHAPES),
    "fp16": (Fp16, FEW_SHAPES),
    "weights8": (Weights8, FEW_SHAPES),
    "weights4": (Weights4, [shape for shape in FEW_SHAPES if shape[1] % 2 == 0]),
    "epilogue": (Epilogue, FEW_SHAPES),
}


def measure(matmul: Matmul, seconds: float) -> dict[str, float]:
    """GFLOP/s by name, and the peak's."""
    actions = dict(matmul.actions)
    if PEAK:
        actions["peak"] = PEAK
    times = least_times(actions, seconds, THREADS)
    for name, found in matmul.ours.items():
        found.fill(-1)
        matmul.actions[name]()
        if not np.abs(found - matmul.wanted).max(initial=0) <= matmul.bound:
            sys.exit(f"{name} is wrong at {matmul.shape}")
    flops = 2 * math.prod(matmul.shape)
    return {name: (PEAK_FLOPS if name == "peak" else flops) / found * 1e-9 for name, found in times.items()}


NOTE = """`bench/matmul.py`, interleaved in one run. Rates are GFLOP/s: more is faster. `Tegula / best rival` is the
quotient of rates: above 1, Tegula is faster. `tegula` is written on whole tensors, `tegula tiles` on tiles; `peak` is
what a core can do. `Tegula / static` is the rate / that of the same kernel with static extents."""


def measure_kind(kind: str, shapes: list[tuple[int, int, int]], seconds: float) -> str:
    made = KINDS[kind][0]
    peers = ["numpy"] * (kind == "fp32") + ["torch"] * bool(torch)
    peers += ["openblas"] * (kind == "fp32" and OPEN_BLAS is not None)
    peers += ["onednn"] * (kind in ("fp32", "int8") and ONE_DNN is not None)
    names = ["tegula", *(["tegula tiles"] if kind == "fp32" else []), *peers, *(["peak"] if PEAK else [])]
    table = Table(f"{kind.upper()}: rows x columns x inner", *names, "Tegula / best rival", "Tegula / static")
    ratios, over_static = [], []
    for shape in shapes:
        rates = measure(made(shape), seconds)
        best = max((rates[name] for name in peers if name in rates), default=None)
        if best:
            ratios.append(rates["tegula"] / best)
        shown = f"{ratios[-1]:.2f}" if best else ""
        over_static.append(rates["tegula"] / rates["static"])
        table.add(" x ".join(map(str, shape)), *(rates.get(name) for name in names), shown, f"{over_static[-1]:.2f}")
    mean = f"geometric mean {geometric_mean(ratios):.2f}, least {min(ratios):.2f} of {len(ratios)} sizes"
    mean += f"; Tegula / static: {geometric_mean(over_static):.2f}, least {min(over_static):.2f}"
    table.say(f"\nGFLOP/s on {THREADS} thread{'s' * (THREADS > 1)}; {mean}.\n")
    return table.markdown()


def main() -> None:
    seconds = float(os.environ.get("SECONDS_PER_SIZE", "0.5"))
    given = [tuple(map(int, word.split("x"))) for word in sys.argv[1:] if word[0].isdigit()]
    kinds = [word for word in sys.argv[1:] if word in KINDS] or list(KINDS)
    if torch is None:
        kinds = [kind for kind in kinds if kind in ("fp32", "int8")]
    tables = [measure_kind(kind, given or KINDS[kind][1], seconds) for kind in kinds]
    if len(sys.argv) == 1:
        write_results("matmul", "Matmul", THREADS, NOTE, "\n".join(tables))


main()
