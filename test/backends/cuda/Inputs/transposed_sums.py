# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums that pass through shared memory next to operands that are prefetched."""

import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[M, K], pl.BF16],
    w: pl.Tensor[[K, 128], pl.BF16],
    y: pl.Out[pl.Tensor[[128, M], pl.FP32]],
):
    for i in pl.parallel(0, M, 128):
        acc = pl.full([128, 128], dtype=pl.FP32, value=0.0)
        for k in pl.range(0, K, 64):
            acc = pl.matmul_acc(acc, x[i : i + 128, k : k + 64], w[k : k + 64, :])
            acc = pl.transpose(pl.transpose(acc) + 1.0)
        y[:, i : i + 128] = pl.transpose(acc)
