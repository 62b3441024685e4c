# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand where there is a GPU, on what `bench/gpu_tiles.py build LIBRARIES` wrote: kernels without a tuned
variant, whose tiles stay in registers, at sizes around their tiles and in several layouts.

    python test/gpu/tiles.py LIBRARIES
"""

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "bench"))

from gpu import Kernel  # noqa: E402
from gpu_tiles import COMPARED, NAMES, WIDE_RESULTS, load  # noqa: E402

# Of bench/kernels_tiles.py, which needs Tegula to be read.
HIDDEN, WINDOW, CHANNELS = 512, 1024, 128
LAYOUTS = ("dense", "apart", "not aligned")
LENGTHS = (0, 1, 63, 64, 65, 127, 128, 129, 300, 1021)


def size_of(variant: str) -> int:
    """The size of a head, and of the rows of `two_layers`."""
    return 64 if variant == "_64" else 128


def make(layout: str, *shape: int, dtype: torch.dtype = torch.bfloat16) -> Tensor:
    """A tensor of normal numbers that lies in memory in one of several ways."""
    *outer, rows, columns = shape
    if layout == "apart":
        return torch.randn(*outer, 2 * rows, columns + 8, device="cuda", dtype=dtype)[..., ::2, 8:]
    if layout == "not aligned":
        return torch.randn(*outer, rows, columns + 1, device="cuda", dtype=dtype)[..., 1:]
    return torch.randn(*shape, device="cuda", dtype=dtype)


def attend(q: Tensor, k: Tensor, v: Tensor, scale: float, change: Callable, window: int) -> Tensor:
    scores = change(q.float() @ k.float().transpose(1, 2) * scale)
    rows = torch.arange(q.shape[1], device="cuda")[:, None] + k.shape[1] - q.shape[1]
    columns = torch.arange(k.shape[1], device="cuda")
    scores = scores.where((columns <= rows) & (columns + window > rows), float("-inf"))
    return torch.softmax(scores, 2) @ v.float()


def softcap_attention(size: int, layout: str, queries: int, more: int) -> tuple[list, Tensor]:
    q = make(layout, 3, queries, size)
    k, v = (make(layout, 3, queries + more, size) for _ in range(2))
    return [q, k, v, 0.5], attend(q, k, v, 0.5, lambda scores: torch.tanh(scores * 0.02) * 50, 1 << 30)


def causal_attention(size: int, layout: str, queries: int, more: int) -> tuple[list, Tensor]:
    q = make(layout, 3, queries, size)
    k, v = (make(layout, 3, queries + more, size) for _ in range(2))
    return [q, k, v, 0.5], attend(q, k, v, 0.5, lambda scores: scores, 1 << 30)


def window_attention(size: int, layout: str, length: int, more: int) -> tuple[list, Tensor]:
    # Every other size is longer than the window.
    q, k, v = (make(layout, 3, length + more % 2 * WINDOW, size) for _ in range(3))
    return [q, k, v, 0.5], attend(q, k, v, 0.5, lambda scores: scores, WINDOW)


def gate_up(size: int, layout: str, rows: int, depth: int) -> tuple[list, Tensor]:
    x, gate, up = make(layout, rows, depth), make(layout, depth, 100) / 8, make(layout, depth, 100) / 8
    return [x, gate, up], torch.nn.functional.silu(x.float() @ gate.float()) * (x.float() @ up.float())


def two_layers(size: int, layout: str, rows: int, _: int) -> tuple[list, Tensor]:
    x, up, down = make(layout, rows, size), make(layout, size, HIDDEN) / 8, make(layout, HIDDEN, size) / 16
    hidden = torch.relu(x.float() @ up.float()).bfloat16()
    return [x, up, down], hidden.float() @ down.float()


def fp32_layer(size: int, layout: str, rows: int, depth: int) -> tuple[list, Tensor]:
    x, w = (make(layout, *shape, dtype=torch.float32) for shape in ((rows, depth), (depth, 100)))
    bias = torch.randn(100, device="cuda")
    return [x, w, bias], torch.nn.functional.silu(x.double() @ w.double() + bias).float()


def batched_matmul(size: int, layout: str, rows: int, depth: int) -> tuple[list, Tensor]:
    x, w = make(layout, 3, rows, depth), make(layout, 3, depth, 100)
    return [x, w], (x.double() @ w.double()).float()


def byte_weights(size: int, layout: str, rows: int, depth: int) -> tuple[list, Tensor]:
    x, w = make(layout, rows, depth), (make(layout, 100, depth) * 40).clamp(-128, 127).to(torch.int8)
    scale = torch.rand(100, device="cuda") / 40
    return [x, w, scale], x.float() @ w.float().T * scale


byte_weights_few = byte_weights


def fp8_matmul(size: int, layout: str, rows: int, depth: int) -> tuple[list, Tensor]:
    x, w = (make(layout, *shape).to(torch.float8_e4m3fn) for shape in ((rows, depth), (100, depth)))
    left, right = torch.rand(rows, 1, device="cuda"), torch.rand(1, 100, device="cuda")
    return [x, w, left, right], x.float() @ w.float().T * left * right


def experts(size: int, layout: str, rows: int, depth: int) -> tuple[list, Tensor]:
    x, w = make(layout, rows, depth), make(layout, 3, depth, 100)
    ends = [0, rows // 3, rows // 3, rows]
    starts = torch.tensor(ends, device="cuda", dtype=torch.int32)
    parts = [x[ends[e] : ends[e + 1]].float() @ w[e].float() for e in range(3)]
    return [x, w, starts], torch.cat(parts)


def convolution(_: int, layout: str, wide: int, high: int) -> tuple[list, Tensor]:
    x, w = make(layout, 2, high + 2, wide + 2, CHANNELS), make(layout, 3, 3, CHANNELS, CHANNELS) / 16
    wanted = torch.zeros(2, high, wide, CHANNELS, device="cuda")
    for p, q in itertools.product(range(3), repeat=2):
        wanted += x[:, p : p + high, q : q + wide].float() @ w[p, q].float()
    return [x, w], wanted


def linear_attention(size: int, layout: str, length: int, _: int) -> tuple[list, Tensor]:
    q, k, v = (make(layout, 3, length, size) / 8 for _ in range(3))
    return [q, k, v], torch.tril(q.float() @ k.float().transpose(1, 2)) @ v.float()


def is_right(kernel: Kernel, name: str, size: int, layout: str, sizes: tuple[int, int]) -> bool:
    arguments, wanted = globals()[name](size, layout, *sizes)
    # What lies around the result must stay.
    dtype = torch.float32 if name in WIDE_RESULTS else torch.bfloat16
    around = torch.full([*wanted.shape[:-2], wanted.shape[-2] + 2, wanted.shape[-1]], 7.0, device="cuda", dtype=dtype)
    found = around[..., 1:-1, :]
    kernel.prepare(*arguments, found)()
    torch.cuda.synchronize()
    error = 1e-4 if name in WIDE_RESULTS else 2e-2
    largest = max(1.0, wanted.abs().max().item() / 4 if wanted.numel() else 1)
    is_close = torch.allclose(found.float(), wanted, rtol=error, atol=error * largest)
    is_intact = bool((around[..., 0, :] == 7).all() and (around[..., -1, :] == 7).all())
    if not (is_close and is_intact):
        error = (found.float() - wanted).abs().max().item()
        print(f"{kernel.name} {sizes} {layout}: error {error:.1e}, rest {'kept' if is_intact else 'LOST'}")
    return is_close and is_intact


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    # A sanitizer is slow: the number after the folder leaves out most of the sizes.
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cases = list(itertools.product(NAMES, COMPARED, LAYOUTS, itertools.product(LENGTHS, (0, 1, 64, 99))))[::every]
    wrong = 0
    for name, variant, layout, sizes in cases:
        torch.manual_seed(sum(sizes))
        wrong += not is_right(load(folder, name, variant), name, size_of(variant), layout, sizes)
    print(f"{len(cases)} calls, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
