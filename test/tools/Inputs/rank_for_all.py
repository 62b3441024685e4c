# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A dispatch to all ranks writes the same at each."""

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def double(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = pl.load(x) * 2.0


@pl.jit.host
def for_all(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]):
    between = pl.create_tensor([N], dtype=pl.FP32)
    double(x, between, device=-1)
    for r in pl.range(pld.world_size()):
        double(between, y[r], device=r)
