# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A window and a barrier: each rank writes its row to its window, then reads all rows after a barrier."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def total(
    x: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[N], pl.FP32]],
    window: pld.DistributedTensor[[N], pl.FP32],
) -> None:
    window[:] = x
    pld.tensor.barrier()
    for i in pl.range(0, N, 512):
        # The last block is a tail.
        part = pl.slice(window, [512], [i])
        acc = pl.load(part) * 0.0
        for peer in pl.range(pld.nranks()):
            acc = acc + pld.tile.remote_load(window, peer=peer, offsets=[i], shape=[512])
        y[i : i + 512] = acc
    pld.tensor.barrier()


@pl.jit.host
def window_barrier(x: pl.Tensor[[NR, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]) -> None:
    buffer = pld.alloc_window_buffer([N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        total(x[r], y[r], pld.window(buffer, [N], dtype=pl.FP32), device=r)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.standard_normal((ranks, size), np.float32), np.zeros((ranks, size), np.float32)]


def reference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    total = np.zeros_like(x[0])
    for row in x:
        total = total + row
    return np.broadcast_to(total, x.shape)
