# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = pl.dynamic("SIZE")


@pl.jit
def chip(x: pl.Tensor[[SIZE], pl.FP32], y: pl.Out[pl.Tensor[[SIZE], pl.FP32]]):
    y[:] = x * 2.0


@pl.jit.host
def host(x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]):
    for r in pl.range(pld.world_size()):
        chip(x[r], y[r], device=r)
