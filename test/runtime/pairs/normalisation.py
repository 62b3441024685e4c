# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normalisation: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
ROWS = 16
EPSILON = 1e-6


@pl.jit
def rms_norm(x: pl.Tensor[[M, N], pl.FP32], gamma: pl.Tensor[[1, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    mean = pl.row_sum(x * x) * (1.0 / pl.cast(N, pl.FP32))
    y[:] = x * pl.rsqrt(mean + EPSILON) * gamma


@pl.program
class RmsNorm:
    @pl.function(type=pl.FunctionType.Inline)
    def mean_square(self, v):
        squares = pl.mul(v, v)
        return pl.row_sum(squares) * (1.0 / pl.cast(v.shape[1], pl.FP32))

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        gamma: pl.Tensor[[1, N], pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        t = pl.load(x)
        scale = pl.rsqrt(self.mean_square(t) + 1e-6)
        normal = pl.row_expand_mul(t, scale)
        y[:] = pl.col_expand_mul(normal, gamma)


@pl.jit
def layer_norm(
    x: pl.Tensor[[M, N], pl.FP32],
    gamma: pl.Tensor[[1, N], pl.FP32],
    beta: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            share = 1.0 / pl.cast(N, pl.FP32)
            t = pl.load(x[i : i + ROWS, :])
            centred = t - pl.row_sum(t) * share
            variance = pl.row_sum(centred * centred) * share
            y[i : i + ROWS, :] = centred * pl.rsqrt(variance + EPSILON) * gamma + beta


@pl.program
class LayerNorm:
    @pl.function(type=pl.FunctionType.InCore)
    def block(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        gamma: pl.Tensor[[1, N], pl.FP32],
        beta: pl.Tensor[[1, N], pl.FP32],
        i: pl.Scalar[pl.INDEX],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        per_column = 1.0 / pl.cast(N, pl.FP32)
        t = pl.load(x[i : i + 16, :])
        mean = pl.row_sum(t) * per_column
        centred = pl.row_expand_sub(t, mean)
        variance = pl.row_sum(centred * centred) * per_column
        normal = pl.row_expand_mul(centred, pl.rsqrt(variance + 1e-6))
        scaled = pl.col_expand_mul(normal, gamma)
        y[i : i + 16, :] = pl.col_expand_add(scaled, beta)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        gamma: pl.Tensor[[1, N], pl.FP32],
        beta: pl.Tensor[[1, N], pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        for i in pl.parallel(0, M, 16):
            with pl.at(level=pl.Level.CORE_GROUP):
                self.block(x, gamma, beta, i, y)
