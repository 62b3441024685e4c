# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`f.explain(..., perf=True)`: where the time or the cycles of a call go, and what to change."""

import re
import time

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


@pl.jit
def online_softmax(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 8):
        with pl.at(level=pl.Level.CORE_GROUP):
            largest = pl.full([8, 1], pl.FP32, -3.0e38)
            total = pl.full([8, 1], pl.FP32, 0.0)
            for j in pl.range(0, N, 64):
                some = x[i : i + 8, j : j + 64]
                higher = pl.maximum(largest, pl.row_max(some))
                total = total * pl.exp(largest - higher) + pl.row_sum(pl.exp(pl.row_expand_sub(some, higher)))
                largest = higher
            for j in pl.range(0, N, 64):
                some = x[i : i + 8, j : j + 64]
                out[i : i + 8, j : j + 64] = pl.row_expand_div(pl.exp(pl.row_expand_sub(some, largest)), total)


def count_operations(rows: int, columns: int) -> float:
    text = online_softmax.explain(np.ones((rows, columns), np.float32), perf=True)
    number, unit = re.search(r"arithmetic\s+(?:about )?([0-9.]+) ([kMG]?)op", text).groups()
    return float(number) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[unit]


def test_counting_takes_no_longer_at_large_sizes():
    """Each of many iterations was looked at from the start: three minutes for 2048 rows."""
    begun = time.process_time()
    few, many = count_operations(64, 1000), count_operations(8197, 1000)
    assert many / few == pytest.approx(8197 / 64, rel=0.02)
    # Nearly all of it is the calls.
    assert time.process_time() - begun < 30
