# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outputs that are left out again and again, and arguments by their names."""

import gc
import types
import weakref

import numpy as np
import pytest
import torch
from exchanged import Exchanged, exchanged

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


def make_add():
    @pl.jit
    def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        out[:] = x + y

    return add


def numbers(*shape):
    return np.random.default_rng(len(shape)).integers(1, 100, shape).astype(np.float32)


def test_each_call_makes_an_output_of_its_own():
    add = make_add()
    x, y = numbers(4, 6), numbers(4, 6) + 1
    outputs = [add(x, y) for _ in range(5)]
    assert len({out.ctypes.data for out in outputs}) == 5
    for out in outputs:
        assert type(out) is np.ndarray
        np.testing.assert_array_equal(out, x + y)


def test_outputs_follow_sizes_and_libraries():
    add = make_add()
    for shape in [(4, 6), (4, 6), (4, 6), (5, 6), (4, 6), (6, 4), (4, 6), (0, 3), (1, 1), (9, 2), (4, 6), (3, 3)] * 2:
        x, y = numbers(*shape), numbers(*shape) + 1
        np.testing.assert_array_equal(add(x, y), x + y)
        a, b = torch.from_numpy(x), torch.from_numpy(y)
        out = add(a, b)
        assert isinstance(out, torch.Tensor)
        torch.testing.assert_close(out, a + b)
        assert isinstance(add(x, b), np.ndarray)
        np.testing.assert_array_equal(add(x.T.copy().T, y), x + y)


def test_outputs_are_zeros_where_nothing_is_written():
    @pl.jit
    def corner(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        out[0:1, 0:1] = x[0:1, 0:1]

    x = numbers(8, 8)
    for _ in range(6):
        out = corner(x)
        assert out[0, 0] == x[0, 0]
        assert out.sum() == x[0, 0]
        out[:] = np.nan


def test_several_outputs_come_in_order():
    @pl.jit
    def both(
        x: pl.Tensor[[M], pl.FP32],
        n: pl.Scalar[pl.FP32],
        more: pl.Out[pl.Tensor[[M], pl.FP32]],
        less: pl.Out[pl.Tensor[[M], pl.FP32]],
    ):
        more[:] = x + n
        less[:] = x - n

    x = numbers(7)
    for n in [1.0, 1.0, 1.0, 2.0, 1.0, 3]:
        more, less = both(x, n)
        np.testing.assert_array_equal(more, x + np.float32(n))
        np.testing.assert_array_equal(less, x - np.float32(n))
        mine = np.empty_like(x)
        assert both(x, n, less=mine) is not mine
        np.testing.assert_array_equal(mine, x - np.float32(n))


def test_a_size_that_a_number_says_is_asked_again():
    @pl.jit
    def fill(n: pl.Scalar[pl.INT64], x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M * 2], pl.FP32]]):
        out[:] = pl.full([M * 2], pl.FP32, 1.0)

    for size in [3, 3, 3, 4, 3, 5]:
        assert fill(1, numbers(size)).shape == (2 * size,)


def test_what_is_wrong_is_still_said():
    add = make_add()
    x = numbers(4, 6)
    for _ in range(4):
        add(x, x)
    with pytest.raises(tegula.CallError, match="axis 1"):
        add(x, numbers(4, 5))
    with pytest.raises(tegula.CallError, match="FP32"):
        add(x, x.astype(np.float64))
    with pytest.raises(tegula.CallError, match="missing 1 required argument: 'y'"):
        add(x)
    with pytest.raises(tegula.CallError, match="unexpected keyword argument 'z'"):
        add(x, x, z=x)
    with pytest.raises(tegula.CallError, match="multiple values for argument 'x'"):
        add(x, x, x=x)
    with pytest.raises(tegula.CallError):
        add(x, x, x, x)


def test_names_are_put_in_order():
    add = make_add()
    x, y, out = numbers(4, 6), numbers(4, 6) + 1, np.empty((4, 6), np.float32)
    for _ in range(4):
        assert add(x, y, out=out) is None
        np.testing.assert_array_equal(out, x + y)
        assert add(out=out, y=y, x=x) is None
        np.testing.assert_array_equal(add(y=y, x=x), x + y)
        np.testing.assert_array_equal(add(x, y=y), x + y)
        np.testing.assert_array_equal(add(x, y, out=None), x + y)
    with pytest.raises(tegula.CallError, match="missing 1 required argument: 'x'"):
        add(y=y, out=out)


def test_defaults_are_what_they_are_now():
    @pl.jit
    def scale(
        x: pl.Tensor[[M], pl.FP32], factor: pl.Scalar[pl.FP32] = 2.0, out: pl.Out[pl.Tensor[[M], pl.FP32]] = None
    ):
        out[:] = x * factor

    x = numbers(5)
    for _ in range(4):
        np.testing.assert_array_equal(scale(x), x * 2)
        np.testing.assert_array_equal(scale(x, 3.0), x * 3)
        np.testing.assert_array_equal(scale(x, factor=4.0), x * 4)
    scale.__wrapped__.__defaults__ = (5.0, None)
    np.testing.assert_array_equal(scale(x), x * 5)


def test_outputs_have_the_defaults_of_now():
    @pl.jit
    def last(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]] = None):
        out[:] = x * 2

    @pl.jit
    def named(x: pl.Tensor[[M], pl.FP32], *, out: pl.Out[pl.Tensor[[M], pl.FP32]] = None):
        out[:] = x * 2

    @pl.jit
    def without(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * 2

    @pl.jit
    def without_name(x: pl.Tensor[[M], pl.FP32], *, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * 2

    def set_named(default):
        named.__wrapped__.__kwdefaults__["out"] = default

    def set_last(kernel, default):
        kernel.__wrapped__.__defaults__ = None if default is None else (default,)

    def set_kwdefaults(default):
        without_name.__wrapped__.__kwdefaults__ = None if default is None else {"out": default}

    x = numbers(5)
    for kernel, change in [
        (last, lambda default: set_last(last, default)),
        (without, lambda default: set_last(without, default)),
        (named, set_named),
        (without_name, set_kwdefaults),
    ]:
        for _ in range(2):
            for _ in range(4):
                np.testing.assert_array_equal(kernel(x), x * 2)
            mine = np.zeros(5, np.float32)
            change(mine)
            for _ in range(3):
                mine[:] = 0
                kernel(x)
                np.testing.assert_array_equal(mine, x * 2)
            change(None)


def test_inputs_do_not_live_on(monkeypatch):
    """An array that stands for one of CuPy's, in memory of the host."""

    class Device(tuple):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    class Array(Exchanged):
        __module__ = "cupy"

        def __init__(self, array):
            super().__init__(array)
            self.device = Device((1, 0))

        def __dlpack_device__(self):
            return 2, 0

    cupy = types.SimpleNamespace(zeros=lambda shape, dtype: Array(np.zeros(shape, dtype)))
    monkeypatch.setitem(tegula._load._loaded, "cupy", cupy)
    add = make_add()
    inputs = []
    for rows in (3, 4, 5, 6):
        x = Array(numbers(rows, 6))
        for _ in range(3):
            np.testing.assert_array_equal(add(x, x).array, x.array * 2)
        inputs.append(weakref.ref(x))
        del x
    gc.collect()
    assert [each() for each in inputs] == [None] * 4


def test_a_library_may_change_what_is_known_while_it_is_asked_about_a_tensor():
    add = make_add()
    x, y = exchanged(4, 6), exchanged(4, 6)
    for _ in range(4):
        add(x, y)

    def call_others():
        y.on_query = lambda: None
        for rows in range(1, 12):
            add(numbers(rows, 6), numbers(rows, 6))

    y.on_query = call_others
    np.testing.assert_array_equal(add(x, y), x.array + y.array)
