# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quotients, remainders, powers and casts of zeros, infinities, NaN, subnormals and extremes, against NumPy, for every
type on every target. What differs from NumPy does so on purpose: docs/language.md#arithmetic and #casts."""

import ml_dtypes
import numpy as np
import pytest
from kernel_text import write_kernel
from tegula_library import Kernel

TARGETS = ["cpu", "interpreter", "npu:tpuv3", "cuda:emulate"]
FLOATS = {"FP16": np.float16, "BF16": ml_dtypes.bfloat16, "FP32": np.float32, "FP64": np.float64}
EIGHT_BITS = {"FP8E4M3FN": ml_dtypes.float8_e4m3fn, "FP8E5M2": ml_dtypes.float8_e5m2}
INTEGERS = {
    f"{sign}INT{bits}": getattr(np, f"{sign.lower()}int{bits}") for sign in ("", "U") for bits in (8, 16, 32, 64)
}
TYPES = {"BOOL": np.bool_, **INTEGERS, **FLOATS, **EIGHT_BITS}
POWERS = {"FP16": 1e-3, "BF16": 8e-3, "FP32": 3e-7, "FP64": 1e-15}


def special(name: str) -> np.ndarray:
    """Zeros, ones, halves, infinities, NaN, the smallest and the largest."""
    if name in INTEGERS:
        limits = np.iinfo(INTEGERS[name])
        negative = [-1, -2, -3, -7, -100, limits.min, limits.min + 1] if limits.min else []
        return np.array([0, 1, 2, 3, 7, 10, 63, 64, 100, limits.max, limits.max - 1, *negative], INTEGERS[name])
    if name == "BOOL":
        return np.array([False, True])
    limits = ml_dtypes.finfo(TYPES[name])
    found = [0.0, 1, 0.5, 1.5, 2, 2.5, 3, 3.5, 7, 0.1, 1 / 3, 10, 64, 126.5, 127.5, 255.5, 1000.25, 32767.5, 2.0**31]
    found += [2.0**63, 2.0**64, np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal]
    with np.errstate(over="ignore"):
        found = np.array(found, np.float64).astype(TYPES[name])
        return np.concatenate([found, -found])


def wide(x: np.ndarray) -> np.ndarray:
    """Narrow floats as FP32, in which they are computed, or compared."""
    return x.astype(np.float32) if x.dtype in (*EIGHT_BITS.values(), ml_dtypes.bfloat16, np.float16) else x


def assert_same(found: np.ndarray, wanted: np.ndarray, tolerance: float, given) -> None:
    """Equal bit for bit but for NaN, or within a tolerance."""
    a, b = wide(found), wide(wanted.astype(found.dtype))
    same = a == b
    if a.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            near = np.isfinite(b) & (b != 0) & (np.abs(a - b) <= tolerance * np.abs(b))
        same = (same & ((a != 0) | (np.signbit(a) == np.signbit(b)))) | (np.isnan(a) & np.isnan(b)) | near
    wrong = [
        (*(each[at] for each in given), "gives", a[at], "not", b[at]) for at in zip(*np.nonzero(~same), strict=True)
    ]
    assert not wrong, wrong[:8]


def integer_power(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """NumPy refuses negative powers of integers."""
    if x.dtype.kind == "u":
        return np.power(x, y)
    positive = np.power(x, np.where(y < 0, 0, y).astype(y.dtype))
    of_ones = np.where(x == 1, 1, np.where(x == -1, np.where(y % 2 == 0, 1, -1), 0))
    return np.where(y < 0, of_ones, positive)


OPERATIONS = {
    "quotient": ("x // y", np.floor_divide),
    "remainder": ("x % y", np.remainder),
    "rest": ("pl.fmod(x, y)", np.fmod),
    "power": ("x ** y", np.power),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [*FLOATS, *INTEGERS])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_binary(name, target, tmp_path):
    outputs = ", ".join(f"{each}: pl.Out[pl.Tensor[[M, N], pl.{name}]]" for each in OPERATIONS)
    body = "".join(f"    {each}[:] = {expression}\n" for each, (expression, _) in OPERATIONS.items())
    text = f"def k(x: pl.Tensor[[M, N], pl.{name}], y: pl.Tensor[[M, N], pl.{name}], {outputs}):\n{body}"
    values = special(name)
    x, y = (np.ascontiguousarray(each) for each in np.meshgrid(values, values, indexing="ij"))
    found = [np.empty_like(x) for _ in OPERATIONS]
    Kernel(write_kernel(text, tmp_path), target=target)(x, y, *found)
    for (operation, (_, function)), result in zip(OPERATIONS.items(), found, strict=True):
        if operation == "power" and name in INTEGERS:
            function = integer_power
        assert_same(result, function(wide(x), wide(y)), POWERS.get(name, 0) if operation == "power" else 0, (x, y))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("divisor", ["float('inf')", "-float('inf')", "0.0", "-0.0", "-3.0", "float('nan')"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_quotient_of_constants(divisor, target, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]],
          z: pl.Out[pl.Tensor[[M], pl.FP32]], r: pl.Out[pl.Tensor[[M], pl.FP32]], s: pl.Out[pl.Tensor[[1], pl.FP32]]):
        y[:] = x // ({divisor})
        z[:] = ({divisor}) // x
        r[:] = x % ({divisor})
        s[0] = n // ({divisor})
    """
    x, b = special("FP32"), np.float32(eval(divisor))
    y, z, r, s = np.empty_like(x), np.empty_like(x), np.empty_like(x), np.empty(1, np.float32)
    Kernel(write_kernel(text, tmp_path), target=target)(x, -5.0, y, z, r, s)
    assert_same(y, x // b, 0, (x,))
    assert_same(z, b // x, 0, (x,))
    assert_same(r, x % b, 0, (x,))
    assert_same(s, np.float32([-5]) // b, 0, (np.float32([-5]),))


def cast(x: np.ndarray, to: type, is_rounded: bool) -> np.ndarray:
    """To integers they saturate, NaN is 0, and are rounded to nearest with ties away from zero, or cut off."""
    if to == np.bool_:
        return wide(x) != 0
    if np.dtype(to).kind not in "iu" or x.dtype.kind in "iub":
        return x.astype(to)
    exact = wide(x).astype(np.float64)
    whole = np.trunc(exact + np.copysign(0.5, exact)) if is_rounded else np.trunc(exact)
    whole = np.where(np.abs(exact) < 2.0**52, whole, exact)
    limits = np.iinfo(to)
    inside = np.where(np.isnan(whole) | (whole >= limits.max) | (whole <= limits.min), 0, whole).astype(to)
    return np.where(whole >= limits.max, limits.max, np.where(whole <= limits.min, limits.min, inside)).astype(to)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_casts(name, target, tmp_path):
    outputs = ", ".join(f"{n}_{to}: pl.Out[pl.Tensor[[M], pl.{to}]]" for to in TYPES for n in ("cut", "near"))
    body = "".join(
        f"    cut_{to}[:] = pl.cast(x, pl.{to}, mode='none')\n    near_{to}[:] = pl.cast(x, pl.{to})\n" for to in TYPES
    )
    x = special(name)
    found = [np.empty(x.shape, to) for to in TYPES.values() for _ in range(2)]
    kernel = Kernel(write_kernel(f"def k(x: pl.Tensor[[M], pl.{name}], {outputs}):\n{body}", tmp_path), target=target)
    kernel(x, *found)
    for number, (to, dtype) in enumerate(TYPES.items()):
        assert_same(found[2 * number], cast(x, dtype, False), 0, (x, np.array([to] * len(x))))
        # Floats have ties only where NumPy rounds to even, which test_types.py compares.
        if to not in FLOATS and to not in EIGHT_BITS:
            assert_same(found[2 * number + 1], cast(x, dtype, True), 0, (x, np.array([to] * len(x))))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", TYPES)
def test_questions(name, target, tmp_path):
    """Also of types without infinities or NaN."""
    functions = ("isnan", "isinf", "isfinite")
    outputs = ", ".join(f"{each}: pl.Out[pl.Tensor[[M], pl.BOOL]]" for each in functions)
    body = "".join(f"    {each}[:] = pl.{each}(x)\n" for each in functions)
    x = special(name)
    found = [np.empty(x.shape, np.bool_) for _ in functions]
    Kernel(write_kernel(f"def k(x: pl.Tensor[[M], pl.{name}], {outputs}):\n{body}", tmp_path), target=target)(x, *found)
    for each, result in zip(functions, found, strict=True):
        np.testing.assert_array_equal(result, getattr(np, each)(wide(x)))


@pytest.mark.parametrize("target", ["cpu:x86-64-v3", *TARGETS])
def test_matmul_of_subnormals(target, tmp_path):
    """Where there is AVX512-BF16 they are 0: decision 0077."""
    text = """
    def k(a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[K, N], pl.BF16], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        y[:] = pl.matmul(a, b)
    """
    a, b = (np.full((64, 64), value, ml_dtypes.bfloat16) for value in (1e-39, 1e30))
    y = np.empty((64, 64), np.float32)
    Kernel(write_kernel(text, tmp_path), target=target)(a, b, y)
    wanted = 64 * np.float64(a[0, 0]) * np.float64(b[0, 0])
    allowed = (0.0, wanted) if target == "cpu" else (wanted,)
    assert min(np.abs(y / wanted - each / wanted).max() for each in allowed) < 1e-6
