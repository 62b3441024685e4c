# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`f.explain(..., perf=True)`: where the time or the cycles of a call go, and what to change."""

import re

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def double(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = x * 2.0


@pl.jit(target="npu:tpuv3")
def double_on_npu(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = x * 2.0


@pl.jit
def heads(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 4, 16], pl.FP32]]):
    y[:] = pl.reshape(x, [M, 4, 16]) + 1.0


@pl.jit
def flat(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M * 64], pl.FP32]]):
    y[:] = pl.reshape(x, [M * 64]) + 1.0


def test_a_transposed_argument_is_reported():
    x = np.ones((300, 200), np.float32)
    assert "elements lie" not in double.explain(x, perf=True)
    text = double.explain(np.asfortranarray(x), perf=True)
    assert (
        "reads 'x' along axis 1, where elements lie 300 apart; they are contiguous along axis 0: pass a copy whose "
        "rows have no gaps, such as numpy.ascontiguousarray makes"
    ) in text
    assert "'y'" not in text


def test_reversed_rows_and_little_tensors_are_right_as_they_are():
    x = np.ones((300, 200), np.float32)
    assert "elements lie" not in double.explain(x[::-1], perf=True)
    assert "elements lie" not in double.explain(x[::2], perf=True)
    assert "elements lie" not in double.explain(np.asfortranarray(x[:20, :20]), perf=True)
    assert "elements lie -1 apart" in double.explain(x[:, ::-1], perf=True)
    assert "elements lie 2 apart" in double.explain(x[:, ::2], perf=True)


def test_an_element_that_is_repeated_is_reported():
    x = np.broadcast_to(np.ones((300, 1), np.float32), (300, 200))
    assert "reads the same element of 'x' again and again along axis 1" in double.explain(x, perf=True)


def test_reshapes_that_copy_are_reported():
    x = np.ones((300, 128), np.float32)
    assert "copies 'x'" not in heads.explain(np.ascontiguousarray(x[:, :64]), perf=True)
    # Rows with gaps can be divided, and not joined.
    assert "copies 'x'" not in heads.explain(x[:, :64], perf=True)
    text = flat.explain(x[:, :64], perf=True)
    assert "copies 'x' to give it the shape 19200, 19200 elements, 76800 bytes" in text
    assert "copies 'x'" not in flat.explain(np.ascontiguousarray(x[:, :64]), perf=True)


@pl.jit
def shift(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]]):
    y[:] = x.T + 1.0


def test_columns_that_are_rows_already_are_not_copied():
    x = np.ones((200, 300), np.float32)
    assert "copies what it transposes" in shift.explain(x, perf=True)
    assert "copies what it transposes" not in shift.explain(np.asfortranarray(x), perf=True)


@pl.jit
def multiply(x: pl.Tensor[[M, N], pl.FP32], w: pl.Tensor[[N, M], pl.FP32], y: pl.Out[pl.Tensor[[M, M], pl.FP32]]):
    y[:] = x @ w


def test_matmuls_are_explained_by_their_layouts():
    x, w = np.ones((100, 200), np.float32), np.ones((100, 100), np.float32)
    assert "its rows are 400 bytes apart" in multiply.explain(np.ascontiguousarray(x[:, :100]), w, perf=True)
    assert "its rows are 800 bytes apart" in multiply.explain(x[:, :100], w, perf=True)
    assert "its columns lie 2 elements apart" in multiply.explain(x[:, ::2], w, perf=True)
    assert "it lies column by column" in multiply.explain(np.asfortranarray(x[:, :100]), w, perf=True)


def test_cycles_of_a_simulated_machine():
    x = np.arange(3500, dtype=np.float32).reshape(50, 70)
    text = double_on_npu.explain(x, perf=True)
    assert re.match(r"\d+ cycles on tpuv3\nbound by .*, which alone would take \d+\.\d % of the time\n", text)
    assert re.search(r"\d+ +\d+\.\d %  .*dma in \d+.* y\[:\] = x \* 2\.0\n", text)
    # The same cycles as a call has.
    with tegula.config(target="npu:tpuv3"):
        assert double.explain(x, perf=True).split(" cycles")[0] == text.split(" cycles")[0]
    np.testing.assert_array_equal(double_on_npu(x), x * 2)


def test_a_call_that_is_wrong_is_refused():
    for kernel in (double, double_on_npu):
        with pytest.raises(tegula.Error):
            kernel.explain(np.ones(3, np.float32), perf=True)
