# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole tensors move: each rank puts its block to the previous rank, and gets the block of the next one."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
M = pl.dynamic("M")
COLUMNS = 16


@pl.jit.incore
def exchange(
    x: pl.Tensor[[M, COLUMNS], pl.FP32],
    put: pl.Out[pl.Tensor[[M, COLUMNS], pl.FP32]],
    got: pl.Out[pl.Tensor[[M, COLUMNS], pl.FP32]],
    window: pld.DistributedTensor[[M, COLUMNS], pl.FP32],
    own: pld.DistributedTensor[[M, COLUMNS], pl.FP32],
) -> None:
    ranks = pld.nranks()
    before = (pld.rank() + ranks - 1) % ranks
    after = (pld.rank() + 1) % ranks
    own[:] = x
    pld.tensor.put(dst=window, peer=before, src=x)
    pld.tensor.barrier()
    put[:] = window
    pld.tensor.get(dst=got, peer=after, src=own)
    pld.tensor.barrier()


@pl.jit.host
def put_get(
    x: pl.Tensor[[NR, M, COLUMNS], pl.FP32],
    put: pl.Out[pl.Tensor[[NR, M, COLUMNS], pl.FP32]],
    got: pl.Out[pl.Tensor[[NR, M, COLUMNS], pl.FP32]],
) -> None:
    window = pld.alloc_window_buffer([M, COLUMNS], dtype=pl.FP32)
    own = pld.alloc_window_buffer([M, COLUMNS], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        exchange(
            x[r],
            put[r],
            got[r],
            pld.window(window, [M, COLUMNS], dtype=pl.FP32),
            pld.window(own, [M, COLUMNS], dtype=pl.FP32),
            device=r,
        )


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    shape = (ranks, size, COLUMNS)
    return [rng.standard_normal(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, np.float32)]


def reference(x: np.ndarray, put: np.ndarray, got: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.roll(x, -1, axis=0), np.roll(x, -1, axis=0)
