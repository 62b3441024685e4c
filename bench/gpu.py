# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels on an NVIDIA GPU with PyTorch, interleaved in one run, after a comparison of results.

    python bench/gpu.py build LIBRARIES [KERNEL...]  # where Tegula is: compiles examples for sm_90a
    python bench/gpu.py run LIBRARIES [KERNEL...]    # where the GPU is: needs torch and the output of `build`

Prints a table: microseconds, the rival's time / Tegula's time (above 1, Tegula is faster), and the memory bandwidth,
next to that of a copy. The libraries need only the driver. Sorts and the like are also compared with a library
`libKERNEL_before.so` of another build, where there is one.
"""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import gpu_sorts

if TYPE_CHECKING:
    import torch

ROOT = Path(__file__).resolve().parent.parent
KERNELS = (
    "add_scalar",
    "silu",
    "gelu",
    "swiglu",
    "softmax",
    "rms_norm",
    "rms_norm_tensors",
    "layer_norm",
    "softmax_bf16",
    "swiglu_bf16",
    "rms_norm_tensors_bf16",
    "layer_norm_bf16",
    "gemm",
    "gemm_tensors",
    "gemm_bf16",
    "gemm_tensors_bf16",
    "linear",
    "linear_silu",
    "linear_sm_80",
    "linear_int8",
    "linear_int8_transposed",
    "linear_fp8",
    "linear_fp8_transposed",
    "linear_as_fp8",
    "linear_tf32",
    "linear_tf32_transposed",
    "flash_attention",
    "attention_64_causal",
    "attention_64_full",
    "attention_128_causal",
    "attention_128_full",
    "attention_128_shared",
    *gpu_sorts.BODIES,
)
# Below this time, in microseconds, a kernel is also measured in a CUDA graph.
LONG = 30
# Query heads per key-value head, for grouped-query attention.
SHARING = 4
# M, N and K of 8-bit matmuls.
BYTE_SIZES = [(1, 4096, 4096), (64, 4096, 4096), (512, 4096, 14336), (4096, 14336, 4096)]
BYTE_SIZES += [(n, n, n) for n in (256, 1024, 2048, 4096, 8192)]
# Kernels that are also compiled with static extents.
FIXED = {
    "softmax": {"M": 4096, "N": 8192},
    "layer_norm_bf16": {"M": 4096, "N": 8192},
    "gemm_bf16": {"M": 4096, "N": 4096, "K": 4096},
}
DTYPES = {"float32": 11, "bfloat16": 10, "float16": 9, "int8": 1, "int32": 3, "int64": 4, "uint8": 5}
DTYPES |= {"float8_e4m3fn": 15, "float8_e5m2": 16}


def entry_of(kernel: str) -> str:
    """The example, and its function, that a kernel is compiled from."""
    if kernel.startswith("attention_"):
        return "flash_attention_bf16"
    return kernel.removesuffix("_fixed").removesuffix("_bf16").removesuffix("_sm_80").removesuffix("_before")


def source_of(kernel: str) -> str:
    if kernel in gpu_sorts.BODIES:
        return gpu_sorts.HEADER + gpu_sorts.BODIES[kernel]
    if kernel.endswith("_fixed"):
        source = source_of(kernel.removesuffix("_fixed"))
        for dim, size in FIXED[kernel.removesuffix("_fixed")].items():
            source = source.replace(f'{dim} = pl.dynamic("{dim}")', f"{dim} = {size}")
        return source
    source = (
        ROOT / ("bench/linear.py" if kernel.startswith("linear") else f"examples/{entry_of(kernel)}.py")
    ).read_text()
    if kernel.startswith("attention_"):
        _, size, mask = kernel.split("_")
        source = source.replace("D = 64", f"D = {size}").replace("CAUSAL = True", f"CAUSAL = {mask != 'full'}")
        if mask == "shared":
            source = source.replace("H = ", 'G = pl.dynamic("G")\nH = ', 1)
            for name in "kv":
                source = source.replace(f"{name}: pl.Tensor[[H,", f"{name}: pl.Tensor[[G,")
                source = source.replace(f"{name}[h,", f"{name}[h // {SHARING},")
        return source
    return source.replace("DTYPE = pl.FP32", "DTYPE = pl.BF16") if kernel.endswith("_bf16") else source


def build(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in (*names, *(f"{kernel}_fixed" for kernel in FIXED if kernel in names)):
        written = folder / f"{kernel}.py"
        written.write_text(source_of(kernel))
        target = folder / f"lib{kernel}.so"
        is_old = kernel.endswith("_sm_80")
        chip = "cuda:sm_80" if is_old else "cuda:sm_90a"
        entry = f"{written}:{entry_of(kernel)}"
        command = [ROOT / "build/bin/tegula", "build", entry, "--target", chip, "-o", target]
        # PTX, which the driver also assembles for later chips.
        subprocess.run(command, check=True, env={**os.environ, "TEGULA_PTXAS": ""} if is_old else None)


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
    """A kernel in a library, called with PyTorch tensors and scalars."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.function = getattr(ctypes.CDLL(str(folder / f"lib{name}.so")), entry_of(name))

    def prepare(self, *arguments, stream: int | None = None) -> Callable[[], None]:
        """A prepared call, without Python overhead per argument, on a stream or the default one."""
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
            if self.function(*words, ctypes.c_void_p(stream), message, ctypes.c_size_t(len(message))) != 0:
                raise RuntimeError(f"{self.name}: {message.value.decode()}")

        call.kept = kept
        return call


def microseconds(calls: dict[str, Callable[[], None]], rounds: int = 7) -> dict[str, float]:
    """The median time of each, interleaved; a round has as many calls as take some milliseconds."""
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


def repeated(prepare: Callable[[int], Callable[[], None]], count: int = 20) -> Callable[[], None]:
    """A CUDA graph of so many calls in sequence: GPU time without the host's launch overhead."""
    import torch

    stream = torch.cuda.Stream()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream):
        call = prepare(stream.cuda_stream)
        call()
        stream.synchronize()
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(count):
                call()
    graph.kept = call
    return graph.replay


def cases(name: str, folder: Path) -> Iterator[tuple]:
    """Yields, for one kernel, a size, our arguments, the output among them, the rivals, and bytes or operations."""
    import torch
    import torch.nn.functional as nn

    usual = torch.bfloat16 if name.endswith("_bf16") else torch.float32
    kind = name.removesuffix("_bf16")
    make = lambda *shape, dtype=usual: torch.randn(*shape, device="cuda", dtype=dtype)  # noqa: E731
    bytes_ = usual.itemsize
    rows = [(1, 1), (3, 1031), (97, 129), (4096, 1000), (4096, 4096), (4096, 8192), (4096, 8191)]
    if kind in ("add_scalar", "silu", "gelu", "softmax"):
        for m, n in rows:
            x = make(m, n)
            y = torch.empty_like(x)
            rival = {
                "add_scalar": lambda x=x: x + 1.5,
                "silu": lambda x=x: nn.silu(x),
                "gelu": lambda x=x: nn.gelu(x),
                "softmax": lambda x=x: torch.softmax(x, 1),
            }[kind]
            numbers = (1.5,) if kind == "add_scalar" else ()
            yield f"{m}x{n}", (x, *numbers, y), y, {"torch": rival}, 2 * bytes_ * m * n, 0
    elif kind == "swiglu":
        for m, n in rows:
            gate, up, y = make(m, n), make(m, n), make(m, n)
            yield f"{m}x{n}", (gate, up, y), y, {"torch": lambda g=gate, u=up: nn.silu(g) * u}, 3 * bytes_ * m * n, 0
    elif kind in ("rms_norm", "rms_norm_tensors", "layer_norm"):
        for m, n in rows:
            x, gamma, beta, y = make(m, n), make(1, n), make(1, n), make(m, n)
            if kind != "layer_norm":
                rival = lambda x=x, g=gamma: nn.rms_norm(x, x.shape[1:], g[0], 1e-6)  # noqa: E731
                yield f"{m}x{n}", (x, gamma, y), y, {"torch": rival}, 2 * bytes_ * m * n, 0
            else:
                rival = lambda x=x, g=gamma, b=beta: nn.layer_norm(x, x.shape[1:], g[0], b[0])  # noqa: E731
                yield f"{m}x{n}", (x, gamma, beta, y), y, {"torch": rival}, 2 * bytes_ * m * n, 0
    elif name in ("gemm", "gemm_tensors"):
        sides = [(n, n, n) for n in (256, 512, 1024, 2048, 4096, 4097)]
        for m, n, k in [(1, 1, 1), (65, 129, 97), (64, 4096, 4096), *sides]:
            a, b = make(m, k), make(k, n)
            c = torch.empty(m, n, device="cuda", dtype=torch.float32)
            yield f"{m}x{n}x{k}", (a, b, c), c, {"torch": lambda a=a, b=b: a @ b}, 0, 2 * m * n * k
    elif name in ("linear_int8", "linear_int8_transposed"):
        is_transposed = name.endswith("_transposed")
        for m, n, k in BYTE_SIZES:
            a, b = (torch.randint(-128, 128, shape, device="cuda", dtype=torch.int8) for shape in ((m, k), (n, k)))
            right = b.t() if is_transposed else b.t().contiguous()
            c = torch.empty(m, n, device="cuda", dtype=torch.int32)
            # PyTorch's kernel needs more than 16 rows.
            rows = torch.cat((a, a.new_zeros(32 - m, k))) if m < 32 else a
            rivals = {"torch": lambda a=rows, b=right, m=m: torch._int_mm(a, b)[:m]}
            yield f"{m}x{n}x{k}", (a, b if is_transposed else right, c), c, rivals, 0, 2 * m * n * k
    elif name in ("linear_fp8", "linear_fp8_transposed", "linear_as_fp8"):
        is_transposed = name != "linear_fp8"
        one = torch.ones((), device="cuda")
        for m, n, k in BYTE_SIZES:
            a, b = (make(*shape, dtype=torch.float32).to(torch.float8_e4m3fn) for shape in ((m, k), (n, k)))
            c = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
            # PyTorch's kernel takes a transposed rhs only, and scales.
            multiply, roughly = (
                lambda a=a, b=b, is_rough=is_rough: torch._scaled_mm(
                    a, b.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=is_rough
                )
                for is_rough in (False, True)
            )
            ours = (a, b if is_transposed else b.t().contiguous(), c)
            yield f"{m}x{n}x{k}", ours, c, {"torch": multiply, "torch, fewer bits": roughly}, 0, 2 * m * n * k
    elif name in ("linear_tf32", "linear_tf32_transposed"):
        is_transposed = name.endswith("_transposed")
        few = [(1, 4096, 4096), (64, 4096, 4096), (512, 4096, 14336), (4096, 14336, 4096)]
        sides = [(n, n, n) for n in (256, 1024, 2048, 4096, 4097, 8192)]
        for m, n, k in [(65, 129, 97), *few, *sides, (4096, 4096, 4097)]:
            a, b = make(m, k), make(n, k).t() if is_transposed else make(k, n)
            c = torch.empty(m, n, device="cuda", dtype=torch.float32)
            rivals = {"torch": lambda a=a, b=b: with_tf32(True, a, b), "exact": lambda a=a, b=b: with_tf32(False, a, b)}
            yield f"{m}x{n}x{k}", (a, b.t() if is_transposed else b, c), c, rivals, 0, 2 * m * n * k
    elif name in ("gemm_bf16", "gemm_tensors_bf16", "linear", "linear_silu", "linear_sm_80"):
        bf16 = torch.bfloat16
        sizes = [
            (1, 8, 8),
            (65, 136, 96),
            (1, 4096, 4096),
            (7, 4096, 4096),
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
        if name == "gemm_tensors_bf16":
            sizes = sizes[5:6]
        elif name == "linear_sm_80":
            sizes = [(65, 136, 96), (64, 4096, 4096), (4096, 4096, 4096), (8192, 8192, 8192), (4097, 4097, 4097)]
        for m, n, k in sizes:
            a, b = make(m, k, dtype=bf16), make(k, n, dtype=bf16)
            if name in ("linear", "linear_sm_80"):
                c = torch.empty(m, n, device="cuda", dtype=bf16)
                yield f"{m}x{n}x{k}", (a, b, c), c, {"torch": lambda a=a, b=b: a @ b}, 0, 2 * m * n * k
                continue
            if name == "linear_silu":
                bias, residual, c = make(1, n, dtype=bf16), make(m, n, dtype=bf16), make(m, n, dtype=bf16)
                rival = lambda a=a, b=b, s=bias, r=residual: nn.silu(torch.addmm(s[0], a, b)) + r  # noqa: E731
                rivals = {"torch": rival, "torch matmul alone": lambda a=a, b=b: a @ b}
                # Both write to the same buffer, one after the other.
                rivals["Tegula matmul alone"] = Kernel(folder, "linear").prepare(a, b, c)
                yield f"{m}x{n}x{k}", (a, b, bias, residual, c), c, rivals, 0, 2 * m * n * k
                continue
            c = torch.empty(m, n, device="cuda", dtype=torch.float32)
            rivals = {"torch": lambda a=a, b=b: a @ b}
            rivals["torch to FP32"] = lambda a=a, b=b: torch.mm(a, b, out_dtype=torch.float32)
            yield f"{m}x{n}x{k}", (a, b, c), c, rivals, 0, 2 * m * n * k
    elif name == "flash_attention":
        for h, s in [(1, 1), (2, 333), (8, 1024), (32, 4096)]:
            q, k, v = (make(h, s, 64) for _ in range(3))
            o = torch.empty_like(q)
            rival = lambda q=q, k=k, v=v: nn.scaled_dot_product_attention(q, k, v, is_causal=True)  # noqa: E731
            yield f"{h}x{s}x64", (q, k, v, 0.125, o), o, {"torch": rival}, 0, 2 * h * s * s * 64
    elif name.startswith("attention_"):
        _, size, mask = name.split("_")
        yield from attention_cases(int(size), mask != "full", SHARING if mask == "shared" else 1)


def with_tf32(is_allowed: bool, a: "torch.Tensor", b: "torch.Tensor") -> "torch.Tensor":
    """PyTorch's FP32 matmul, with or without TF32."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = is_allowed
    result = a @ b
    torch.backends.cuda.matmul.allow_tf32 = False
    return result


def attention_cases(size: int, is_causal: bool, sharing: int) -> Iterator[tuple]:
    """The rivals: PyTorch's choice, cuDNN's kernel, FlashAttention 2, and a Triton kernel."""
    import gpu_triton
    import torch

    aten = torch.ops.aten
    sizes = {1: 1, 333: 1, 1024: 4, 2048: 4, 4000: 4, 4096: 4, 8192: 2, 16384: 1}
    for length, batch in sizes.items():
        heads = 32
        counts = (heads, heads // sharing, heads // sharing)
        own = [torch.randn(batch, count, length, size, device="cuda", dtype=torch.bfloat16) for count in counts]
        output = torch.empty_like(own[0])
        arguments = [tensor.view(-1, length, size) for tensor in (*own, output)]
        # Rivals get the key-value heads repeated for all query heads.
        tensors = [own[0], *(tensor.repeat_interleave(sharing, 1) for tensor in own[1:])]
        rivals = {
            "torch": lambda t=tensors: aten._scaled_dot_product_cudnn_attention(*t, None, False, 0.0, is_causal)[0],
            "flash": lambda t=tensors: aten._scaled_dot_product_flash_attention(*t, 0.0, is_causal)[0],
            "triton": gpu_triton.prepare(*tensors, is_causal),
        }
        operations = 4 * batch * heads * length * length * size // (2 if is_causal else 1)
        yield f"{batch}x{heads}x{length}", (*arguments[:3], size**-0.5, arguments[3]), output, rivals, 0, operations


def error_of(found: "torch.Tensor", wanted: "torch.Tensor") -> float:
    difference = (found.double() - wanted.double()).abs().max()
    return (difference / wanted.double().abs().max().clamp(min=1e-6)).item()


def run_sorts(folder: Path, name: str) -> None:
    import torch

    kernel = Kernel(folder, name)
    for size, arguments, outputs, rival, is_old in gpu_sorts.cases(name):
        calls = {"ours": kernel.prepare(*arguments), "torch": rival}
        if is_old and (folder / f"lib{name}_before.so").exists():
            calls["before"] = Kernel(folder, f"{name}_before").prepare(*arguments)
        errors = []
        for ours in calls.keys() - {"torch"}:
            for output in outputs:
                output.fill_(-1)
            calls[ours]()
            torch.cuda.synchronize()
            errors += [error_of(*pair) for pair in zip(outputs, rival(), strict=True)]
        times = microseconds(calls)
        others = f"before {times['before'] / times['ours']:.2f}" if "before" in times else ""
        print(
            f"| {name} | {size} | {times['ours']:.1f} | {times['torch']:.1f} | {times['torch'] / times['ours']:.2f} | "
            f"0 | 0 | {max(errors):.1e} | {others} |",
            flush=True,
        )


def run(folder: Path, names: list[str]) -> None:
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    print(
        "| kernel | size | Tegula, µs | torch, µs | torch / Tegula | GB/s | GFLOP/s | largest error | others / Tegula |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names:
        try:
            if name in gpu_sorts.BODIES:
                run_sorts(folder, name)
                continue
            kernel = Kernel(folder, name)
            for size, arguments, output, rivals, moved, operations in cases(name, folder):
                output.fill_(float("nan") if output.is_floating_point() else -1)
                call = kernel.prepare(*arguments)
                call()
                torch.cuda.synchronize()
                error = error_of(output, rivals["torch"]())
                if moved:
                    rivals["compile"] = torch.compile(rivals["torch"], dynamic=True)
                if size == "x".join(map(str, FIXED.get(name, {}).values())):
                    rivals["for this size"] = Kernel(folder, f"{name}_fixed").prepare(*arguments)
                times = microseconds({"ours": call, **rivals})
                ours = times["ours"]
                if operations and ours < LONG:
                    both = {"torch": repeated(lambda _, call=rivals["torch"]: call)}
                    both["ours"] = repeated(lambda stream: kernel.prepare(*arguments, stream=stream))
                    alone = microseconds(both)
                    times["torch, GPU alone"] = ours * alone["torch"] / alone["ours"]
                    rivals["torch, GPU alone"] = None
                others = ", ".join(f"{rival} {times[rival] / ours:.2f}" for rival in rivals if rival != "torch")
                print(
                    f"| {name} | {size} | {ours:.1f} | {times['torch']:.1f} | {times['torch'] / ours:.2f} | "
                    f"{moved / ours / 1000:.0f} | {operations / ours / 1000:.0f} | {error:.1e} | {others} |",
                    flush=True,
                )
        except (OSError, RuntimeError) as problem:
            print(f"{name}: {problem}", flush=True)
    for bytes_ in (2**24, 2**25, 2**26, 2**27, 2**28):
        source = torch.empty(bytes_, dtype=torch.uint8, device="cuda")
        target = torch.empty_like(source)
        time = microseconds({"copy": lambda s=source, t=target: t.copy_(s)})["copy"]
        print(f"copy of {bytes_ >> 20} MiB: {2 * bytes_ / time / 1000:.0f} GB/s read and written")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    if sys.argv[1] == "build":
        build(Path(sys.argv[2]), sys.argv[3:] or list(KERNELS))
    else:
        run(Path(sys.argv[2]), sys.argv[3:] or list(KERNELS))
