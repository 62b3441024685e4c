# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An index that is out of range is reported where it is written, with its value and the extent."""

import inspect

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


def of_a_sorted_row(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for i in pl.range(M):
        values, places = pl.sort(x[i] + 0.0)
        y[i] = values[k + 1] + pl.cast(places[0], pl.FP32)


def of_the_largest(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    values, places = pl.topk(x, 3)
    for i in pl.range(M):
        best = values[i, k + 1] + pl.cast(places[i, 0], pl.FP32)
        y[i] = best


def of_an_expression(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    t = x * 2.0
    y[:] = t[0, k + 1]


def of_a_gather(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = pl.reshape(pl.gather(x, -1, pl.full([M, 1], pl.INT32, 0) + (k + 1)), [M])


def of_an_element(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x[0, k + 1]


def of_a_row(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x[:, k + 1]


def of_what_is_written(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = 0.0
    y[k + 1] = x[0, 0]


KERNELS = {
    of_a_sorted_row: ("k + 1", 0),
    of_the_largest: ("k + 1", 1),
    of_an_expression: ("k + 1", 1),
    of_a_gather: ("pl.full", 1),
    of_an_element: ("k + 1", 1),
    of_a_row: ("k + 1", 1),
    of_what_is_written: ("k + 1", 0),
}


@pytest.mark.parametrize("target", ["cpu", "interpreter", "interpreter:tiles"])
@pytest.mark.parametrize("body", KERNELS, ids=lambda body: body.__name__)
def test_it_is_named_where_it_stands(body, target):
    text, axis = KERNELS[body]
    lines, first = inspect.getsourcelines(body)
    line = next(i for i, each in enumerate(lines) if text in each)
    place = f":{first + line}:{lines[line].index(text) + 1}:"
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    with pytest.raises(tegula.RunError) as raised:
        pl.jit(target=target)(body)(x, 7, np.zeros(3, np.float32))
    said = str(raised.value)
    assert place in said and "index 8 o" in said and f"axis {axis} is out of range" in said, said
    assert "extent 3" in said or "the extent is 3" in said, said
