# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels over rows as GPUs run them, on this processor: rows that begin anywhere, in all tensors alike or not."""

import itertools

import numpy as np
import pytest
from tegula_library import EXAMPLES, NUMPY_TYPES, Kernel, load_module, with_dtype

TOLERANCE = {"FP32": 2e-6, "FP16": 2e-3, "BF16": 2e-2}
# What is read at once in groups of four or eight; parts of blocks of 64 threads, and what these hold at most.
COLUMNS = [1, 3, 4, 5, 7, 8, 9, 14, 15, 16, 17, 30, 31, 33, 45, 127, 512, 513, 1023, 1025, 2047, 4089, 4095, 4096, 4097]
ROWS_OF_BLOCKS, ROWS_OF_WARPS = 3, 13


class Placed:
    """A matrix so many elements behind a multiple of 64 bytes, in memory that nobody else may write."""

    def __init__(self, values: np.ndarray, offset: int, gap: int = 0):
        rows, columns = values.shape
        self.size = rows * (columns + gap)
        bytes_ = (self.size + 64) * values.itemsize
        self.memory = np.full(bytes_ + 64, 0xA5, np.uint8)
        first = -self.memory.ctypes.data % 64 + offset * values.itemsize
        area = self.memory[first : first + self.size * values.itemsize]
        self.array = area.view(values.dtype).reshape(rows, columns + gap)[:, :columns]
        self.array[...] = values

    def assert_kept_around(self) -> None:
        """Whether only the matrix was written."""
        found = self.memory.copy()
        self.array[...] = 0
        self.memory[...] ^= 0xA5
        self.array[...] = 0
        assert not self.memory.any(), "something next to the tensor was written"
        self.memory[...] = found


def values_of(random: np.random.Generator, shape: tuple[int, int], dtype: str) -> np.ndarray:
    if "INT" in dtype:
        return random.integers(-50, 50, shape).astype(NUMPY_TYPES[dtype])
    return random.standard_normal(shape).astype(NUMPY_TYPES[dtype])


def call(kernel: Kernel, inputs: list[Placed], shape: tuple[int, int], dtype: str, offset: int, gap: int) -> np.ndarray:
    output = Placed(np.full(shape, 7, NUMPY_TYPES[dtype]), offset, gap)
    kernel(*(placed.array for placed in inputs), output.array)
    found = output.array.astype(np.float64)
    output.assert_kept_around()
    return found


def layouts(count: int) -> list[tuple[list[int], list[int]]]:
    """Where tensors begin, and how far rows are apart: in the same way, with weights elsewhere, and all differently."""
    alike = [([offset] * count, [gap] * count) for offset, gap in itertools.product((0, 1, 3, 7, 9, 15), (0, 1, 8))]
    weights = [([offset, *range(1, count - 1), offset], [0] * count) for offset in (*range(8), 9, 12, 15)]
    return [*alike, *weights, (list(range(count)), [0] * count), ([0] * count, [*range(count)])]


def check(name: str, kernel: Kernel, dtype: str, shape: tuple[int, int], offsets: list[int], gaps: list[int]) -> None:
    reference = load_module(EXAMPLES / f"{name}.py").reference
    rows, n = shape
    random = np.random.default_rng(n)
    inputs = [
        Placed(values_of(random, (1 if "norm" in name and i > 0 else rows, n), dtype), offsets[i], gaps[i])
        for i in range(len(offsets) - 1)
    ]
    wanted = reference(*(placed.array for placed in inputs)).astype(np.float64)
    found = call(kernel, inputs, shape, dtype, offsets[-1], gaps[-1])
    scale = TOLERANCE[dtype] * max(1.0, np.abs(wanted).max())
    where = f"{rows}x{n} {offsets} {gaps}"
    np.testing.assert_allclose(found, wanted, rtol=TOLERANCE[dtype], atol=scale, err_msg=where)


def count_tensors(name: str) -> int:
    return {"softmax": 2, "layer_norm": 4}.get(name, 3)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", ["softmax", "layer_norm", "rms_norm", "rms_norm_tensors", "swiglu"])
def test_rows_anywhere(name, dtype, tmp_path):
    kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path), target="cuda:emulate")
    every = layouts(count_tensors(name))
    for iteration, n in enumerate(COLUMNS):
        for rows in (ROWS_OF_BLOCKS, ROWS_OF_WARPS):
            # Each size with some of the layouts.
            for offsets, gaps in every[iteration % 5 :: 5]:
                check(name, kernel, dtype, (rows, n), offsets, gaps)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", ["softmax", "layer_norm", "rms_norm"])
def test_whole_blocks(name, dtype, tmp_path):
    """Blocks of one to eight warps, which fit rows that begin anywhere, and longer rows."""
    path = with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path)
    kernel = Kernel(path, target="cuda:emulate,whole-blocks")
    count = count_tensors(name)
    for n in (801, 1201, 1601, 2051, 2561, 3073, 3583, 4095, 5003, 6001, 7001, 8191, 16381):
        for offset in (0, 3):
            check(name, kernel, dtype, (2, n), [offset] * count, [0] * count)


BIASED = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def biased(
    x: pl.Tensor[[M, N], pl.FROM],
    b: pl.Tensor[[1, N], pl.WITH],
    y: pl.Out[pl.Tensor[[M, N], pl.TO]],
) -> None:
    y[:] = pl.cast(pl.cast(x, pl.OVER) * 2 + pl.cast(b, pl.OVER), pl.TO)
"""


@pytest.mark.parametrize(
    "dtypes",
    ["INT32 INT32 INT32", "INT64 INT32 INT64", "FP64 FP64 FP64", "FP16 FP32 FP16", "BF16 BF16 FP32", "FP32 BF16 BF16"],
)
def test_elements_anywhere(dtypes, tmp_path):
    source, bias, target = dtypes.split()
    over = "FP32" if "F" in bias and source != "FP64" else source
    text = BIASED
    for word, dtype in (("FROM", source), ("WITH", bias), ("TO", target), ("OVER", over)):
        text = text.replace(f"pl.{word}", f"pl.{dtype}")
    (tmp_path / "biased.py").write_text(text)
    kernel = Kernel(tmp_path / "biased.py", target="cuda:emulate")
    for iteration, n in enumerate(COLUMNS):
        for offsets, gaps in layouts(3)[iteration % 3 :: 3]:
            random = np.random.default_rng(n)
            x = Placed(values_of(random, (3, n), source), offsets[0], gaps[0])
            b = Placed(values_of(random, (1, n), bias), offsets[1])
            wanted = x.array.astype(np.float64) * 2 + b.array.astype(np.float64)
            found = call(kernel, [x, b], (3, n), target, offsets[2], gaps[2])
            tolerance = {"FP16": 2e-3, "BF16": 1e-2}.get(target, 1e-6)
            np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance, err_msg=f"{n} {offsets} {gaps}")


IN_PLACE = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def change(y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]) -> None:
    y[:] = y * 2 + 1
"""


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_in_place(dtype, tmp_path):
    """Nothing is changed twice, wherever parts of blocks of 64 threads end."""
    (tmp_path / "change.py").write_text(IN_PLACE.replace("FP32", dtype))
    kernel = Kernel(tmp_path / "change.py", target="cuda:emulate")
    columns = [*range(254, 266), *range(510, 528), *range(1022, 1034)]
    for rows, n, offset, gap in itertools.product((1, 3), columns, (0, 1, 5), (0, 1)):
        values = values_of(np.random.default_rng(n), (rows, n), dtype)
        y = Placed(values, offset, gap)
        kernel(y.array)
        wanted = (values.astype(np.float32) * 2 + 1).astype(NUMPY_TYPES[dtype])
        np.testing.assert_allclose(
            y.array.astype(np.float64), wanted.astype(np.float64), rtol=TOLERANCE[dtype], err_msg=f"{rows}x{n} {offset}"
        )
        y.assert_kept_around()


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_special_numbers(dtype, tmp_path):
    """NaN and infinities stay in their rows, wherever these begin."""
    kernel = Kernel(with_dtype(EXAMPLES / "softmax.py", dtype, tmp_path), target="cuda:emulate")
    reference = load_module(EXAMPLES / "softmax.py").reference
    for n, offset in itertools.product((16, 33, 1031), (0, 5)):
        values = values_of(np.random.default_rng(n), (15, n), dtype)
        for column in (0, n // 2, n - 1):
            values[1, column] = np.nan
            values[4, column] = np.inf
            values[7, column] = -np.inf
        values[10, :] = -np.inf
        x = Placed(values, offset)
        with np.errstate(all="ignore"):
            wanted = reference(x.array).astype(np.float64)
        found = call(kernel, [x], values.shape, dtype, offset, 0)
        np.testing.assert_allclose(found, wanted, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
