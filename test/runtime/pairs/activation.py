# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations: each kernel under @pl.jit, and the program one would write by hand for it."""

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


@pl.program
class Silu:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
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


@pl.program
class ReluOfSum:
    @pl.function(type=pl.FunctionType.InCore)
    def activate(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        b: pl.Tensor[[M, N], pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        total = pl.add(x, b)
        y[:] = pl.relu(total)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        b: pl.Tensor[[M, N], pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        self.activate(x, b, y)


@pl.jit
def gelu(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = 0.5 * x * (1.0 + pl.erf(x * 0.7071067811865476))


@pl.program
class Gelu:
    @pl.function(type=pl.FunctionType.Inline)
    def half(self, t):
        return 0.5 * t

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        scaled = pl.muls(x, 0.7071067811865476)
        y[:] = self.half(x) * pl.add(1.0, pl.erf(scaled))


@pl.jit
def swiglu(gate: pl.Tensor[[M, N], pl.BF16], up: pl.Tensor[[M, N], pl.BF16], y: pl.Out[pl.Tensor[[M, N], pl.BF16]]):
    g = pl.cast(gate, pl.FP32)
    u = pl.cast(up, pl.FP32)
    y[:] = pl.cast(g * sigmoid(g) * u, pl.BF16, mode="rint")


@pl.program
class Swiglu:
    @pl.function(type=pl.FunctionType.Inline)
    def swish(self, v):
        e = pl.exp(-v)
        return v * pl.recip(1.0 + e)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        gate: pl.Tensor[[M, N], pl.BF16],
        up: pl.Tensor[[M, N], pl.BF16],
        y: pl.Out[pl.Tensor[[M, N], pl.BF16]],
    ):
        wide = pl.cast(gate, pl.FP32)
        product = self.swish(wide) * pl.cast(up, pl.FP32)
        y[:] = pl.cast(product, pl.BF16, mode=1)
