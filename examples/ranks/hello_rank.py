# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every rank writes its number and how many there are: the smallest program over ranks."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")


@pl.jit.incore
def say(out: pl.Out[pl.Tensor[[2], pl.INT32]]) -> None:
    out[0] = pl.cast(pld.rank(), pl.INT32)
    out[1] = pl.cast(pld.nranks(), pl.INT32)


@pl.jit.host
def hello_rank(out: pl.Out[pl.Tensor[[NR, 2], pl.INT32]]) -> None:
    for r in pl.range(pld.world_size()):
        say(out[r], device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [np.zeros((ranks, 2), np.int32)]


def reference(out: np.ndarray) -> np.ndarray:
    ranks = out.shape[0]
    return np.stack([np.arange(ranks), np.full(ranks, ranks)], axis=1).astype(np.int32)
