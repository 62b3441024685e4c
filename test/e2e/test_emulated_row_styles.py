# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows in the styles of bench/kernels_rows.py on an emulated GPU, without tuned variants: one compile, any width."""

import functools

import ml_dtypes
import numpy as np
import pytest
from tegula_library import ROOT, Kernel

BF16 = ml_dtypes.bfloat16
TARGET = "cuda:emulate,whole-blocks,registers,general"
EPSILON = 1e-5
# Around vectors, warps, the widths of versions, and rows that are cut.
WIDTHS = [0, 1, 31, 32, 33, 255, 256, 1023, 1024, 2050, 4097]
LONG = 262144


@functools.cache
def find_kernel(name):
    return Kernel(ROOT / "bench/kernels_rows.py", name=name, target=TARGET)


def make(*shape, dtype=np.float32, apart=0):
    """With `apart`, rows begin anywhere."""
    random = np.random.default_rng(sum(shape))
    return random.standard_normal((*shape[:-1], shape[-1] + apart)).astype(dtype)[..., apart:]


def assert_close(found, wanted, tolerance):
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=tolerance, atol=tolerance)


def wide(array):
    return array.astype(np.float64)


def norm(x):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + EPSILON) if x.shape[-1] else x


def check_softmax_row(rows, width, apart):
    x, y = make(rows, width, apart=apart), make(rows, width)
    find_kernel("softmax_row")(x, y)
    powers = np.exp(wide(x) - wide(x).max(axis=1, keepdims=True, initial=-1e30))
    assert_close(y, powers / powers.sum(axis=1, keepdims=True), 1e-5)


def check_residual_rms_norm(rows, width, apart):
    x, residual = make(rows, width, dtype=BF16, apart=apart), make(rows, width, dtype=BF16)
    gamma = make(1, width, dtype=BF16)
    total, y = make(rows, width, dtype=BF16), make(rows, width, dtype=BF16, apart=apart)
    find_kernel("residual_rms_norm")(x, residual, gamma, total, y)
    wanted = wide(x) + wide(residual)
    assert_close(total, wanted, 1e-2)
    assert_close(y, norm(wanted) * wide(gamma), 2e-2)


def check_layer_norm_passes(rows, width, apart):
    x, gamma, beta = make(rows, width, apart=apart), make(1, width), make(1, width)
    mean, y = make(rows, 1), make(rows, width)
    find_kernel("layer_norm_passes")(x, gamma, beta, mean, y)
    if not width:
        return
    middle = wide(x).mean(axis=1, keepdims=True)
    assert_close(mean, middle, 1e-5)
    normal = (wide(x) - middle) / np.sqrt(wide(x).var(axis=1, keepdims=True) + EPSILON)
    assert_close(y, normal * gamma + beta, 2e-4)


def check_row_sums(rows, width, apart):
    x, y = make(rows, width, apart=apart), make(rows, 1)
    find_kernel("row_sums")(x, y)
    np.testing.assert_allclose(y, wide(x).sum(axis=1, keepdims=True), rtol=1e-4, atol=1e-5 * max(width, 1))


def check_quantize_rows(rows, width, apart):
    x, scale, y = make(rows, width, dtype=BF16, apart=apart), make(rows, 1), make(rows, width).astype(np.int8)
    find_kernel("quantize_rows")(x, scale, y)
    most = np.maximum(np.abs(wide(x)).max(axis=1, keepdims=True, initial=0), 1e-8)
    assert_close(scale, most / 127, 1e-6)
    np.testing.assert_allclose(y, np.rint(wide(x) * 127 / most), atol=1)


def check_scale_rows(rows, width, apart):
    x, scale, y = make(rows, width, apart=apart), make(rows), make(rows, width, apart=apart)
    find_kernel("scale_rows")(x, scale, y)
    np.testing.assert_array_equal(y, x * scale[:, None])


def check_column_sums(rows, width, apart):
    x, y = make(rows, width, apart=apart), make(1, width)
    find_kernel("column_sums")(x, y)
    assert_close(y, wide(x).sum(axis=0, keepdims=True), 1e-4)


def check_bias_and_gate(rows, width, apart):
    x, y = make(2, rows, width, dtype=BF16, apart=apart), make(2, rows, width, dtype=BF16)
    bias, gate = make(width, dtype=BF16), make(2, rows, 1, dtype=BF16)
    find_kernel("bias_and_gate")(x, bias, gate, y)
    assert_close(y, (wide(x) + wide(bias)) * wide(gate), 2e-2)


def check_scale_vector(rows, width, apart):
    x, y = make(width + apart)[apart:], make(width)
    find_kernel("scale_vector")(x, 1.5, y)
    np.testing.assert_array_equal(y, x * np.float32(1.5))


STYLES = {name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")}


@pytest.mark.parametrize("apart", [0, 1])
@pytest.mark.parametrize("name", STYLES)
def test_row_style(name, apart):
    for width in WIDTHS:
        for rows in (5, 37) if width < 300 else (3,):
            STYLES[name](rows, width, apart)


@pytest.mark.parametrize("name", STYLES)
def test_long_rows(name):
    STYLES[name](2, LONG, 0)


@pytest.mark.parametrize("sizes", [(0, 3, 2), (1, 1, 1), (2, 3, 5), (1, 2, 33)])
def test_head_norm(sizes):
    x, gamma, y = make(*sizes, 128, dtype=BF16), make(1, 128, dtype=BF16), make(*sizes, 128, dtype=BF16)
    find_kernel("head_norm")(x, gamma, y)
    assert_close(y, norm(wide(x)) * wide(gamma), 2e-2)


@pytest.mark.parametrize("name", ["softmax_row", "scale_rows"])
def test_no_rows(name):
    STYLES[name](0, 40, 0)
