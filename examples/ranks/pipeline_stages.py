# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pipeline of two stages on different ranks: the second reads the output of the first once it has arrived."""

import numpy as np

import tegula.language as pl
import tegula.language.distributed as pld

CHUNKS = pl.dynamic("CHUNKS")
N = pl.dynamic("N")


@pl.jit.incore
def first(x: pl.Tensor[[N], pl.FP32], between: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    between[:] = pl.load(x) * 2.0 + 1.0


@pl.jit.incore
def second(between: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    y[:] = pl.load(between) * pl.load(between)


@pl.jit.host
def pipeline_stages(x: pl.Tensor[[CHUNKS, N], pl.FP32], y: pl.Out[pl.Tensor[[CHUNKS, N], pl.FP32]]) -> None:
    between = pl.create_tensor([CHUNKS, N], dtype=pl.FP32)
    last = pld.world_size() - 1
    for i in pl.range(CHUNKS):
        first(x[i], between[i], device=0)
        second(between[i], y[i], device=last)


def inputs(ranks: int, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.standard_normal((7, size), np.float32), np.zeros((7, size), np.float32)]


def reference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    between = x * np.float32(2) + np.float32(1)
    return between * between
