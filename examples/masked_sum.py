# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums the first `lengths[i]` elements of each row, block by block.

A branch at run time sets the valid extent of a block; the rest of the block is padded with zeros.
"""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32
BLOCK = 64


@pl.jit
def masked_sum(
    x: pl.Tensor[[M, N], DTYPE],
    lengths: pl.Tensor[[M], pl.INT32],
    y: pl.Out[pl.Tensor[[M, 1], pl.FP32]],
) -> None:
    for i in pl.range(M):
        length = min(pl.cast(lengths[i], pl.INDEX), N)
        total = pl.full([1, BLOCK], dtype=pl.FP32, value=0.0)
        j = 0
        while j < length:
            if j + BLOCK <= length:
                valid = BLOCK
            else:
                valid = length - j
            block = pl.load(x, [i, j], [1, BLOCK], valid_shape=[1, valid])
            total = total + pl.fillpad(pl.cast(block, pl.FP32), pad=pl.PadValue.zero)
            j += BLOCK
        y[i : i + 1, :] = pl.row_sum(total)


def reference(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    counted = np.arange(x.shape[1])[None, :] < lengths[:, None]
    expected: np.ndarray = np.where(counted, x.astype(np.float64), 0.0).sum(axis=1, keepdims=True).astype(np.float32)
    return expected
