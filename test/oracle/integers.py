# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of integers: everything is defined, nothing traps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .dtypes import DType
from .rounding import wrap


def _divide(a: np.ndarray, b: np.ndarray, dtype: DType, floors: bool) -> np.ndarray:
    """0 where the divisor is 0; the least by -1 wraps."""
    safe = np.where(b == 0, 1, b).astype(b.dtype)
    minus = (safe == -1) if dtype.kind == "int" else np.zeros(safe.shape, bool)
    safe = np.where(minus, 1, safe).astype(b.dtype)
    whole = a // safe
    if not floors:
        whole = whole + ((whole < 0) & (whole * safe != a)).astype(a.dtype)
    return np.where(b == 0, 0, np.where(minus, -a, whole))


def _remainder(a: np.ndarray, b: np.ndarray, dtype: DType, floors: bool) -> np.ndarray:
    return np.where(b == 0, 0, a - _divide(a, b, dtype, floors) * b)


def _power(a: np.ndarray, b: np.ndarray, dtype: DType) -> np.ndarray:
    """Wraps; to a negative power 0, but for 1 and -1."""
    a, b = np.broadcast_arrays(a, b)
    base, left = a.astype(np.uint64), b.astype(np.int64).view(np.uint64).copy()
    negative = b < 0
    result = np.ones(a.shape, np.uint64)
    for _ in range(dtype.bits):
        result = np.where(left & np.uint64(1) != 0, result * base, result)
        base, left = base * base, left >> np.uint64(1)
    odd = np.where(b.astype(np.int64) & 1 != 0, a, a * a)
    one = (a == 1) | ((a == -1) if dtype.kind == "int" else False)
    return np.where(negative, np.where(one, odd, 0).astype(np.int64).view(np.uint64), result)


def _shift(a: np.ndarray, b: np.ndarray, dtype: DType, is_left: bool) -> np.ndarray:
    """Everything is shifted out from the width on; what is negative is more than the width."""
    inside = (b >= 0) & (b < dtype.bits)
    by = np.where(inside, b, 0).astype(b.dtype)
    if is_left:
        return np.where(inside, a << by, 0)
    return np.where(inside, a >> by, np.where(a < 0, -1, 0).astype(a.dtype))


_BINARY: dict[str, Callable[[np.ndarray, np.ndarray, DType], np.ndarray]] = {
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "div": lambda a, b, dtype: _divide(a, b, dtype, floors=False),
    "floordiv": lambda a, b, dtype: _divide(a, b, dtype, floors=True),
    "rem": lambda a, b, dtype: _remainder(a, b, dtype, floors=True),
    "fmod": lambda a, b, dtype: _remainder(a, b, dtype, floors=False),
    "pow": _power,
    "maximum": lambda a, b, _: np.maximum(a, b),
    "minimum": lambda a, b, _: np.minimum(a, b),
    "fmax": lambda a, b, _: np.maximum(a, b),
    "fmin": lambda a, b, _: np.minimum(a, b),
    "and_": lambda a, b, _: a & b,
    "or_": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, dtype: _shift(a, b, dtype, is_left=True),
    "shr": lambda a, b, dtype: _shift(a, b, dtype, is_left=False),
    "cdiv": lambda a, b, dtype: -_divide(-a, b, dtype, floors=True),
}

_UNARY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "neg": lambda a: -a,
    "pos": lambda a: a,
    "abs": lambda a: np.abs(a) if a.dtype.kind != "u" else a,
    "relu": lambda a: np.maximum(a, 0),
    "not_": lambda a: ~a,
    "floor": lambda a: a,
    "ceil": lambda a: a,
    "trunc": lambda a: a,
    "round": lambda a: a,
}


def binary(name: str, a: np.ndarray, b: np.ndarray, dtype: DType) -> np.ndarray:
    """An operation on elements of one type."""
    with np.errstate(all="ignore"):
        return wrap(_BINARY[name](a, b, dtype), dtype)


def unary(name: str, a: np.ndarray, dtype: DType) -> np.ndarray:
    """An operation on elements."""
    with np.errstate(all="ignore"):
        return wrap(_UNARY[name](a), dtype)
