# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"Fused linear layers: each kernel under @pl.jit, and the same with helpers, written by hand."

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


@pl.jit.incore
def Linear_product(x: pl.Tensor[[M, K], pl.FP32], w: pl.Tensor[[K, N], pl.FP32]):
    return pl.matmul(x, w)


@pl.jit.incore
def Linear_add_bias(t, bias: pl.Tensor[[1, N], pl.FP32]):
    return pl.col_expand_add(t, bias)


@pl.jit
def Linear(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    y[:] = Linear_add_bias(Linear_product(x, w), bias)


@pl.jit
def linear_relu(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    y[:] = pl.relu(x @ w + bias)


@pl.jit
def LinearRelu(
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


@pl.jit.incore
def TwoStages_product(
    x: pl.Tensor[[M, K], pl.FP32], w: pl.Tensor[[K, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    out[:] = pl.matmul(x, w)
    return out


@pl.jit.incore
def TwoStages_add_bias(
    t: pl.Tensor[[M, N], pl.FP32], bias: pl.Tensor[[1, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    out[:] = t + bias
    return out


@pl.jit
def TwoStages(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, N], pl.FP32],
    bias: pl.Tensor[[1, N], pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    between = pl.create_tensor([M, N], dtype=pl.FP32)
    between = TwoStages_product(x, w, between)
    y = TwoStages_add_bias(between, bias, y)
    return y
