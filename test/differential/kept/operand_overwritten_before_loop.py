# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A factor is loaded, its tensor overwritten, and only then multiplied tile by tile.
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.InOut[pl.Tensor[[19, 23], pl.FP32]],
    w: pl.Tensor[[23, N], pl.FP32],
    y: pl.InOut[pl.Tensor[[19, N], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [19, 23])
        pl.store(t * 2.0 + 1.0, [0, 0], x)
        for j in pl.range(0, N, 7):
            y[:, j : j + 7] = pl.matmul(t, w[:, j : j + 7])
