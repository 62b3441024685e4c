# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Powers of integers, which wrap as NumPy's do."""

import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

TYPES = ["INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"]


@pytest.mark.parametrize("dtype", TYPES)
def test_powers_are_those_of_numpy(dtype, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], e: pl.Tensor[[M, N], pl.{dtype}], s: pl.Scalar[pl.{dtype}],
          y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]], z: pl.Out[pl.Tensor[[M, N], pl.{dtype}]],
          v: pl.Out[pl.Tensor[[M, N], pl.{dtype}]], w: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
        y[:] = x ** e
        z[:] = pl.pow(x, s)
        v[:] = x ** 0 + x ** 25
        w[:] = 3 ** e + s ** e
    """
    kind = np.dtype(dtype.lower())
    rng = np.random.default_rng(3)
    info = np.iinfo(kind)
    for m, n in [(1, 1), (3, 17), (0, 4), (9, 130)]:
        x = rng.integers(info.min, info.max, (m, n), kind, endpoint=True)
        x.flat[: x.size // 2] = rng.integers(0, 5, x.size // 2)
        e = rng.integers(0, info.max, (m, n), kind, endpoint=True)
        e.flat[::2] = rng.integers(0, 9, e.flat[::2].size)
        empty = {name: np.zeros_like(x) for name in "yzvw"}
        found = run_kernel(text, tmp_path, x=x, e=e, s=5, **empty)
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(found["y"], x**e)
            np.testing.assert_array_equal(found["z"], x ** kind.type(5))
            np.testing.assert_array_equal(found["v"], x ** kind.type(0) + x ** kind.type(25))
            np.testing.assert_array_equal(found["w"], kind.type(3) ** e + kind.type(5) ** e)


def test_negative_powers_are_0_but_of_1_and_minus_1(tmp_path):
    text = """
    def k(x: pl.Tensor[[M], pl.INT32], e: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[M], pl.INT32]]):
        y[:] = pl.pow(x, e)
    """
    lowest = np.iinfo(np.int32).min
    x = np.array([1, -1, -1, 0, 2, -3, lowest, 0, -1], np.int32)
    e = np.array([-5, -5, -4, -1, -1, -2, -1, lowest, lowest], np.int32)
    y = run_kernel(text, tmp_path, x=x, e=e, y=np.zeros_like(x))["y"]
    np.testing.assert_array_equal(y, [1, -1, 1, 0, 0, 0, 0, 0, 1])


def test_powers_of_sizes(tmp_path):
    text = """
    def k(x: pl.Tensor[[M], pl.INT64], e: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M], pl.INT64]]):
        y[:] = x * 2 ** M + M ** e
    """
    x = np.arange(7)
    y = run_kernel(text, tmp_path, x=x, e=3, y=np.zeros_like(x))["y"]
    np.testing.assert_array_equal(y, x * 2**7 + 7**3)


def test_a_negative_constant_is_refused(tmp_path):
    text = """
    def k(x: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[M], pl.INT32]]):
        y[:] = x ** -1
    """
    with pytest.raises(KernelError, match="a negative power of an integer is no integer"):
        Kernel(write_kernel(text, tmp_path))(np.zeros(3, np.int32), np.zeros(3, np.int32))
