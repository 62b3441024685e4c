# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

H = pl.dynamic("H")
W = pl.dynamic("W")
EVEN = pl.cdiv(W, 2) * 2


@pl.jit
def k(
    x: pl.Tensor[[H, W], pl.FP32],
    y: pl.Out[pl.Tensor[[H - 2, W], pl.FP32]],
    z: pl.Out[pl.Tensor[[pl.cdiv(H, 2), 1 + EVEN], pl.FP32]],
):
    y[:] = x[2:H, :]
    z[:] = pl.zeros([pl.cdiv(H, 2), 1 + EVEN])


def reference(x):
    return x[2:], [[0] * 11] * 4
