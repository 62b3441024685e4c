# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An addition in Triton, for bench/gpu_calls.py."""

import torch
import triton
import triton.language as tl


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr) -> None:
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = places < n
    tl.store(c + places, tl.load(a + places, mask=inside) + tl.load(b + places, mask=inside), mask=inside)


def run(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> None:
    add[(triton.cdiv(a.numel(), 1024),)](a, b, c, a.numel(), BLOCK=1024)
