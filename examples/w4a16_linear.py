# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear layer with 4-bit weights, packed two per byte, and a scale for each group of a row."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
G = pl.dynamic("G")  # groups in a row
DTYPE = pl.FP16
ROWS = 32
COLUMNS = 64
GROUP = 32


@pl.jit
def w4a16_linear(
    x: pl.Tensor[[M, K], DTYPE],
    weight: pl.Tensor[[N, K], pl.INT4],
    scale: pl.Tensor[[N, G], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    for j in pl.parallel(0, N, COLUMNS):
        for i in pl.range(0, M, ROWS):
            with pl.at(level=pl.Level.CORE_GROUP):
                total = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
                for k in pl.range(0, K, GROUP):
                    group = k // GROUP
                    part = pl.cast(weight[j : j + COLUMNS, k : k + GROUP], pl.FP32)
                    part = pl.row_expand_mul(part, scale[j : j + COLUMNS, group : group + 1])
                    total += pl.matmul(pl.cast(x[i : i + ROWS, k : k + GROUP], pl.FP32), part, b_trans=True)
                y[i : i + ROWS, j : j + COLUMNS] = pl.cast(total, DTYPE, mode="rint")


def reference(x: np.ndarray, weight: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """The weights, unpacked."""
    wide = weight.astype(np.float32) * np.repeat(scale, GROUP, axis=1)[:, : weight.shape[1]]
    expected: np.ndarray = (x.astype(np.float32) @ wide.T).astype(x.dtype)
    return expected
