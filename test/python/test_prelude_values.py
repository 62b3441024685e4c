# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that are made of others, judged by Python and NumPy: no target knows better than another."""

import ml_dtypes
import numpy as np
import pytest

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
TYPES = {"UINT8": np.uint8, "UINT32": np.uint32, "INT8": np.int8, "INT32": np.int32}


@pytest.mark.parametrize("dtype", TYPES)
def test_cdiv_stays_in_its_type(dtype):
    t = getattr(pl, dtype)

    @pl.jit
    def divide(a: pl.Scalar[t], b: pl.Scalar[t], y: pl.Out[pl.Tensor[[2], pl.INT64]]) -> None:
        y[0] = pl.cast(pl.cdiv(a, b), pl.INT64)
        y[1] = pl.cast(pl.cdiv(a, 2), pl.INT64)

    limits = np.iinfo(TYPES[dtype])
    for a in (0, 1, 5, limits.max, limits.max - 1, limits.min, limits.min + 1):
        for b in (1, 2, 7, limits.max) + ((-1, -2, -7) if limits.min < 0 else ()):
            if (a, b) == (limits.min, -1):
                continue
            assert divide(a, b).tolist() == [-(-a // b), -(-a // 2)], (a, b)


def test_comparisons_count_as_numbers():
    @pl.jit
    def compute(
        x: pl.Tensor[[M, N], pl.FP32],
        means: pl.Out[pl.Tensor[[M, 1], pl.FP32]],
        variances: pl.Out[pl.Tensor[[M, 1], pl.FP32]],
        curves: pl.Out[pl.Tensor[[4, M, N], pl.FP32]],
    ) -> None:
        c = x > 0.0
        means[:] = pl.mean(c, axis=1)
        variances[:] = pl.var(c, axis=1)
        curves[0, :, :] = pl.sigmoid(c)
        curves[1, :, :] = pl.silu(c)
        curves[2, :, :] = pl.softmax(c)
        curves[3, :, :] = pl.axpy(x, 2.0, c)

    x = np.random.default_rng(0).standard_normal((5, 7)).astype("f")
    c = (x > 0).astype("d")
    means, variances, curves = compute(x)
    np.testing.assert_allclose(means, c.mean(1, keepdims=True), rtol=1e-6)
    np.testing.assert_allclose(variances, c.var(1, keepdims=True), rtol=1e-5)
    sigmoid = 1 / (1 + np.exp(-c))
    powers = np.exp(c)
    wanted = [sigmoid, c * sigmoid, powers / powers.sum(1, keepdims=True), c + 2 * x]
    np.testing.assert_allclose(curves, wanted, rtol=1e-5, atol=1e-6)


def test_logarithms_of_narrow_floats():
    @pl.jit
    def logarithm(x: pl.Tensor[[M], pl.BF16], y: pl.Out[pl.Tensor[[M], pl.BF16]]) -> None:
        y[:] = pl.log2(x)

    x = np.array([1, 2, 8, 1024, 2.0**-20], ml_dtypes.bfloat16)
    assert logarithm(x).astype("f").tolist() == [0, 1, 3, 10, -20]


def test_dot_of_narrow_lists_is_rounded_once():
    @pl.jit
    def product(a: pl.Tensor[[M], pl.FP16], b: pl.Tensor[[M], pl.FP16], y: pl.Out[pl.Tensor[[1], pl.FP16]]) -> None:
        y[:] = pl.dot(a, b)

    a = np.array([300, 300], np.float16)
    assert product(a, a * np.array([1, -1], np.float16)).tolist() == [0]


def test_extremes_over_axes_of_narrow_floats():
    @pl.jit
    def extremes(x: pl.Tensor[[M, N], pl.FP8E4M3FN], y: pl.Out[pl.Tensor[[3, 1], pl.FP8E4M3FN]]) -> None:
        y[0:1, :] = pl.max(x)
        y[1:2, :] = pl.min(x)
        y[2:3, :] = pl.nanmax(x)

    float8 = ml_dtypes.float8_e4m3fn
    assert extremes(np.zeros((0, 3), float8)).astype("f")[:, 0].tolist() == [-448, 448, -448]
    values = np.array([[1, -3], [2, 0.5]], float8)
    assert extremes(values).astype("f")[:, 0].tolist() == [2, -3, 2]
    got = extremes(np.full((2, 2), np.nan, float8)).astype("f")[:, 0]
    assert np.isnan(got[:2]).all() and got[2] == -448


def test_indices_of_nan():
    @pl.jit
    def indices(
        a: pl.Tensor[[1, N], pl.FP32],
        b: pl.Tensor[[1, N], pl.FP32],
        best: pl.Out[pl.Tensor[[1, N], pl.FP32]],
        at: pl.Out[pl.Tensor[[1, N], pl.INT32]],
    ) -> None:
        ones = pl.full([1, N], dtype=pl.INT32, value=1)
        value, index = pl.part_argmax(a[:, :], b[:, :], ones, ones + 1)
        best[:] = value
        at[:] = index

    nan = np.nan
    best, at = indices(np.array([[nan, 3, nan, 1, 5]], "f"), np.array([[3, nan, nan, 2, 5]], "f"))
    np.testing.assert_array_equal(best, [[nan, nan, nan, 2, 5]])
    assert at.tolist() == [[1, 2, 1, 2, 1]]
