# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fused linear layers: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def linear(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    y[:] = pl.matmul(x, w) + bias


@pl.program
class Linear:
    @pl.function(type=pl.FunctionType.InCore)
    def product(self, x: pl.Tensor[[M, K], pl.FP32], w: pl.Tensor[[K, N], pl.FP32]):
        return pl.matmul(x, w)

    @pl.function(type=pl.FunctionType.InCore)
    def add_bias(self, t, bias: pl.Tensor[[1, N], pl.FP32]):
        return pl.col_expand_add(t, bias)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, K], pl.FP32],
        w: pl.Tensor[[K, N], pl.FP32],
        bias: pl.Tensor[[1, N], pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        y[:] = self.add_bias(self.product(x, w), bias)


@pl.jit
def linear_relu(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    y[:] = pl.relu(x @ w + bias)


@pl.program
class LinearRelu:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, K], pl.FP32],
        w: pl.Tensor[[K, N], pl.FP32],
        bias: pl.Tensor[[N], pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        product = pl.matmul(x, w)
        product += bias
        y[:] = pl.relu(product)


@pl.jit
def two_stages(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    hidden = pl.create_tensor([M, N], dtype=pl.FP32)
    hidden[:] = x @ w
    y[:] = hidden + bias


@pl.program
class TwoStages:
    @pl.function(type=pl.FunctionType.InCore)
    def product(
        self, x: pl.Tensor[[M, K], pl.FP32], w: pl.Tensor[[K, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]
    ):
        out[:] = pl.matmul(x, w)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def add_bias(
        self, t: pl.Tensor[[M, N], pl.FP32], bias: pl.Tensor[[1, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]
    ):
        out[:] = t + bias
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, K], pl.FP32],
        w: pl.Tensor[[K, N], pl.FP32],
        bias: pl.Tensor[[1, N], pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        between = pl.create_tensor([M, N], dtype=pl.FP32)
        between = self.product(x, w, between)
        y = self.add_bias(between, bias, y)
        return y
