# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sine and cosine of angles up to the largest number, on every target."""

import math

import numpy as np
import pytest
from kernel_text import write_kernel
from tegula_library import NUMPY_TYPES, Kernel


def pi_bits(count: int) -> int:
    """pi * 2 ** count, by Machin's formula."""

    def arctan_of_inverse(n: int) -> int:
        term = (1 << (count + 16)) // n
        total, divisor, sign = term, 3, -1
        while term := term // (n * n):
            total += sign * (term // divisor)
            divisor, sign = divisor + 2, -sign
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239)) >> 16


SCALE = 2400
QUARTER = pi_bits(SCALE - 1)


def exact(angle: float) -> tuple[float, float]:
    """Sine and cosine, the angle less whole quarters without an error."""
    numerator, denominator = abs(angle).as_integer_ratio()
    number, rest = divmod((numerator << SCALE) // denominator, QUARTER)
    part = rest / (1 << SCALE)
    sine, cosine = math.sin(part), math.cos(part)
    if 2 * rest > QUARTER:
        left = (QUARTER - rest) / (1 << SCALE)
        sine, cosine = math.cos(left), math.sin(left)
    quarters = [(sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine)]
    sine, cosine = quarters[number % 4]
    return math.copysign(1, angle) * sine, cosine


TEXT = """
def angles(
    x: pl.Tensor[[N], pl.{dtype}], sine: pl.Out[pl.Tensor[[N], pl.{dtype}]], cosine: pl.Out[pl.Tensor[[N], pl.{dtype}]]
):
    for i in pl.parallel(0, N, 64):
        sine[i : i + 64] = pl.sin(x[i : i + 64])
        cosine[i : i + 64] = pl.cos(x[i : i + 64])
"""


def make_angles(dtype) -> np.ndarray:
    """Angles of every exponent, and angles very close to a multiple of pi / 2."""
    random = np.random.default_rng(7)
    info = np.finfo(dtype)
    exponents = np.arange(10, info.maxexp)
    mantissas = random.integers(2**info.nmant, 2 ** (info.nmant + 1), len(exponents)).astype(dtype)
    x = np.ldexp(mantissas, exponents - info.nmant).astype(dtype)
    x *= random.choice([-1, 1], len(x)).astype(dtype)
    close = [6381956970095103 * 2.0**797, 6411027962775774 * 2.0**-48, 16367173 * 2.0**72, 16773712 * 2.0**2, info.max]
    return np.concatenate([x, np.array([v for v in close if v <= float(info.max)], dtype)])


@pytest.mark.parametrize("target", ["cpu", "cuda:emulate", "npu:riscv-vector"])
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_angles_lose_no_digits(target, dtype, tmp_path):
    kernel = Kernel(write_kernel(TEXT.format(dtype=dtype), tmp_path), target=target)
    x = make_angles(NUMPY_TYPES[dtype])
    results = [np.empty_like(x), np.empty_like(x)]
    kernel(x, *results)
    expected = np.array([exact(float(value)) for value in x]).T
    for result, values in zip(results, expected, strict=True):
        unit = np.spacing(np.abs(values.astype(x.dtype))).astype(np.float64)
        assert (np.abs(result.astype(np.float64) - values) <= 2 * unit).all()


@pytest.mark.parametrize("target", ["cpu", "cuda:emulate", "npu:riscv-vector"])
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_infinite_angles_have_no_sine(target, dtype, tmp_path):
    kernel = Kernel(write_kernel(TEXT.format(dtype=dtype), tmp_path), target=target)
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0], NUMPY_TYPES[dtype])
    sine, cosine = np.empty_like(x), np.empty_like(x)
    kernel(x, sine, cosine)
    assert np.isnan(sine[:3]).all() and np.isnan(cosine[:3]).all()
    assert (np.signbit(sine[3:]) == [False, True]).all() and (cosine[3:] == 1).all()
