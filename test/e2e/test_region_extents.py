# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extents that come out of regions and branches, in arithmetic that must fit 64 bits."""

import numpy as np
import pytest
from kernel_text import run_kernel

SIZES = [(0, 3), (1, 1), (5, 1), (5, 7), (3, 0), (17, 130)]


@pytest.mark.parametrize("rows, columns", SIZES)
def test_a_column_made_in_a_region(tmp_path, rows, columns):
    text = """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            with pl.at(level=pl.Level.CORE_GROUP):
                v = x[:, 0:1] * 2.0
            y[:] = x + v
    """
    x = np.random.default_rng(3).integers(-8, 9, (rows, columns)).astype(np.float32)
    found = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"]
    np.testing.assert_array_equal(found, x + 2 * x[:, 0:1] if columns else x)


@pytest.mark.parametrize("rows, columns", SIZES)
def test_a_column_of_one_branch_or_the_other(tmp_path, rows, columns):
    text = """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            if M > 2:
                v = x[:, 0:1] * 1.0
            else:
                v = y[:, 0:1] * 1.0
            y[:] = x + v
    """
    x = np.random.default_rng(3).integers(-8, 9, (rows, columns)).astype(np.float32)
    y = x + 1
    column = x[:, 0:1] if rows > 2 else y[:, 0:1]
    found = run_kernel(text, tmp_path, x=x, y=y.copy())["y"]
    np.testing.assert_array_equal(found, x + column if columns else y)
