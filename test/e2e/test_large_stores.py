# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that no cache holds, which are stored past them, and results that are just smaller, against NumPy."""

import numpy as np
import pytest
from kernel_text import Kernel, write_kernel

BYTES = 1 << 24
DTYPES = [("FP64", "float64"), ("FP32", "float32"), ("INT16", "int16"), ("INT8", "int8")]


def window(shape: tuple[int, int], dtype: str, first: int, gap: int) -> np.ndarray:
    """Rows that begin at some element of memory and lie `gap` elements apart."""
    rows, columns = shape
    room = np.full(first + rows * (columns + gap), 77, dtype)
    return room[first:].reshape(rows, columns + gap)[:, :columns]


@pytest.mark.parametrize(("name", "dtype"), DTYPES)
def test_scatter_to_one_element(tmp_path, name, dtype):
    text = f"""
        def k(x: pl.Tensor[[M, N], pl.{name}], z: pl.Out[pl.Tensor[[M, N], pl.{name}]]):
            z[:] = x + x
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    elements = BYTES // np.dtype(dtype).itemsize
    for columns, more, first, gap in [(1024, 0, 0, 0), (1024, -1, 3, 0), (1031, 1, 1, 5), (7, 1, 2, 0), (7, 1, 0, 9)]:
        shape = (elements // columns + more, columns)
        x = np.random.default_rng(0).integers(-50, 50, shape).astype(dtype)
        z = window(shape, dtype, first, gap)
        kernel(x, z)
        np.testing.assert_array_equal(z, x + x)
        if gap:
            assert (z.base[first:].reshape(shape[0], -1)[:, columns:] == 77).all()
        assert (z.base[:first] == 77).all()


def test_rows(tmp_path):
    text = """
        def k(x: pl.Tensor[[M, N], pl.FP32], z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.parallel(0, M, 8):
                with pl.at(level=pl.Level.CORE_GROUP):
                    t = x[i : i + 8, :]
                    z[i : i + 8, :] = pl.row_expand_sub(t, pl.row_max(t))
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for columns, first in [(1000, 0), (5003, 3), (33, 1)]:
        x = np.random.default_rng(0).standard_normal((BYTES // 4 // columns + 1, columns), dtype=np.float32)
        z = window(x.shape, "float32", first, 0)
        kernel(x, z)
        np.testing.assert_array_equal(z, x - x.max(axis=1, keepdims=True))
        kernel(x[:, ::-1], z)
        np.testing.assert_array_equal(z, x[:, ::-1] - x.max(axis=1, keepdims=True))
