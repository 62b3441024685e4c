# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"Matrix products: each kernel under @pl.jit, and the same with helpers, written by hand."

import tegula.language as pl

M = pl.dynamic("M")

N = pl.dynamic("N")

K = pl.dynamic("K")

TILE = 64


@pl.jit
def matmul(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b)


@pl.jit.incore
def Matmul_product(
    left: pl.Tensor[[M, K], pl.FP32], right: pl.Tensor[[K, N], pl.FP32], result: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    result[:] = left @ right


@pl.jit
def Matmul(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    Matmul_product(a, b, c)


@pl.jit
def tiled_matmul(a: pl.Tensor[[M, K], pl.FP16], b: pl.Tensor[[K, N], pl.FP16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, TILE):
        for j in pl.parallel(0, N, TILE):
            with pl.at(level=pl.Level.CORE_GROUP):
                c[i : i + TILE, j : j + TILE] = pl.matmul(a[i : i + TILE, :], b[:, j : j + TILE])


@pl.jit.incore
def TiledMatmul_block(
    a: pl.Tensor[[M, K], pl.FP16],
    b: pl.Tensor[[K, N], pl.FP16],
    i: pl.Scalar[pl.INDEX],
    j: pl.Scalar[pl.INDEX],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    rows = pl.load(a, [i, 0], [64, K])
    columns = pl.load(b, [0, j], [K, 64])
    c[i : i + 64, j : j + 64] = pl.matmul(rows, columns)


@pl.jit
def TiledMatmul(a: pl.Tensor[[M, K], pl.FP16], b: pl.Tensor[[K, N], pl.FP16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        for j in pl.parallel(0, N, 64):
            with pl.at(level=pl.Level.CORE_GROUP):
                TiledMatmul_block(a, b, i, j, c)


@pl.jit
def matmul_transposed(
    a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[N, K], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.BF16]]
):
    c[:] = pl.matmul(a, b, b_trans=True, out_dtype=pl.BF16)


@pl.jit
def MatmulTransposed(
    a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[N, K], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.BF16]]
):
    wide = pl.matmul(a, b, a_trans=False, b_trans=True)
    c[:] = pl.cast(wide, pl.BF16, mode="rint")
