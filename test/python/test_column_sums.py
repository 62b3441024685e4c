# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows are combined with each other rightly, however many there are, whoever shares them, wherever they come from."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
# Around what is one block, two blocks and all blocks of rows, and around steps of rows and strips of columns.
SIZES = [
    (0, 5),
    (5, 0),
    (1, 1),
    (4, 256),
    (3, 300),
    (7, 255),
    (63, 64),
    (64, 65),
    (65, 4097),
    (512, 1023),
    (512, 1024),
    (513, 1025),
    (1153, 1031),
    (300000, 1),
    (20011, 67),
    (70, 40009),
]


def total(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[1, N], pl.FP32]]):
    y[:] = pl.col_sum(x)


def largest(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = x - pl.col_max(x)


def count(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[1, N], pl.INT32]]):
    y[:] = pl.col_sum(x * 3)


def squares(x: pl.Tensor[[M, 64], pl.FP32], w: pl.Tensor[[1, 64], pl.FP32], y: pl.Out[pl.Tensor[[1, 64], pl.FP32]]):
    y[:] = pl.col_sum(pl.exp(x) * w) / pl.col_sum(x * x)


def numbers(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(rows + columns).standard_normal((rows, columns), dtype=np.float32)


def strided(x: np.ndarray, kind: str) -> np.ndarray:
    """The same elements, with gaps or backwards."""
    rows, columns = x.shape
    if kind == "gaps":
        memory = np.full((rows, 2 * columns + 3), np.nan, x.dtype)
        memory[:, : 2 * columns : 2] = x
        return memory[:, : 2 * columns : 2]
    if kind == "pitch":
        memory = np.full((rows, columns + 5), np.nan, x.dtype)
        memory[:, :columns] = x
        return memory[:, :columns]
    return np.ascontiguousarray(x[::-1])[::-1] if kind == "backwards" else x


@pytest.mark.parametrize("stream", [1, 2**46])
@pytest.mark.parametrize("kind", ["dense", "gaps", "pitch", "backwards"])
def test_sums(stream: int, kind: str) -> None:
    kernel = pl.jit(target=f"cpu:stream={stream}")(total)
    for rows, columns in SIZES:
        x = numbers(rows, columns)
        got = kernel(strided(x, kind))
        wanted = x.astype(np.float64).sum(axis=0, keepdims=True)
        bound = np.abs(x).astype(np.float64).sum(axis=0, keepdims=True) * 1e-5 + 1e-30
        assert (np.abs(got - wanted) <= bound).all()


@pytest.mark.parametrize("stream", [1, 2**46])
def test_extremes_in_an_expression(stream: int) -> None:
    kernel = pl.jit(target=f"cpu:stream={stream}")(largest)
    for rows, columns in SIZES[3:]:
        x = numbers(rows, columns)
        x[rows // 2, columns // 2], x[rows - 1, columns - 1] = np.nan, -np.inf
        np.testing.assert_array_equal(kernel(x), x - x.max(axis=0, keepdims=True))


def test_counts() -> None:
    kernel = pl.jit(count)
    for rows, columns in SIZES:
        x = np.random.default_rng(rows).integers(-(2**30), 2**30, (rows, columns), dtype=np.int32)
        np.testing.assert_array_equal(kernel(x), (x * 3).sum(axis=0, dtype=np.int32, keepdims=True))


def test_several_in_one_expression() -> None:
    kernel = pl.jit(squares)
    for rows in (1, 63, 4096, 4097, 8192, 8193, 20011):
        x, w = numbers(rows, 64), numbers(1, 64)
        wide = x.astype(np.float64)
        wanted = (np.exp(wide) * w).sum(axis=0, keepdims=True) / (wide * wide).sum(axis=0, keepdims=True)
        np.testing.assert_allclose(kernel(x, w), wanted, rtol=1e-4)


PROGRAM = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from test_column_sums import numbers, pl, total
kernel = pl.jit(total)
for rows, columns in [(1153, 1031), (20011, 67), (4096, 512)]:
    sys.stdout.write(kernel(numbers(rows, columns)).tobytes().hex())
"""


def test_threads_change_nothing() -> None:
    found = set()
    for threads in ("1", "2", "3", "7"):
        command = [sys.executable, "-c", PROGRAM, os.path.dirname(__file__)]
        environment = {**os.environ, "OMP_NUM_THREADS": threads}
        found.add(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert len(found) == 1
