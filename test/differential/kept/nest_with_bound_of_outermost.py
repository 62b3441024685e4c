# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The compiler took the innermost loop for one of a nest, and looked for its bound in front of all three.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(x: pl.Tensor[[M, N, M], pl.FP32], y: pl.InOut[pl.Tensor[[M, N, M], pl.FP32]]):
    for a in pl.parallel(M):
        for b in pl.parallel(N):
            for c in pl.parallel(a):
                y[a, b, c : c + 1] = x[a, b, c : c + 1] + 1.0
