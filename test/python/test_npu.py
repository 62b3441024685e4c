# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for a simulated NPU: results in the tensors, and a report of the last call."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M, N, K = pl.dynamic("M"), pl.dynamic("N"), pl.dynamic("K")


@pl.jit(target="npu:tpuv3")
def product(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = a @ b


@pl.jit(target="npu:ascend910b")
def halves(a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[K, N], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.exp(pl.matmul(a, b, out_dtype=pl.FP32) * 0.125)


@pl.jit(target="npu:edge8x8")
def rows(x: pl.Tensor[[M, N], pl.FP32], order: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(M):
        r = pl.read(order, [i])
        y[i : i + 1, :] = x[r : r + 1, :] * 2.0


def numbers(*shape: int) -> np.ndarray:
    return (np.arange(np.prod(shape, dtype=int)).reshape(shape) * 37 % 23 / 8 - 1).astype(np.float32)


@pytest.mark.parametrize("m", [1, 127, 1000])
@pytest.mark.parametrize("n", [1, 129])
@pytest.mark.parametrize("k", [0, 1, 300])
def test_values_at_any_size(m: int, n: int, k: int) -> None:
    a, b = numbers(m, k), numbers(k, n)
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-5, atol=1e-4)


def test_strided_tensors() -> None:
    a, b = numbers(50, 90)[::2, ::3], numbers(70, 30).T
    c = np.zeros((70, 25), np.float32).T
    product(a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-4)


def test_narrow_operands_have_no_wide_copies() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a, b = numbers(33, 70).astype(ml_dtypes.bfloat16), numbers(70, 20).astype(ml_dtypes.bfloat16)
    expected = np.exp(a.astype(np.float32) @ b.astype(np.float32) * 0.125)
    np.testing.assert_allclose(halves(a, b), expected, rtol=1e-4)
    assert "vector" in str(halves.last_report)


def test_report_of_the_last_call() -> None:
    product(numbers(256, 128), numbers(128, 512))
    report = product.last_report
    assert report.data["tegula_simulation"] >= 2
    assert report.data["runs"][0]["extents"] == {"M": 256, "K": 128, "N": 512}
    assert report.cycles > 0 and report.microseconds > 0
    assert str(report).startswith("product M=256 K=128 N=512 on tpuv3")
    assert "<canvas" in report.html and report._repr_html_().startswith("<iframe srcdoc=")
    product(numbers(512, 128), numbers(128, 512))
    assert product.last_report.cycles > report.cycles
    with pytest.raises(tegula.CallError, match="has been called again since"):
        report.html  # noqa: B018
    assert report._repr_html_().startswith("<pre>product M=256 K=128 N=512 on tpuv3")
    product(numbers(256, 128), numbers(128, 512))
    assert product.last_report.data == report.data


def test_one_compile_for_all_sizes() -> None:
    product(numbers(3, 4), numbers(4, 5))
    before = product.compile_count
    for size in (7, 64, 130):
        product(numbers(size, size), numbers(size, size))
        assert product.last_report.cycles > 0
    assert product.compile_count == before and len(product.variants) == 1


def test_what_depends_on_data_is_reported_too() -> None:
    x, order = numbers(9, 70), np.arange(9, dtype=np.int32)[::-1].copy()
    np.testing.assert_allclose(rows(x, order), x[order] * 2)
    assert rows.last_report.cycles > 0


def test_no_report_without_a_call() -> None:
    @pl.jit(target="npu:tpuv3")
    def never(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = x

    with pytest.raises(tegula.CallError, match="no call to report on"):
        _ = never.last_report


def test_no_report_of_a_processor() -> None:
    @pl.jit
    def plain(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = x

    plain(numbers(4))
    with pytest.raises(tegula.CallError, match="simulated machine"):
        _ = plain.last_report


def test_bench_reports_cycles() -> None:
    a, b = numbers(64, 32), numbers(32, 48)
    timing = product.bench(a, b, seconds=30)
    assert timing.cycles == product.last_report.cycles
    assert timing.seconds == pytest.approx(product.last_report.microseconds * 1e-6)
    assert timing.calls == 1
    assert f"{timing.cycles} cycles, simulated" in repr(timing)
    with tegula.config(target="cpu"):
        assert clocked.bench(a, seconds=0).cycles is None
    with tegula.config(target="npu:edge8x8"):
        assert clocked.bench(a).cycles > 0
    with tegula.config(target="interpreter"):
        assert clocked.bench(a, seconds=0).cycles is None


@pl.jit
def clocked(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = x + 1.0
