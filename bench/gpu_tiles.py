# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels_tiles.py on an NVIDIA GPU with PyTorch, compiled by it, interleaved in one run.

    python bench/gpu_tiles.py build LIBRARIES           # where Tegula is
    python bench/gpu_tiles.py quick LIBRARIES           # where the GPU is: Tegula alone
    python bench/gpu_tiles.py run LIBRARIES [RESULTS]   # the same with PyTorch: needs torch and the output of `build`

Prints a table, and writes it to RESULTS: for each kernel microseconds, PyTorch's time over ours, and the largest
relative error. `mma.sync` is the same kernel for chips since sm_80; other rows are 128 queries, or 64 rows, in a tile.
Kernels of which a loop is refused are in the table as well.
"""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from gpu import ROOT, Kernel, error_of, microseconds

NAMES = (
    "softcap_attention",
    "window_attention",
    "causal_attention",
    "gate_up",
    "two_layers",
    "fp32_layer",
    "batched_matmul",
    "byte_weights",
    "byte_weights_few",
    "fp8_matmul",
    "experts",
    "convolution",
    "linear_attention",
)
# Results are BF16, but for these.
WIDE_RESULTS = ("fp32_layer", "batched_matmul")
# What is replaced in the source, and the target.
VARIANTS = {
    "": ({}, "cuda:sm_90a"),
    "_mma": ({}, "cuda:sm_80"),
    "_rows": ({"QUERIES = 64": "QUERIES = 128", "ROWS = 128": "ROWS = 64"}, "cuda:sm_90a"),
}
# What is compared by test/gpu/tiles.py alone: both matmuls of attention have the same instruction.
COMPARED = VARIANTS | {"_64": ({"D = 128": "D = 64"}, "cuda:sm_90a")}


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    original = (ROOT / "bench/kernels_tiles.py").read_text()
    for variant, (replaced, target) in COMPARED.items():
        source = original
        for before, after in replaced.items():
            source = source.replace(before, after)
        written = folder / f"kernels{variant}.py"
        written.write_text(source)
        for name in NAMES:
            command = [ROOT / "build/bin/tegula", "build", f"{written}:{name}", "--target", target]
            # As PTX, which the driver assembles for later chips too.
            environment = os.environ | ({"TEGULA_PTXAS": ""} if "sm_80" in target else {})
            subprocess.run([*command, "-o", folder / f"lib{name}{variant}.so"], check=True, env=environment)


def load(folder: Path, name: str, variant: str) -> Kernel:
    kernel = Kernel.__new__(Kernel)
    kernel.name = name + variant
    kernel.function = getattr(ctypes.CDLL(str(folder / f"lib{name}{variant}.so")), name)
    return kernel


def attention_cases(make: Callable, has_rivals: bool) -> Iterator[tuple[str, str, list, dict[str, Callable], float]]:
    import torch
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    heads, size, depth, window = 32, 4096, 128, 1024
    scale = depth**-0.5
    q, k, v = make(heads, size, depth), make(heads, size, depth), make(heads, size, depth)
    flex = torch.compile(flex_attention)
    masks = (lambda b, h, i, j: i >= j, lambda b, h, i, j: (i >= j) & (i - j < window))
    causal, near = (create_block_mask(mask, None, None, size, size) if has_rivals else None for mask in masks)

    def cap(score, b, h, i, j):
        return torch.tanh(score * 0.02) * 50.0

    def attend(**options) -> Callable:
        return lambda: flex(q[None], k[None], v[None], scale=scale, **options)[0]

    words = f"{heads} heads, {size}, D {depth}"
    every = 4 * heads * size * size * depth
    inputs = [q, k, v, scale]
    yield "softcap_attention", words, inputs, {"PyTorch": attend(score_mod=cap, block_mask=causal)}, every / 2
    yield "window_attention", words, inputs, {"PyTorch": attend(block_mask=near)}, every * window / size
    cudnn = torch.ops.aten._scaled_dot_product_cudnn_attention
    rivals = {
        "PyTorch": attend(block_mask=causal),
        "cuDNN": lambda: cudnn(q[None], k[None], v[None], None, False, 0.0, True, scale=scale)[0],
    }
    yield "causal_attention", words, inputs, rivals, every / 2


def matmul_cases(make: Callable) -> Iterator[tuple[str, str, list, dict[str, Callable], float]]:
    """Elements that are not BF16, and several matmuls of one size."""
    import torch

    m, n, k = 4096, 4096, 4096
    x, w, bias = torch.randn(m, k, device="cuda"), torch.randn(k, n, device="cuda"), torch.randn(n, device="cuda")
    layer = lambda: torch.nn.functional.silu(torch.addmm(bias, x, w))  # noqa: E731
    rivals = {"PyTorch": torch.compile(layer), "cuBLAS": layer}
    yield "fp32_layer", f"{m} x {n} x {k}", [x, w, bias], rivals, 2 * m * n * k
    a, b = make(64, 512, 512), make(64, 512, 512)
    rivals = {"PyTorch": lambda: torch.bmm(a, b, out_dtype=torch.float32), "to BF16": lambda: torch.bmm(a, b)}
    yield "batched_matmul", "64 x 512 x 512 x 512", [a, b], rivals, 2 * 64 * 512**3
    weights = torch.randint(-128, 128, (n, k), device="cuda", dtype=torch.int8)
    scale, wide = torch.rand(n, device="cuda") / 64, weights.bfloat16()
    for name, rows in ("few", 1), ("few", 16), ("few", 64), ("", 4096):
        own = make(rows, k)
        scaled = torch.compile(lambda own=own: (own @ weights.T.bfloat16() * scale).bfloat16())
        rivals = {"PyTorch": scaled, "BF16 weights": lambda own=own: own @ wide.T}
        kernel = "byte_weights" + ("_" + name if name else "")
        yield kernel, f"{rows} x {n} x {k}", [own, weights, scale], rivals, 2 * rows * n * k
    low = [torch.randn(shape, device="cuda").to(torch.float8_e4m3fn) for shape in ((m, k), (n, k))]
    scales = [torch.rand(shape, device="cuda") for shape in ((m, 1), (1, n))]
    multiply = lambda: torch._scaled_mm(low[0], low[1].T, *scales, out_dtype=torch.bfloat16)  # noqa: E731
    yield "fp8_matmul", f"{m} x {n} x {k}", [*low, *scales], {"PyTorch": multiply}, 2 * m * n * k


def loop_cases(make: Callable) -> Iterator[tuple[str, str, list, dict[str, Callable], float]]:
    """Matmuls in loops of the author."""
    import torch

    m, n, k, count = 8192, 4096, 4096, 8
    ends = [0, 100, 1500, 1501, 3000, 5200, 6000, 6144, 8192]
    x, w, starts = make(m, k), make(count, k, n) / 64, torch.tensor(ends, device="cuda", dtype=torch.int32)
    parts = list(zip(ends[:-1], ends[1:], w, strict=True))
    grouped = lambda: torch.cat([x[first:last] @ own for first, last, own in parts])  # noqa: E731
    yield "experts", f"{m} x {n} x {k}, {count} experts", [x, w, starts], {"PyTorch": grouped}, 2 * m * n * k
    image, filters = make(32, 58, 58, 128), make(3, 3, 128, 128) / 32
    # PyTorch has channels first, and its own order of filters.
    channels_first = image.permute(0, 3, 1, 2)
    weights = filters.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    convolve = lambda: torch.nn.functional.conv2d(channels_first, weights).permute(0, 2, 3, 1)  # noqa: E731
    yield "convolution", "32 x 58 x 58 x 128", [image, filters], {"PyTorch": convolve}, 2 * 32 * 56**2 * 9 * 128**2
    q, key, value = (make(128, 4096, 128) / 8 for _ in range(3))

    def attend() -> torch.Tensor:
        chunks = [tensor.unflatten(1, (-1, 64)) for tensor in (q, key, value)]
        states = torch.cumsum((chunks[1].transpose(2, 3) @ chunks[2]).float(), 1)
        before = torch.nn.functional.pad(states, (0, 0, 0, 0, 1, 0))[:, :-1].bfloat16()
        inside = torch.tril(chunks[0] @ chunks[1].transpose(2, 3)) @ chunks[2]
        return (inside + chunks[0] @ before).flatten(1, 2)

    operations = 128 * 4096 * (2 * 2 * 64 * 128 + 2 * 2 * 128 * 128)
    yield "linear_attention", "128 heads, 4096, D 128", [q, key, value], {"PyTorch": torch.compile(attend)}, operations


def shape_of_result(name: str, arguments: list) -> tuple[int, ...]:
    first, second = arguments[0].shape, arguments[1].shape
    if name == "convolution":
        return (first[0], first[1] - 2, first[2] - 2, first[3])
    if name == "two_layers" or "attention" in name:
        return first
    return (*first[:-1], second[-2] if "byte" in name or "fp8" in name else second[-1])


def cases(has_rivals: bool = True) -> Iterator[tuple[str, str, list, dict[str, Callable], float]]:
    """Name, size, arguments of ours without the result, rivals, which give it, and operations."""
    import torch

    def make(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)

    m, n, k = 4096, 14336, 4096
    x, gate, up = make(m, k), make(k, n) / 64, make(k, n) / 64
    gated = lambda: torch.nn.functional.silu(x @ gate) * (x @ up)  # noqa: E731
    rivals = {"PyTorch": torch.compile(gated), "cuBLAS": gated}
    yield "gate_up", f"{m} x {n} x {k}", [x, gate, up], rivals, 4 * m * n * k
    rows, first, second = make(65536, 128), make(128, 512) / 8, make(512, 128) / 16
    layers = lambda: torch.relu(rows @ first) @ second  # noqa: E731
    rivals = {"PyTorch": torch.compile(layers), "cuBLAS": layers}
    yield "two_layers", "65536 x 128 x 512", [rows, first, second], rivals, 4 * 65536 * 128 * 512
    yield from attention_cases(make, has_rivals)
    yield from matmul_cases(make)
    yield from loop_cases(make)


def measure(folder: Path, name: str, arguments: list, rivals: dict[str, Callable]) -> tuple[dict, dict]:
    """Microseconds of ours and theirs, and our largest errors."""
    import torch

    wanted = rivals["PyTorch"]()
    calls, errors = dict(rivals), {}
    for variant in VARIANTS:
        if not (folder / f"lib{name}{variant}.so").exists():
            continue
        dtype = torch.float32 if name in WIDE_RESULTS else torch.bfloat16
        found = torch.empty(shape_of_result(name, arguments), device="cuda", dtype=dtype)
        calls["ours" + variant] = load(folder, name, variant).prepare(*arguments, found)
        calls["ours" + variant]()
        torch.cuda.synchronize()
        errors["ours" + variant] = error_of(found, wanted)
    return microseconds(calls, rounds=5), errors


def quick(folder: Path) -> None:
    """Times of ours, in case that a rival cannot be compiled."""
    import torch

    for name, _, arguments, _, _ in cases(has_rivals=False):
        calls = {}
        dtype = torch.float32 if name in WIDE_RESULTS else torch.bfloat16
        result = torch.empty(shape_of_result(name, arguments), device="cuda", dtype=dtype)
        for variant in VARIANTS:
            if (folder / f"lib{name}{variant}.so").exists():
                calls["ours" + variant] = load(folder, name, variant).prepare(*arguments, result)
        times = microseconds(calls, rounds=3)
        print(name, ", ".join(f"{variant} {time:.0f} us" for variant, time in times.items()), flush=True)


def run(folder: Path, results: Path | None) -> None:
    import torch

    lines = [
        f"{torch.cuda.get_device_name()}, torch {torch.__version__}",
        "",
        "| kernel | size | Tegula, us | TFLOP/s | rivals, us | ratio | mma.sync, us | other rows, us | largest error |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name, size, arguments, rivals, operations in cases():
        times, errors = measure(folder, name, arguments, rivals)
        ours = times["ours"]
        theirs = ", ".join(f"{rival} {times[rival]:.0f}" for rival in rivals)
        best = min(times[rival] for rival in rivals)
        others = " | ".join(f"{times.get('ours' + variant, 0):.0f}" for variant in ("_mma", "_rows"))
        lines.append(
            f"| {name} | {size} | {ours:.0f} | {operations / ours / 1e6:.0f} | {theirs} | {best / ours:.2f} "
            f"| {others} | {max(errors.values()):.1e} |"
        )
        print(lines[-1], flush=True)
        if results:
            results.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    where = Path(sys.argv[2])
    if sys.argv[1] == "build":
        build(where)
    elif sys.argv[1] == "quick":
        quick(where)
    else:
        run(where, Path(sys.argv[3]) if len(sys.argv) > 3 else None)
