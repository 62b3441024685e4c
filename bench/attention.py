# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares attention with PyTorch's (eager, and with --inductor compiled) on THREADS threads (1), interleaved in one
run. Prints a table and writes bench/results/attention.md, or attention-2-threads.md. Rows such as 8x512x512x64
(heads, queries, keys, head) may be given, with `causal` or `full` and `fp32` or `bf16` among them. `static / Tegula` is
the time of the same kernel with static extents / that of the one kernel for all sizes."""

import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from side_by_side import Table, geometric_mean, least_times, set_threads, write_results  # noqa: E402

THREADS = int(os.environ.get("THREADS", "1"))
set_threads(THREADS)

import kernels_attention  # noqa: E402
import torch  # noqa: E402

import tegula.language as pl  # noqa: E402

torch.set_num_threads(THREADS)
torch.set_grad_enabled(False)

SHAPES = [
    (8, 1, 1), (8, 7, 7), (8, 16, 16), (8, 33, 33), (8, 64, 64), (8, 127, 127), (8, 256, 256), (3, 333, 333),
    (8, 512, 512), (4, 1024, 1024), (2, 2048, 2048), (1, 4096, 4096),
]  # fmt: skip
DECODE = [(8, 1, 128), (8, 1, 333), (8, 1, 1024), (8, 1, 2048), (32, 1, 1000), (8, 1, 4096)]
TYPES = {"fp32": (pl.FP32, torch.float32, 2e-5), "bf16": (pl.BF16, torch.bfloat16, 2e-2)}


def causal_mask(queries: int, keys: int) -> torch.Tensor:
    return torch.arange(keys)[None, :] <= torch.arange(queries)[:, None] + keys - queries


class Case:
    """One size, type and mask, with its implementations."""

    def __init__(self, shape: tuple[int, int, int], head: int, dtype: str, causal: bool):
        self.heads, self.queries, self.keys = shape
        self.head, self.dtype, self.causal = head, dtype, causal
        _, kind, self.bound = TYPES[dtype]
        torch.manual_seed(1)
        self.q = torch.randn(self.heads, self.queries, head).to(kind)
        self.k, self.v = (torch.randn(self.heads, self.keys, head).to(kind) for _ in range(2))
        self.scale = 1 / math.sqrt(head)

    def peer(self, sdpa: Callable) -> Callable[[], object]:
        q, k, v = self.q[None], self.k[None], self.v[None]
        is_causal = self.causal and self.queries == self.keys
        return lambda: sdpa(q, k, v, is_causal=is_causal, scale=self.scale)

    def check(self, name: str, found: torch.Tensor) -> None:
        mask = causal_mask(self.queries, self.keys) if self.causal else None
        sdpa = torch.nn.functional.scaled_dot_product_attention
        wanted = sdpa(self.q.double(), self.k.double(), self.v.double(), attn_mask=mask, scale=self.scale)
        error = (found.double() - wanted).abs().max().item()
        if not error <= self.bound:
            sys.exit(f"{name} is wrong at {self}: {error}")

    def measure(self, kernels: dict, compiled: Callable | None, seconds: float) -> dict[str, float]:
        """Seconds by name."""
        key = (self.head, self.dtype, self.causal)
        if key not in kernels:
            kernels[key] = kernels_attention.make_flash(self.head, TYPES[self.dtype][0], self.causal)
        if key[:2] not in kernels:
            kernels[key[:2]] = kernels_attention.make_tensors(self.head, TYPES[self.dtype][0])
        flash, tensors = kernels[key], kernels[key[:2]]
        sizes = (self.heads, self.queries, self.keys)
        static = kernels_attention.make_flash(self.head, TYPES[self.dtype][0], self.causal, *sizes)
        # Static and dynamic kernels write the same memory: its address matters more than the difference.
        first, second = torch.empty_like(self.q), torch.empty_like(self.q)
        q, k, v, scale = self.q, self.k, self.v, self.scale
        actions = {"tegula": lambda: flash(q, k, v, scale, first), "static": lambda: static(q, k, v, scale, first)}
        if not self.causal:
            actions["tegula tensors"] = lambda: tensors(q, k, v, scale, second)
        actions["torch"] = self.peer(torch.nn.functional.scaled_dot_product_attention)
        if compiled:
            actions["inductor"] = self.peer(compiled)
        times = least_times(actions, seconds, THREADS)
        for name in ("tegula", "static"):
            first.fill_(float("nan"))
            actions[name]()
            self.check(name, first)
        if not self.causal:
            self.check("tegula tensors", second)
        return times

    def __str__(self) -> str:
        mask = "causal" if self.causal else "full"
        return f"{self.heads} x {self.queries} x {self.keys} x {self.head} {mask} {self.dtype}"


def naive(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_causal: bool, scale: float) -> torch.Tensor:
    scores = torch.matmul(q, k.transpose(-1, -2)) * scale
    if is_causal:
        scores = scores.masked_fill(~causal_mask(q.shape[-2], k.shape[-2]), float("-inf"))
    return torch.matmul(torch.softmax(scores, -1), v)


def choose_cases(words: list[str]) -> list[Case]:
    sizes = [tuple(map(int, word.split("x"))) for word in words if word[0].isdigit()]
    dtypes = [word for word in words if word in TYPES] or list(TYPES)
    masks = [word == "causal" for word in words if word in ("causal", "full")] or [True, False]
    if sizes:
        return [Case(size[:3], size[3], dtype, mask) for dtype in dtypes for mask in masks for size in sizes]
    cases = [
        Case(shape, head, dtype, mask) for dtype in dtypes for head in (64, 128) for mask in masks for shape in SHAPES
    ]
    return cases + [Case(shape, head, dtype, False) for dtype in dtypes for head in (64, 128) for shape in DECODE]


NOTE = """`bench/attention.py`, interleaved in one run. Times are µs per call. `best rival / Tegula` is the quotient of
times: above 1, Tegula is faster. `tegula tensors` is written on whole tensors, `tegula` on tiles. `static / Tegula` is
the time of the same kernel with static extents / that of the one kernel for all sizes."""


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--inductor"]
    compiled = torch.compile(naive, dynamic=True) if "--inductor" in sys.argv else None
    seconds = float(os.environ.get("SECONDS_PER_SIZE", "0.5"))
    names = ["tegula", "tegula tensors", "torch"] + ["inductor"] * bool(compiled)
    heads = [f"{name}, µs" for name in names]
    table = Table("heads x queries x keys x head", *heads, "best rival / Tegula", "static / Tegula")
    ratios: dict[str, list[float]] = {"decode": [], "all others": [], "static / Tegula": []}
    kernels: dict = {}
    for case in choose_cases(words):
        times = case.measure(kernels, compiled, seconds)
        ratio = min(times[name] for name in names[2:]) / times["tegula"]
        is_decode = case.queries == 1 and case.keys > 1
        ratios["decode" if is_decode else "all others"].append(ratio)
        ratios["static / Tegula"].append(times["static"] / times["tegula"])
        shown = (f"{ratio:.2f}", f"{ratios['static / Tegula'][-1]:.2f}")
        table.add(case, *(times[name] * 1e6 if name in times else None for name in names), *shown)
    summary = [
        f"{kind}: geometric mean {geometric_mean(found):.2f}, least {min(found):.2f} of {len(found)}"
        for kind, found in ratios.items()
        if found
    ]
    table.say(f"\nMicroseconds, {THREADS} thread{'s' * (THREADS > 1)}; {'; '.join(summary)}.")
    if not words:
        write_results("attention", "Attention", THREADS, NOTE, table.markdown())


main()
