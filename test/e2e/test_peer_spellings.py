# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions in the forms that kernels of other systems use."""

import numpy as np
import pytest
from kernel_text import run_kernel

PADS = {"0": 0, "pl.PadValue.zero": 0, "pl.PadValue.min": -np.inf, "7.0": 7, "None": None, "pl.PadValue.null": None}


@pytest.mark.parametrize("pad", PADS)
@pytest.mark.parametrize("source", ["x", "(x + 0.0)"])
def test_a_slice_is_padded(pad, source, tmp_path):
    """The window overhangs the tensor, and of what is there only two columns are valid."""
    text = (
        "def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.InOut[pl.Tensor[[8, 4], pl.FP32]]):\n"
        f"    pl.store(pl.slice({source}, [8, 4], [1, 0], valid_shape=[8, 2], pad_value={pad}) + 0.0, [0, 0], y)\n"
    )
    for m in (0, 1, 2, 5, 9, 20):
        x = np.arange(1, 4 * m + 1, dtype=np.float32).reshape(m, 4)
        y = np.full((8, 4), 99, np.float32)
        wanted = y.copy() if PADS[pad] is None else np.full((8, 4), PADS[pad], np.float32)
        part = x[1:9, :2]
        wanted[: len(part), :2] = part
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=y)["y"], wanted)


def test_a_padded_slice_may_have_a_size_of_the_call(tmp_path):
    text = (
        "def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[N, 4], pl.FP32]]):\n"
        "    y[:] = pl.slice(x, [N, 4], [0, 0], pad_value=5)\n"
    )
    for m, n in ((0, 3), (3, 0), (3, 7), (7, 3), (70, 200)):
        x = np.arange(1, 4 * m + 1, dtype=np.float32).reshape(m, 4)
        wanted = np.full((n, 4), 5, np.float32)
        wanted[: min(m, n)] = x[: min(m, n)]
        y = run_kernel(text, tmp_path, x=x, y=np.zeros((n, 4), np.float32))["y"]
        np.testing.assert_array_equal(y, wanted)


def test_tensor_create_makes_a_tensor(tmp_path):
    """A view of it can be written, which a tile's cannot."""
    text = """
def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
    t = pl.tensor.create([M, 4], dtype=pl.FP32)
    whole = t[:, :]
    whole[:, :] = x * 2.0
    u = pl.tile.create([8, 4], pl.FP32)
    y[:] = t + pl.row_sum(pl.col_sum(u))
"""
    for m in (0, 5, 40):
        x = np.arange(4 * m, dtype=np.float32).reshape(m, 4)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], 2 * x)
