# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RMSNorm as tensor-level expressions over the whole matrix: no loop, no tile shape."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
EPSILON = 1e-6


@pl.jit
def rms_norm_tensors(
    x: pl.Tensor[[M, N], DTYPE],
    gamma: pl.Tensor[[1, N], DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    t = pl.cast(x, pl.FP32)
    mean = pl.row_sum(t * t) * (1.0 / pl.cast(N, pl.FP32))
    y[:] = pl.cast(t * pl.rsqrt(mean + EPSILON) * pl.cast(gamma, pl.FP32), DTYPE, mode="rint")


def reference(x: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    t = x.astype(np.float64)
    if t.shape[1] == 0:
        return x.copy()
    scale = 1.0 / np.sqrt((t**2).mean(axis=1, keepdims=True) + EPSILON)
    expected: np.ndarray = (t * scale * gamma.astype(np.float64)).astype(x.dtype)
    return expected
