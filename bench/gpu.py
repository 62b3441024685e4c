# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on an NVIDIA GPU beside PyTorch, all taking turns in one run, results compared first.

    python bench/gpu.py build LIBRARIES            # where Tegula is: compiles examples for sm_90a
    python bench/gpu.py run LIBRARIES [KERNEL...]  # where the GPU is: needs torch and what `build` wrote

Prints a table: microseconds, the rival's time over ours (above 1 we lead), and the rate at which memory is read and
written, beside that of a copy. The libraries need nothing but the driver.
"""

import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = (
    "add_scalar",
    "silu",
    "gelu",
    "swiglu",
    "softmax",
    "rms_norm",
    "layer_norm",
    "gemm",
    "gemm_tensors",
    "gemm_bf16",
    "gemm_tensors_bf16",
    "flash_attention",
)
DTYPES = {"float32": 11, "bfloat16": 10, "float16": 9, "int32": 3, "int64": 4}


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in KERNELS:
        source = (ROOT / f"examples/{kernel.removesuffix('_bf16')}.py").read_text()
        if kernel.endswith("_bf16"):
            source = source.replace("DTYPE = pl.FP32", "DTYPE = pl.BF16")
        written = folder / f"{kernel}.py"
        written.write_text(source)
        target = folder / f"lib{kernel}.so"
        command = [ROOT / "build/bin/tegula", "build", written, "--target", "cuda:sm_90a", "-o", target]
        subprocess.run(command, check=True)


class Tensor(ctypes.Structure):
    """A TegulaTensor of the C interface."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    )


class Kernel:
    """A kernel in a library, called with tensors of PyTorch and numbers."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.function = getattr(ctypes.CDLL(str(folder / f"lib{name}.so")), name.removesuffix("_bf16"))

    def prepare(self, *arguments) -> Callable[[], None]:
        """A call that is ready, with nothing of Python left to do but to make it."""
        words, kept = [], []
        for argument in arguments:
            if isinstance(argument, float):
                words.append(ctypes.c_float(argument))
                continue
            axes = ctypes.c_int64 * argument.dim()
            sizes, strides = axes(*argument.shape), axes(*argument.stride())
            dtype = DTYPES[str(argument.dtype).removeprefix("torch.")]
            tensor = Tensor(argument.data_ptr(), dtype, argument.dim(), sizes, strides)
            kept.append((argument, sizes, strides, tensor))
            words.append(ctypes.byref(tensor))
        message = ctypes.create_string_buffer(1000)

        def call() -> None:
            if self.function(*words, message, ctypes.c_size_t(len(message))) != 0:
                raise RuntimeError(f"{self.name}: {message.value.decode()}")

        call.kept = kept
        return call


def microseconds(calls: dict[str, Callable[[], None]], rounds: int = 7) -> dict[str, float]:
    """The median time of each, all taking turns; each turn is as many calls as take some milliseconds."""
    import torch

    counts, times = {}, {name: [] for name in calls}

    def measure(call: Callable[[], None], count: int) -> float:
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(count):
            call()
        end.record()
        torch.cuda.synchronize()
        return 1000 * begin.elapsed_time(end) / count

    for name, call in calls.items():
        call()
        torch.cuda.synchronize()
        once = measure(call, 3)
        counts[name] = max(1, min(200, int(5000 / max(once, 1))))
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(measure(call, counts[name]))
    return {name: sorted(found)[len(found) // 2] for name, found in times.items()}


def cases(name: str) -> Iterator[tuple]:
    """Yields, for one kernel, a size, our arguments, the output among them, the rivals, and bytes or operations."""
    import torch
    import torch.nn.functional as nn

    make = lambda *shape, dtype=torch.float32: torch.randn(*shape, device="cuda", dtype=dtype)  # noqa: E731
    rows = [(1, 1), (3, 1031), (97, 129), (4096, 1000), (4096, 4096), (4096, 8192), (4096, 8191)]
    if name in ("add_scalar", "silu", "gelu", "softmax"):
        for m, n in rows:
            x = make(m, n)
            y = torch.empty_like(x)
            rival = {
                "add_scalar": lambda x=x: x + 1.5,
                "silu": lambda x=x: nn.silu(x),
                "gelu": lambda x=x: nn.gelu(x),
                "softmax": lambda x=x: torch.softmax(x, 1),
            }[name]
            numbers = (1.5,) if name == "add_scalar" else ()
            yield f"{m}x{n}", (x, *numbers, y), y, {"torch": rival}, 8 * m * n, 0
    elif name == "swiglu":
        for m, n in rows:
            gate, up, y = make(m, n), make(m, n), make(m, n)
            yield f"{m}x{n}", (gate, up, y), y, {"torch": lambda g=gate, u=up: nn.silu(g) * u}, 12 * m * n, 0
    elif name in ("rms_norm", "layer_norm"):
        for m, n in rows:
            x, gamma, beta, y = make(m, n), make(1, n), make(1, n), make(m, n)
            if name == "rms_norm":
                rival = lambda x=x, g=gamma: nn.rms_norm(x, x.shape[1:], g[0], 1e-6)  # noqa: E731
                yield f"{m}x{n}", (x, gamma, y), y, {"torch": rival}, 8 * m * n, 0
            else:
                rival = lambda x=x, g=gamma, b=beta: nn.layer_norm(x, x.shape[1:], g[0], b[0])  # noqa: E731
                yield f"{m}x{n}", (x, gamma, beta, y), y, {"torch": rival}, 8 * m * n, 0
    elif name in ("gemm", "gemm_tensors"):
        for m, n, k in [(1, 1, 1), (65, 129, 97), (256, 256, 256), (1024, 1024, 1024), (4096, 4096, 4096)]:
            a, b = make(m, k), make(k, n)
            c = torch.empty(m, n, device="cuda", dtype=torch.float32)
            yield f"{m}x{n}x{k}", (a, b, c), c, {"torch": lambda a=a, b=b: a @ b}, 0, 2 * m * n * k
    elif name in ("gemm_bf16", "gemm_tensors_bf16"):
        bf16 = torch.bfloat16
        products = [
            (1, 8, 8),
            (65, 136, 96),
            (64, 4096, 4096),
            (512, 4096, 14336),
            (1000, 4096, 4096),
            (4096, 4096, 4096),
            (4097, 4096, 4096),
            (8192, 8192, 8192),
            (16384, 4096, 4096),
            (4096, 14336, 4096),
            (3000, 3000, 3000),
            (513, 4097, 4097),
            (4096, 4096, 4097),
            (4097, 4097, 4096),
            (4097, 4097, 4097),
        ]
        for m, n, k in products if name == "gemm_bf16" else products[5:6]:
            a, b = make(m, k, dtype=bf16), make(k, n, dtype=bf16)
            c = torch.empty(m, n, device="cuda", dtype=torch.float32)
            yield f"{m}x{n}x{k}", (a, b, c), c, {"torch": lambda a=a, b=b: a @ b}, 0, 2 * m * n * k
    elif name == "flash_attention":
        for h, s in [(1, 1), (2, 333), (8, 1024), (32, 4096)]:
            q, k, v = (make(h, s, 64) for _ in range(3))
            o = torch.empty_like(q)
            rival = lambda q=q, k=k, v=v: nn.scaled_dot_product_attention(q, k, v, is_causal=True)  # noqa: E731
            yield f"{h}x{s}x64", (q, k, v, 0.125, o), o, {"torch": rival}, 0, 2 * h * s * s * 64


def run(folder: Path, names: list[str]) -> None:
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    print("| kernel | size | ours, µs | torch | torch / ours | GB/s | GFLOP/s | largest error |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names:
        try:
            kernel = Kernel(folder, name)
            for size, arguments, output, rivals, moved, operations in cases(name):
                output.fill_(float("nan"))
                call = kernel.prepare(*arguments)
                call()
                torch.cuda.synchronize()
                wanted = rivals["torch"]().float()
                error = ((output.float() - wanted).abs().max() / wanted.abs().max().clamp(min=1e-6)).item()
                times = microseconds({"ours": call, **rivals})
                ours = times["ours"]
                print(
                    f"| {name} | {size} | {ours:.1f} | {times['torch']:.1f} | {times['torch'] / ours:.2f} | "
                    f"{moved / ours / 1000:.0f} | {operations / ours / 1000:.0f} | {error:.1e} |",
                    flush=True,
                )
        except (OSError, RuntimeError) as problem:
            print(f"{name}: {problem}", flush=True)
    for bytes_ in (2**24, 2**26, 2**28):
        source = torch.empty(bytes_, dtype=torch.uint8, device="cuda")
        target = torch.empty_like(source)
        time = microseconds({"copy": lambda s=source, t=target: t.copy_(s)})["copy"]
        print(f"copy of {bytes_ >> 20} MiB: {2 * bytes_ / time / 1000:.0f} GB/s read and written")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    if sys.argv[1] == "build":
        build(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[2]), sys.argv[3:] or list(KERNELS))
