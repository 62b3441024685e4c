# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel file takes from NumPy and math, besides what only its reference uses."""

import math

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
SCALE = 1.0 / np.sqrt(64) + np.finfo(np.float16).eps + np.float64(0.1)
ROWS = int(np.log2(16))
NEW = None
rng = np.random.default_rng(0)
TABLE = rng.standard_normal((4, 4)).astype(np.float32)
np.random.seed(0)


@pl.jit
def named(x: pl.Tensor[[M, N], np.float32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, ROWS):
        rows = pl.cast(x[i : i + ROWS, :], np.float64) * np.pi
        rows = pl.where(rows < -np.inf, np.nan, rows + math.e * SCALE)
        y[i : i + ROWS, :] = pl.cast(rows, np.float32) + x[0, :][np.newaxis, :] + x[i : i + ROWS, 0][:, NEW]


def reference(x):
    return (x.astype(np.float64) * np.pi + math.e * SCALE).astype(np.float32) + x[0, :][np.newaxis, :] + x[:, 0][:, NEW]
