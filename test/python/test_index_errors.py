# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An index that is out of range is reported where it is written, with its value and the extent."""

import importlib
import inspect

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


def of_a_sorted_row(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for i in pl.range(M):
        values, indices = pl.sort(x[i] + 0.0)
        y[i] = values[k + 1] + pl.cast(indices[0], pl.FP32)


def of_the_largest(x: pl.Tensor[[M, N], pl.FP32], k: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    values, indices = pl.topk(x, 3)
    for i in pl.range(M):
        best = values[i, k + 1] + pl.cast(indices[i, 0], pl.FP32)
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
    location = f":{first + line}:{lines[line].index(text) + 1}:"
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    with pytest.raises(tegula.RunError) as raised:
        pl.jit(target=target)(body)(x, 7, np.zeros(3, np.float32))
    said = str(raised.value)
    assert location in said and "index 8 o" in said and f"axis {axis} is out of range" in said, said
    assert "extent 3" in said or "the extent is 3" in said, said


@pytest.mark.parametrize("target", ["cpu", "interpreter", "cuda:emulate", "npu:tpuv3"])
def test_a_failed_kernel_ends(target):
    """What a loop waits for never comes once a read has failed."""

    @pl.jit(target=target)
    def walk(following: pl.Tensor[[M], pl.INT64], y: pl.Out[pl.Tensor[[1], pl.INT64]]) -> None:
        index = pl.const(1, pl.INT64)
        count = pl.const(0, pl.INT64)
        while index >= 0:
            index = following[pl.cast(index, pl.INDEX)]
            count += 1
        y[0] = count

    assert walk(np.array([5, 2, -1])).tolist() == [2]
    with pytest.raises(tegula.RunError, match="index 7 (of|on) axis 0 is out of range"):
        walk(np.array([0, 7, -1]))


def test_what_no_guard_has_room_for_is_no_fact(tmp_path, monkeypatch):
    # So deep that a guard has no room for it and three loops.
    long = "A + (" * 30 + "M" + ")" * 30
    (tmp_path / "long_kernel.py").write_text(
        f"""
import tegula.language as pl
A = pl.dynamic("A")
M = pl.dynamic("M")
N = pl.dynamic("N")

@pl.jit
def write(
    a: pl.Tensor[[A], pl.INT8],
    m: pl.Tensor[[M], pl.INT8],
    k: pl.Scalar[pl.INDEX],
    l: pl.Scalar[pl.INDEX],
    y: pl.InOut[pl.Tensor[[N], pl.FP32]],
):
    for i in pl.range(0, k):
        for j in pl.range(0, l):
            for n in pl.range(0, M):
                assert {long} <= N - 8
                y[{long} : {long} + 8] = pl.full([8], pl.FP32, 3.0)
"""
    )
    monkeypatch.syspath_prepend(tmp_path)
    write = importlib.import_module("long_kernel").write
    memory = np.zeros(100, np.float32)
    one, forty = np.zeros(1, np.int8), np.zeros(40, np.int8)
    write(one, forty, 0, 1, memory[:10])
    with pytest.raises(tegula.RunError, match="needs"):
        write(one, forty, 1, 1, memory[:10])
    assert not memory.any()
