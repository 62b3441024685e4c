# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The loop over the inner axis of a product stores something else, which is read afterwards.
import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, 32], pl.FP32],
    y: pl.Out[pl.Tensor[[M, 32], pl.FP32]],
    s: pl.InOut[pl.Tensor[[M, 1], pl.FP32]],
):
    for i in pl.parallel(0, M, 16):
        acc = pl.full([16, 32], pl.FP32, 0.0)
        s[i : i + 16, :] = pl.full([16, 1], pl.FP32, 0.0)
        for c in pl.range(0, K, 16):
            a = x[i : i + 16, c : c + 16]
            acc = pl.matmul_acc(acc, a, w[c : c + 16, :])
            s[i : i + 16, :] = s[i : i + 16, :] + pl.row_sum(a * a)
        y[i : i + 16, :] = pl.row_expand_mul(acc, pl.rsqrt(s[i : i + 16, :] + 1.0))
