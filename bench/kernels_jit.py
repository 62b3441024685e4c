# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that bench/jit.py calls. A function makes each, so that it can be compiled cold more than once."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


def make_add():
    @pl.jit
    def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        out[:] = x + y

    return add


def make_silu():
    @pl.jit
    def silu(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        out[:] = x / (1.0 + pl.exp(-x))

    return silu


def make_softmax():
    @pl.jit
    def softmax(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        e = pl.exp(x - pl.max(x, axis=1, keepdims=True))
        out[:] = e / pl.sum(e, axis=1, keepdims=True)

    return softmax


def make_gemm():
    @pl.jit
    def gemm(x: pl.Tensor[[M, K], pl.FP32], y: pl.Tensor[[K, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        out[:] = pl.matmul(x, y)

    return gemm


def make_open():
    """Specialised on the shape: every size is a variant."""

    @pl.jit
    def scale(x, out: pl.Out[pl.Tensor]):
        out[:] = x * 2.0

    return scale


def make_open_dynamic():
    """The same, but one variant serves every size."""

    @pl.jit(dynamic=True)
    def scale(x, out: pl.Out[pl.Tensor]):
        out[:] = x * 2.0

    return scale
