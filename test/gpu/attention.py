# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand where there is a GPU, on what `bench/gpu.py build LIBRARIES` wrote: attention of all sizes and layouts,
on tensor cores and, where those cannot take a call, in the fallback.

    python test/gpu/attention.py LIBRARIES
"""

import itertools
import sys
from pathlib import Path

import torch
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "bench"))

from gpu import SHARING, Kernel  # noqa: E402


def reference(q: Tensor, k: Tensor, v: Tensor, scale: float, is_causal: bool) -> Tensor:
    scores = q.float() @ k.float().transpose(1, 2) * scale
    if is_causal:
        rows = torch.arange(q.shape[1], device="cuda")[:, None] + k.shape[1] - q.shape[1]
        scores = scores.where(torch.arange(k.shape[1], device="cuda") <= rows, float("-inf"))
    return torch.softmax(scores, 2) @ v.float()


def make(layout: str, heads: int, rows: int, size: int) -> Tensor:
    """A tensor of normal numbers that lies in memory in one of several ways."""
    if layout == "rows first":
        return torch.randn(rows, heads, size, device="cuda", dtype=torch.bfloat16).transpose(0, 1)
    if layout == "apart":
        return torch.randn(heads, 2 * rows, size + 8, device="cuda", dtype=torch.bfloat16)[:, ::2, 8:]
    if layout == "not aligned":
        return torch.randn(heads, rows, size + 1, device="cuda", dtype=torch.bfloat16)[:, :, 1:]
    return torch.randn(heads, rows, size, device="cuda", dtype=torch.bfloat16)


def check(kernel: Kernel, size: int, is_causal: bool, shape: tuple, scale: float, layout: str) -> int:
    heads, queries, keys = shape
    sharing = SHARING if kernel.name.endswith("_shared") else 1
    q, k, v = make(layout, heads, queries, size), *(make(layout, -(-heads // sharing), keys, size) for _ in range(2))
    # What lies around the result must stay.
    around = torch.full_like(make(layout, heads + 1, queries + 1, size), 7.0)
    out = around[1:, :queries]
    kernel.prepare(q, k, v, scale, out)()
    torch.cuda.synchronize()
    k, v = (tensor.repeat_interleave(sharing, 0)[:heads] for tensor in (k, v))
    wanted = reference(q, k, v, scale, is_causal)
    is_right = torch.allclose(out.float(), wanted, rtol=2e-2, atol=2e-2)
    is_intact = bool((around[0] == 7).all() and (around[1:, queries:] == 7).all())
    if not (is_right and is_intact):
        error = (out.float() - wanted).abs().max().item()
        print(
            f"{kernel.name} {shape} scale {scale} {layout}: error {error:.1e}, rest {'kept' if is_intact else 'LOST'}"
        )
    return 0 if is_right and is_intact else 1


def check_nan(kernel: Kernel, size: int) -> int:
    """A query that is NaN has a result that is, and no other has."""
    q, k, v = (make("dense", 4, 200, size) for _ in range(3))
    q[1, 130, 3] = float("nan")
    out = torch.zeros_like(q)
    kernel.prepare(q, k, v, 0.125, out)()
    torch.cuda.synchronize()
    wanted = torch.zeros(4, 200, 1, dtype=torch.bool, device="cuda")
    wanted[1, 130] = True
    is_right = bool((out.isnan() == wanted).all())
    if not is_right:
        print(f"{kernel.name}: NaN in {out.isnan().any(2).sum().item()} rows")
    return 0 if is_right else 1


def main() -> None:
    folder, wrong, count = Path(sys.argv[1]).resolve(), 0, 0
    shapes = [(1, 1, 1), (2, 64, 64), (2, 128, 128), (3, 129, 129), (2, 191, 193), (2, 300, 300), (2, 65, 500)]
    shapes += [(1, 200, 1000), (2, 1, 777), (5, 1024, 1024), (140, 192, 256), (1, 7, 4099)]
    for size, mask in [*itertools.product((64, 128), ("causal", "full")), (128, "shared")]:
        kernel = Kernel(folder, f"attention_{size}_{mask}")
        cases = [(shape, 0.125, "dense") for shape in shapes]
        cases += [((3, 200, 333), 0.3, layout) for layout in ("rows first", "apart", "not aligned")]
        cases += [((2, 100, 130), scale, "dense") for scale in (-0.5, 0.0, 4.0)]
        cases += [((3, 500, 40), 0.125, "dense")] if mask == "full" else []
        for shape, scale, layout in cases:
            count += 1
            wrong += check(kernel, size, mask != "full", shape, scale, layout)
        wrong += check_nan(kernel, size)
    print(f"{count} calls, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
