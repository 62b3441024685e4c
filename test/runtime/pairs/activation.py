# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"Activations: each kernel under @pl.jit, and the same with helpers, written by hand."

import tegula.language as pl

M = pl.dynamic("M")

N = pl.dynamic("N")

ROWS = 16


@pl.jit.inline
def sigmoid(t):
    return pl.recip(1.0 + pl.exp(-t))


@pl.jit
def silu(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = x[i : i + ROWS, :]
            y[i : i + ROWS, :] = t * sigmoid(t)


@pl.jit
def Silu(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x[i : i + 16, :])
            negative = pl.neg(t)
            e = pl.exp(negative)
            below = pl.add(1.0, e)
            y[i : i + 16, :] = pl.mul(t, pl.recip(below))


@pl.jit
def relu_of_sum(x: pl.Tensor[[M, N], pl.FP32], b: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = pl.relu(x + b)


@pl.jit.incore
def ReluOfSum_activate(
    x: pl.Tensor[[M, N], pl.FP32], b: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    total = pl.add(x, b)
    y[:] = pl.relu(total)


@pl.jit
def ReluOfSum(x: pl.Tensor[[M, N], pl.FP32], b: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    ReluOfSum_activate(x, b, y)


@pl.jit
def gelu(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = 0.5 * x * (1.0 + pl.erf(x * 0.7071067811865476))


@pl.jit.inline
def Gelu_half(t):
    return 0.5 * t


@pl.jit
def Gelu(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    scaled = pl.muls(x, 0.7071067811865476)
    y[:] = Gelu_half(x) * pl.add(1.0, pl.erf(scaled))


@pl.jit
def swiglu(gate: pl.Tensor[[M, N], pl.BF16], up: pl.Tensor[[M, N], pl.BF16], y: pl.Out[pl.Tensor[[M, N], pl.BF16]]):
    g = pl.cast(gate, pl.FP32)
    u = pl.cast(up, pl.FP32)
    y[:] = pl.cast(g * sigmoid(g) * u, pl.BF16, mode="rint")


@pl.jit.inline
def Swiglu_swish(v):
    e = pl.exp(-v)
    return v * pl.recip(1.0 + e)


@pl.jit
def Swiglu(gate: pl.Tensor[[M, N], pl.BF16], up: pl.Tensor[[M, N], pl.BF16], y: pl.Out[pl.Tensor[[M, N], pl.BF16]]):
    wide = pl.cast(gate, pl.FP32)
    product = Swiglu_swish(wide) * pl.cast(up, pl.FP32)
    y[:] = pl.cast(product, pl.BF16, mode=1)
