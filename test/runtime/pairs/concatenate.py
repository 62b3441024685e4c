# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Concatenation: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def sideBySide(a: pl.Tensor[[M, 32], pl.FP32], b: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]):
    y[:] = pl.concat(a, b)


@pl.program
class SideBySide:
    @pl.function(type=pl.FunctionType.InCore)
    def join(self, left, right):
        return pl.concat(left, right, axis=1)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, 32], pl.FP32],
        b: pl.Tensor[[M, 16], pl.FP32],
        y: pl.Out[pl.Tensor[[M, 48], pl.FP32]],
    ):
        y[:] = self.join(a, b)


@pl.jit
def columns_by_parts(
    a: pl.Tensor[[M, 32], pl.FP32], b: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]
):
    y[:, 0:32] = a
    y[:, 32:48] = b


@pl.program
class ColumnsByParts:
    @pl.function(type=pl.FunctionType.InCore)
    def put(self, part, at, y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]):
        t = pl.load(part)
        y[:, at : at + part.shape[1]] = t

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, 32], pl.FP32],
        b: pl.Tensor[[M, 16], pl.FP32],
        y: pl.Out[pl.Tensor[[M, 48], pl.FP32]],
    ):
        self.put(a, 0, y)
        self.put(b, 32, y)
