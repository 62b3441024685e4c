# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels_tiles.py on an NVIDIA GPU with PyTorch, compiled by it, interleaved in one run.

    python bench/gpu_tiles.py build LIBRARIES  # where Tegula is
    python bench/gpu_tiles.py run LIBRARIES    # where the GPU is: needs torch and the output of `build`

Prints, for each kernel, the largest relative error, microseconds, and PyTorch's time / Tegula's time: above 1, Tegula
is faster.
"""

import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from gpu import ROOT, Kernel, error_of, microseconds

NAMES = ("softcap_attention", "window_attention", "gate_up", "two_layers")


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        entry = f"{ROOT / 'bench/kernels_tiles.py'}:{name}"
        command = [
            ROOT / "build/bin/tegula",
            "build",
            entry,
            "--target",
            "cuda:sm_90a,registers",
            "-o",
            folder / f"lib{name}.so",
        ]
        subprocess.run(command, check=True)


def cases() -> Iterator[tuple[str, list, Callable]]:
    """Name, arguments of ours without the result, and the rival, which gives it."""
    import torch
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    def make(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)

    heads, size, depth = 32, 4096, 128
    scale = depth**-0.5
    q, k, v = make(heads, size, depth), make(heads, size, depth), make(heads, size, depth)
    flex = torch.compile(flex_attention)
    causal = create_block_mask(lambda b, h, i, j: i >= j, None, None, size, size)
    window = create_block_mask(lambda b, h, i, j: (i >= j) & (i - j < 1024), None, None, size, size)

    def cap(score, b, h, i, j):
        return torch.tanh(score * 0.02) * 50.0

    yield (
        "softcap_attention",
        [q, k, v, scale],
        lambda: flex(q[None], k[None], v[None], score_mod=cap, block_mask=causal, scale=scale)[0],
    )
    yield (
        "window_attention",
        [q, k, v, scale],
        lambda: flex(q[None], k[None], v[None], block_mask=window, scale=scale)[0],
    )
    x, gate, up = make(4096, 4096), make(4096, 14336) / 64, make(4096, 14336) / 64
    gated = torch.compile(lambda: torch.nn.functional.silu(x @ gate) * (x @ up))
    yield "gate_up", [x, gate, up], gated
    rows, first, second = make(65536, 128), make(128, 512) / 8, make(512, 128) / 16
    yield "two_layers", [rows, first, second], torch.compile(lambda: torch.relu(rows @ first) @ second)


def run(folder: Path) -> None:
    import torch

    for name, arguments, rival in cases():
        kernel = Kernel(folder, name)
        kernel.function = getattr(ctypes.CDLL(str(folder / f"lib{name}.so")), name)
        wanted = rival()
        found = torch.empty_like(wanted)
        call = kernel.prepare(*arguments, found)
        call()
        torch.cuda.synchronize()
        times = microseconds({"ours": call, "theirs": rival})
        print(
            f"{name:20} error {error_of(found, wanted):.2e}  Tegula {times['ours']:9.1f} us"
            f"  PyTorch {times['theirs']:9.1f} us  PyTorch / Tegula {times['theirs'] / times['ours']:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    {"build": build, "run": run}[sys.argv[1]](Path(sys.argv[2]))
