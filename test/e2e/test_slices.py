# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices with constants on either side, before, inside and beyond short axes: what they hold is what NumPy's hold."""

import itertools

import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

ENDS = ["", "-5", "-3", "-1", "0", "2", "5"]
SIZES = range(8)
ROOM = 8


def slices():
    """Every slice with these ends, as text and as Python means it."""
    for start, stop in itertools.product(ENDS, ENDS):
        yield f"{start}:{stop}", slice(*(int(end) if end else None for end in (start, stop)))


def kernel_text(part: str) -> str:
    """A kernel that puts a part of x for every slice into a matrix of y."""
    head = f"def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.InOut[pl.Tensor[[{len(ENDS) ** 2}, {ROOM}, 4], pl.FP32]]):\n"
    lines = (f"    pl.store({part.format(slice=text)}, [0, 0], y[{i}])\n" for i, (text, _) in enumerate(slices()))
    return head + "".join(lines)


def expected(x: np.ndarray, whole: np.ndarray) -> np.ndarray:
    for i, (_, part) in enumerate(slices()):
        values = x[part]
        whole[i, : len(values)] = values
    return whole


@pytest.mark.parametrize("part", ["x[{slice}, :] + 0.0", "(x + 0.0)[{slice}, :]"], ids=["of a tensor", "of a tile"])
def test_a_slice_holds_what_numpys_holds(part, tmp_path):
    text = kernel_text(part)
    for m in SIZES:
        x = np.arange(1, 4 * m + 1, dtype=np.float32).reshape(m, 4)
        y = np.zeros((len(ENDS) ** 2, ROOM, 4), np.float32)
        result = run_kernel(text, tmp_path, x=x, y=y)["y"]
        np.testing.assert_array_equal(result, expected(x, y))


def test_what_is_written_is_what_numpy_writes(tmp_path):
    lines = "".join(f"    y[{i}, {text}, :] = {i + 1}.0\n" for i, (text, _) in enumerate(slices()))
    count = len(ENDS) ** 2
    text = f"def k(y: pl.InOut[pl.Tensor[[{count}, M, 3], pl.FP32]]):\n{lines}"
    for m in SIZES:
        wanted = np.zeros((count, m, 3), np.float32)
        for i, (_, part) in enumerate(slices()):
            wanted[i][part] = i + 1
        y = run_kernel(text, tmp_path, y=np.zeros((count, m, 3), np.float32))["y"]
        np.testing.assert_array_equal(y, wanted)


def test_slices_of_an_axis_of_known_extent(tmp_path):
    for m in (0, 2, 4, 7):
        folder = tmp_path / str(m)
        folder.mkdir()
        text = kernel_text("x[{slice}, :] + 0.0").replace("[M, 4]", f"[{m}, 4]")
        x = np.arange(1, 4 * m + 1, dtype=np.float32).reshape(m, 4)
        y = np.zeros((len(ENDS) ** 2, ROOM, 4), np.float32)
        np.testing.assert_array_equal(run_kernel(text, folder, x=x, y=y)["y"], expected(x, y))


def test_an_index_before_the_start_stays_an_error(tmp_path):
    text = "def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[4], pl.FP32]]):\n    y[:] = x[-3]\n"
    kernel = Kernel(write_kernel(text, tmp_path))
    x, y = np.ones((3, 4), np.float32), np.zeros(4, np.float32)
    kernel(x, y)
    np.testing.assert_array_equal(y, x[-3])
    with pytest.raises(KernelError, match="-1"):
        kernel(x[:2], y)
