# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accumulation: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def gemm(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        for j in pl.range(0, N, 64):
            with pl.at(level=pl.Level.CORE_GROUP):
                acc = pl.full([64, 64], dtype=pl.FP32, value=0.0)
                for k in pl.range(0, K, 128):
                    acc = pl.matmul_acc(acc, a[i : i + 64, k : k + 128], b[k : k + 128, j : j + 64])
                c[i : i + 64, j : j + 64] = acc


@pl.program
class Gemm:
    @pl.function(type=pl.FunctionType.InCore)
    def block(
        self,
        a: pl.Tensor[[M, K], pl.FP32],
        b: pl.Tensor[[K, N], pl.FP32],
        row: pl.Scalar[pl.INDEX],
        column: pl.Scalar[pl.INDEX],
    ):
        total = pl.full([64, 64], dtype=pl.FP32, value=0.0)
        for at in pl.range(0, K, 128):
            left = pl.load(a, [row, at], [64, 128])
            right = pl.load(b, [at, column], [128, 64])
            total = pl.matmul_acc(total, left, right)
        return total

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, K], pl.FP32],
        b: pl.Tensor[[K, N], pl.FP32],
        c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        for i in pl.parallel(0, M, 64):
            for j in pl.range(0, N, 64):
                with pl.at(level=pl.Level.CORE_GROUP):
                    result = self.block(a, b, i, j)
                    c[i : i + 64, j : j + 64] = result


@pl.jit
def sum_of_rows(x: pl.Tensor[[M, 128], pl.FP32], y: pl.Out[pl.Tensor[[1, 128], pl.FP32]]):
    total = pl.full([1, 128], dtype=pl.FP32, value=0.0)
    for i in pl.range(M):
        total += x[i : i + 1, :]
    y[:] = total


@pl.program
class SumOfRows:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, 128], pl.FP32], y: pl.Out[pl.Tensor[[1, 128], pl.FP32]]):
        acc = pl.create_tile([1, 128], dtype=pl.FP32)
        for row in pl.range(0, M):
            line = x[row : row + 1, :]
            acc = pl.add(acc, line)
        y[:] = acc


@pl.jit
def split_k(
    a: pl.Tensor[[64, 128], pl.FP32], b: pl.Tensor[[128, 64], pl.FP32], c: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
):
    first = pl.matmul(a[:, 0:64], b[0:64, :])
    c[:] = pl.matmul_acc(first, a[:, 64:128], b[64:128, :])


@pl.program
class SplitK:
    @pl.function(type=pl.FunctionType.InCore)
    def main(
        self,
        a: pl.Tensor[[64, 128], pl.FP32],
        b: pl.Tensor[[128, 64], pl.FP32],
        c: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ):
        half = a.shape[1] // 2
        acc = pl.matmul(pl.slice(a, [64, half], [0, 0]), pl.slice(b, [half, 64], [0, 0]))
        acc = pl.matmul_acc(acc, pl.slice(a, [64, half], [0, half]), pl.slice(b, [half, 64], [half, 0]))
        c[:] = acc


@pl.jit
def running(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[2, 64], pl.FP32]]):
    low = pl.full([1, 64], dtype=pl.FP32, value=3e38)
    high = pl.full([1, 64], dtype=pl.FP32, value=-3e38)
    for i in pl.range(M):
        low = pl.minimum(low, x[i : i + 1, :])
        high = pl.maximum(high, x[i : i + 1, :])
    y[0:1, :] = low
    y[1:2, :] = high


@pl.program
class Running:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[2, 64], pl.FP32]]):
        z_most = pl.full([1, 64], dtype=pl.FP32, value=-3e38)
        least = pl.full([1, 64], dtype=pl.FP32, value=3e38)
        for i in pl.range(M):
            z_most = pl.maximum(z_most, x[i : i + 1, :])
            least = pl.minimum(least, x[i : i + 1, :])
        y[0:1, :] = least
        y[1:2, :] = z_most
