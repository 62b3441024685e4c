# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The largest elements of each row and where they are: runs of 32 are sorted, then merged four at a time.

Sorted runs are pairs of a value and the bits of its index; a mask picks one or the other.
"""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = 1024
K = 16


@pl.jit
def topk(
    x: pl.Tensor[[M, N], pl.FP32],
    values: pl.Out[pl.Tensor[[M, K], pl.FP32]],
    indices: pl.Out[pl.Tensor[[M, K], pl.INT32]],
) -> None:
    for i in pl.parallel(M):
        with pl.at(level=pl.Level.CORE_GROUP):
            row = x[i : i + 1, :]
            pairs = pl.sort32(row, pl.arange(0, [1, N], pl.UINT32))
            for run in pl.unroll(3):
                pairs = pl.mrgsort(pairs, block_len=64 * 4**run)
            pairs = pl.mrgsort(pairs[:, 0:N], pairs[:, N : 2 * N])[:, 0 : 2 * K]
            values[i : i + 1, :] = pl.gather(pairs, mask_pattern=pl.MaskPattern.P0101)
            indices[i : i + 1, :] = pl.gather(pairs, mask_pattern=pl.MaskPattern.P1010, output_dtype=pl.INT32)


def reference(x: np.ndarray) -> tuple[np.ndarray, ...]:
    order = np.argsort(-x, axis=1, kind="stable")[:, :K].astype(np.int32)
    return np.take_along_axis(x, order, axis=1), order
