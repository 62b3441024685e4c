# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product whose author says where everything lies."""

import tegula.language as pl


@pl.jit
def product(x: pl.Tensor[[16, 16], pl.FP32], y: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        left = pl.move(tile, target_memory=pl.Mem.Left)
        right = pl.move(tile, target_memory=pl.Mem.Right)
        total = pl.create_tile([16, 16], dtype=pl.FP32, target_memory=pl.Mem.Acc)
        for _ in pl.range(4):
            total = pl.matmul_acc(total, left, right)
        pl.store(pl.move(total, target_memory=pl.Mem.Vec), [0, 0], y)
