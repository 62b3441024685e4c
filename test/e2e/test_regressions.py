# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small kernels that once did not compile or gave wrong results, against NumPy."""

import pathlib
import textwrap

import numpy as np
import pytest
from tegula_library import Kernel

HEADER = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
"""

SIZES = [(0, 3), (3, 0), (1, 1), (5, 18), (9, 600)]


def compiled(text: str, folder: pathlib.Path) -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path)


def random_of(shape: tuple, dtype: type) -> np.ndarray:
    rng = np.random.default_rng(5)
    if np.issubdtype(dtype, np.floating):
        return rng.integers(-8, 9, shape).astype(dtype) / 2
    return rng.integers(0, 100, shape).astype(dtype)


def test_maximum_over_an_axis_of_one(tmp_path):
    kernel = compiled(
        """
        def k(y: pl.Out[pl.Tensor[[1, N], pl.FP32]]):
            for j in pl.range(0, N, 1):
                y[:, j : j + 1] = pl.max(pl.full([1, 1], dtype=pl.FP32, value=1.5), axis=0)
        """,
        tmp_path,
    )
    y = np.zeros((1, 7), np.float32)
    kernel(y)
    np.testing.assert_array_equal(y, np.full((1, 7), 1.5, np.float32))


@pytest.mark.parametrize("sizes", SIZES)
def test_product_with_one_column(sizes, tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP64], y: pl.Out[pl.Tensor[[M, 1], pl.FP64]]):
            for i in pl.parallel(0, M, 4):
                total = pl.full([4, 1], dtype=pl.FP64, value=0.0)
                for j in pl.range(0, N, 16):
                    ones = pl.full([16, 1], dtype=pl.FP64, value=1.0)
                    total += pl.matmul(x[i : i + 4, j : j + 16], ones)
                y[i : i + 4, :] = total
        """,
        tmp_path,
    )
    x, y = random_of(sizes, np.float64), np.zeros((sizes[0], 1))
    kernel(x, y)
    np.testing.assert_array_equal(y, x.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("sizes", SIZES)
def test_several_parallel_loops(sizes, tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
              z: pl.Out[pl.Tensor[[M, 1], pl.FP32]]):
            for i in pl.parallel(0, M, 4):
                y[i : i + 4, :] = x[i : i + 4, :] + 1.0
            for i in pl.parallel(0, M, 4):
                z[i : i + 4, :] = pl.row_sum(x[i : i + 4, :])
        """,
        tmp_path,
    )
    x, y, z = random_of(sizes, np.float32), np.zeros(sizes, np.float32), np.zeros((sizes[0], 1), np.float32)
    kernel(x, y, z)
    np.testing.assert_array_equal(y, x + 1)
    np.testing.assert_array_equal(z, x.sum(axis=1, keepdims=True))
