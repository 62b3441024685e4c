# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Positions go round: what a number leaves over is small, however large the number is.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x
    i = 0
    if M > 0:
        for _ in pl.range(10):
            i += 3
            y[i % M] = 1.0
            if (i * 5 + 1) % M == 0:
                y[i - i // M * M] = 2.0
        while i > 0:
            i //= 2
            y[i % M] = 3.0
