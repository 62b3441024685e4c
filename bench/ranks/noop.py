# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A host program with an empty dispatch to each rank."""

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")


@pl.jit.incore
def nothing(out: pl.Out[pl.Tensor[[1], pl.INT32]]):
    out[0] = 1


@pl.jit.host
def noop(out: pl.Out[pl.Tensor[[NR], pl.INT32]]):
    for r in pl.range(pld.world_size()):
        nothing(out[r : r + 1], device=r)
