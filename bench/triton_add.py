# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An addition in Triton, for bench/gpu_calls.py."""

import torch
import triton
import triton.language as tl


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr) -> None:
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(c + offsets, tl.load(a + offsets, mask=inside) + tl.load(b + offsets, mask=inside), mask=inside)


def run(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> None:
    add[(triton.cdiv(a.numel(), 1024),)](a, b, c, a.numel(), BLOCK=1024)
