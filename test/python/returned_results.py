# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of test_ranks.py: dispatched functions return what they computed, and the next dispatch uses it."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def square(x: pl.Tensor[[N], pl.FP32], rank: pl.Scalar[pl.INT32]):
    rows = pl.create_tensor([2, N], dtype=pl.FP32)
    rows[0] = x
    rows[1] = x * 2.0
    return pl.load(x) * x, rank + 1, rows, (rank + 1) % pld.nranks()


@pl.jit.incore
def add(a: pl.Tensor[[N], pl.FP32], b: pl.Tensor[[2, N], pl.FP32], factor: pl.Scalar[pl.INT32]):
    return (a + b[0] + b[1]) * pl.cast(factor, pl.FP32)


@pl.jit.host
def returned_results(
    x: pl.Tensor[[NR, N], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, N], pl.FP32]],
    total: pl.Out[pl.Tensor[[1], pl.INT32]],
):
    numbers = 0
    for r in pl.range(pld.world_size()):
        squares, number, rows, following = square(x[r], r, device=r)
        numbers = numbers + number
        # The next rank uses what this one gave.
        y[r] = add(squares, rows, number, device=following)
    total[0] = numbers


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    x = rng.integers(-8, 9, (ranks, size)).astype(np.float32)
    return [x, np.zeros_like(x), np.zeros(1, np.int32)]


def reference(x: np.ndarray, y: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.arange(1, len(x) + 1)
    return (x * x + 3 * x) * numbers[:, None].astype(np.float32), np.array([numbers.sum()], np.int32)
