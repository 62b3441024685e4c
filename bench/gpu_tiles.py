# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels_tiles.py on an NVIDIA GPU with PyTorch, compiled by it, interleaved in one run.

    python bench/gpu_tiles.py build LIBRARIES           # where Tegula is
    python bench/gpu_tiles.py quick LIBRARIES           # where the GPU is: Tegula alone
    python bench/gpu_tiles.py run LIBRARIES [RESULTS]   # the same with PyTorch: needs torch and the output of `build`

Prints a table, and writes it to RESULTS: for each kernel microseconds, PyTorch's time over ours, and the largest
relative error. `mma.sync` is the same kernel for chips since sm_80; other rows are 128 queries, or 64 rows, in a tile.
"""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from gpu import ROOT, Kernel, error_of, microseconds

NAMES = ("softcap_attention", "window_attention", "causal_attention", "gate_up", "two_layers")
# What is replaced in the source, and the target.
VARIANTS = {
    "": ({}, "cuda:sm_90a"),
    "_mma": ({}, "cuda:sm_80"),
    "_rows": ({"QUERIES = 64": "QUERIES = 128", "ROWS = 128": "ROWS = 64"}, "cuda:sm_90a"),
}
# What is compared by test/gpu/tiles.py alone: both matmuls of attention have the same instruction.
COMPARED = VARIANTS | {"_64": ({"D = 128": "D = 64"}, "cuda:sm_90a,registers")}


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


def measure(folder: Path, name: str, arguments: list, rivals: dict[str, Callable]) -> tuple[dict, dict]:
    """Microseconds of ours and theirs, and our largest errors."""
    import torch

    wanted = rivals["PyTorch"]()
    calls, errors = dict(rivals), {}
    for variant in VARIANTS:
        if not (folder / f"lib{name}{variant}.so").exists():
            continue
        found = torch.empty_like(wanted)
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
        result = torch.empty(arguments[0].shape, device="cuda", dtype=torch.bfloat16)
        if name == "gate_up":
            result = torch.empty(arguments[0].shape[0], arguments[1].shape[1], device="cuda", dtype=torch.bfloat16)
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
