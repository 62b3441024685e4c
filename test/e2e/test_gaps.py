# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory whose elements lie apart, against NumPy: every argument side by side or not, short rows and long ones."""

import itertools

import numpy as np
import pytest
from kernel_text import Kernel, write_kernel

# Rows shorter than a vector, longer than what is gathered at once, and none.
SIZES = [(3, 5), (2, 1030), (1, 2100), (17, 33), (40, 64), (0, 7), (6, 0), (300, 257)]


def strided(array: np.ndarray) -> np.ndarray:
    """The same elements with two others between any two."""
    room = np.full((*array.shape[:-1], 3 * array.shape[-1]), 77, array.dtype)
    room[..., ::3] = array
    return room[..., ::3]


LAYOUTS = [np.ascontiguousarray, np.asfortranarray, strided]


def numbers(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(-50, 50, shape).astype(dtype)


@pytest.mark.parametrize(
    ("name", "dtype"), [("FP32", "float32"), ("FP64", "float64"), ("INT8", "int8"), ("INT16", "int16")]
)
def test_scatter_to_one_element(tmp_path, name, dtype):
    text = f"""
        def k(x: pl.Tensor[[M, N], pl.{name}], y: pl.Tensor[[M, N], pl.{name}],
              z: pl.Out[pl.Tensor[[M, N], pl.{name}]]):
            z[:] = x + y * x
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for (m, n), layouts in itertools.product(SIZES, itertools.product(LAYOUTS, repeat=3)):
        x, y = layouts[0](numbers(m, n, dtype=dtype)), layouts[1](numbers(m, n, dtype=dtype)[::-1])
        z = layouts[2](np.zeros((m, n), dtype))
        kernel(x, y, z)
        np.testing.assert_array_equal(z, x + y * x)


def test_in_place(tmp_path):
    text = """
        def k(x: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            x[:] = x * 2.0 + 1.0
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for (m, n), layout in itertools.product(SIZES, LAYOUTS):
        x = layout(numbers(m, n))
        wanted = x * 2 + 1
        kernel(x)
        np.testing.assert_array_equal(x, wanted)


def test_gaps_are_left_alone(tmp_path):
    text = """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            y[:] = -x
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for m, n in SIZES:
        x, y = numbers(m, n), strided(np.zeros((m, n), np.float32))
        kernel(x, y)
        np.testing.assert_array_equal(y, -x)
        between = np.lib.stride_tricks.as_strided(y, (m, 3 * n), (12 * n, 4)).reshape(m, n, 3)[..., 1:]
        assert (between == 77).all()


@pytest.mark.parametrize("axis", [0, 1])
def test_reductions(tmp_path, axis):
    rows, columns = ("1", "N") if axis == 0 else ("M", "1")
    text = f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], s: pl.Out[pl.Tensor[[{rows}, {columns}], pl.FP32]],
              t: pl.Out[pl.Tensor[[{rows}, {columns}], pl.FP32]]):
            s[:] = pl.sum(x * 2.0, axis={axis}, keepdims=True)
            t[:] = pl.max(x, axis={axis}, keepdims=True)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for (m, n), layouts in itertools.product(SIZES, itertools.product(LAYOUTS, repeat=2)):
        x = layouts[0](numbers(m, n))
        shape = (1, n) if axis == 0 else (m, 1)
        s, t = (layouts[1](np.zeros(shape, np.float32)) for _ in range(2))
        kernel(x, s, t)
        np.testing.assert_array_equal(s, x.sum(axis=axis, keepdims=True) * 2)
        np.testing.assert_array_equal(t, x.max(axis=axis, keepdims=True, initial=-np.inf))


def test_softmax_of_long_rows(tmp_path):
    text = """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            e = pl.exp(x - pl.row_max(x))
            y[:] = e / pl.row_sum(e)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for (m, n), layouts in itertools.product([*SIZES, (3, 9000)], itertools.product(LAYOUTS, repeat=2)):
        x, y = layouts[0](numbers(m, n) / 10), layouts[1](np.zeros((m, n), np.float32))
        kernel(x, y)
        e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        np.testing.assert_allclose(y, e / e.sum(axis=1, keepdims=True), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("name", "dtype"), [("FP32", "float32"), ("FP64", "float64"), ("INT8", "int8"), ("INT16", "int16")]
)
def test_rows_become_columns(tmp_path, name, dtype):
    text = f"""
        def k(x: pl.Tensor[[M, N], pl.{name}], y: pl.Out[pl.Tensor[[N, M], pl.{name}]],
              z: pl.Out[pl.Tensor[[N, M], pl.{name}]]):
            y[:] = pl.transpose(x)
            z[:] = pl.transpose(x) + pl.transpose(x)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for (m, n), layouts in itertools.product(SIZES, itertools.product(LAYOUTS, repeat=2)):
        x = layouts[0](numbers(m, n, dtype=dtype))
        y, z = (layouts[1](np.zeros((n, m), dtype)) for _ in range(2))
        kernel(x, y, z)
        np.testing.assert_array_equal(y, x.T)
        np.testing.assert_array_equal(z, x.T + x.T)


@pytest.mark.parametrize(("name", "dtype"), [("FP32", "float32"), ("FP64", "float64"), ("INT8", "int8")])
def test_many_rows_become_columns(tmp_path, name, dtype):
    """From 16 MiB on they are stored past the caches, where rows begin at the same offset in a line."""
    text = f"""
        def k(x: pl.Tensor[[M, N], pl.{name}], y: pl.Out[pl.Tensor[[N, M], pl.{name}]]):
            y[:] = pl.transpose(x)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    n = (1 << 24) // np.dtype(dtype).itemsize // 2048 + 17
    for m, start in [(2048, 0), (2048, 3), (2051, 0), (4160, 5)]:
        x = np.arange(m * (n + start)).astype(dtype).reshape(m, n + start)[:, start:]
        whole = np.full(n * m + 3, 7, dtype)
        kernel(x, whole[1:-2].reshape(n, m))
        np.testing.assert_array_equal(whole[1:-2].reshape(n, m), x.T)
        np.testing.assert_array_equal(whole[[0, -2, -1]], 7)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_written_in_another_shape_is_copied_between_gaps(tmp_path, layout):
    text = """
        def k(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]],
              z: pl.Out[pl.Tensor[[M * 2, 32], pl.FP32]]):
            t = pl.create_tensor([M, 64], dtype=pl.FP32)
            r = pl.reshape(t, [M * 2, 32])
            for i in pl.range(M * 2):
                r[i : i + 1, :] = x[i // 2 : i // 2 + 1, 0:32] + pl.cast(i, pl.FP32)
            z[:] = r * 2.0
            y[:] = t
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for m in (0, 1, 7, 40):
        x = numbers(m, 64)
        y, z = layout(np.zeros((m, 64), "float32")), layout(np.zeros((2 * m, 32), "float32"))
        kernel(x, y, z)
        wanted = x[:, :32].repeat(2, axis=0) + np.arange(2 * m, dtype="float32")[:, None]
        np.testing.assert_array_equal(y, wanted.reshape(m, 64))
        np.testing.assert_array_equal(z, 2 * wanted)
