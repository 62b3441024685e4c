# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
TILE = 64


@pl.jit
def matmul(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b)


@pl.program
class Matmul:
    @pl.function(type=pl.FunctionType.InCore)
    def product(
        self,
        left: pl.Tensor[[M, K], pl.FP32],
        right: pl.Tensor[[K, N], pl.FP32],
        result: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        result[:] = left @ right

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, K], pl.FP32],
        b: pl.Tensor[[K, N], pl.FP32],
        c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        self.product(a, b, c)


@pl.jit
def tiled_matmul(a: pl.Tensor[[M, K], pl.FP16], b: pl.Tensor[[K, N], pl.FP16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, TILE):
        for j in pl.parallel(0, N, TILE):
            with pl.at(level=pl.Level.CORE_GROUP):
                c[i : i + TILE, j : j + TILE] = pl.matmul(a[i : i + TILE, :], b[:, j : j + TILE])


@pl.program
class TiledMatmul:
    @pl.function(type=pl.FunctionType.InCore)
    def block(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        i: pl.Scalar[pl.INDEX],
        j: pl.Scalar[pl.INDEX],
        c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        rows = pl.load(a, [i, 0], [64, K])
        columns = pl.load(b, [0, j], [K, 64])
        c[i : i + 64, j : j + 64] = pl.matmul(rows, columns)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        for i in pl.parallel(0, M, 64):
            for j in pl.parallel(0, N, 64):
                with pl.at(level=pl.Level.CORE_GROUP):
                    self.block(a, b, i, j, c)


@pl.jit
def matmul_transposed(
    a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[N, K], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.BF16]]
):
    c[:] = pl.matmul(a, b, b_trans=True, out_dtype=pl.BF16)


@pl.program
class MatmulTransposed:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, K], pl.BF16],
        b: pl.Tensor[[N, K], pl.BF16],
        c: pl.Out[pl.Tensor[[M, N], pl.BF16]],
    ):
        wide = pl.matmul(a, b, a_trans=False, b_trans=True)
        c[:] = pl.cast(wide, pl.BF16, mode="rint")
