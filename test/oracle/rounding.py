# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions of elements: the modes of pl.cast, saturation and wrap-around."""

from __future__ import annotations

import numpy as np

from .dtypes import DType
from .problems import Refused

#: Holds every element of every type exactly.
EXACT = np.longdouble


def _away(x: np.ndarray) -> np.ndarray:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _odd(x: np.ndarray) -> np.ndarray:
    whole = np.trunc(x)
    return np.where((whole != x) & (np.fmod(whole, 2) == 0), whole + np.copysign(1, x), whole)


MODES = {"rint": np.rint, "round": _away, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "odd": _odd}


def wrap(data: np.ndarray, dtype: DType) -> np.ndarray:
    """The low bits of integers."""
    data = data.astype(dtype.numpy, copy=False)
    if dtype.bits != 4:
        return data
    return (data << 4 >> 4) if dtype.kind == "int" else data & 15


def _stops(values: np.ndarray, mode: str) -> np.ndarray:
    """Whether what overflows stops at the greatest finite number."""
    if mode in ("trunc", "odd"):
        return np.ones(values.shape, bool)
    return values > 0 if mode == "floor" else values < 0 if mode == "ceil" else np.zeros(values.shape, bool)


def _to_float(data: np.ndarray, dtype: DType, mode: str, saturates: bool) -> np.ndarray:
    exact = data.astype(EXACT)
    finite = np.isfinite(exact)
    safe = np.where(finite, exact, 0)
    exponent = np.maximum(np.frexp(safe)[1] - 1, dtype.least_exponent)
    unit = np.ldexp(EXACT(1), exponent - (dtype.precision - 1))
    rounded = np.copysign(MODES["rint" if mode == "none" else mode](safe / unit) * unit, safe)
    over = np.abs(rounded) > dtype.greatest
    limit = np.copysign(EXACT(dtype.greatest), rounded)
    rounded = np.where(over, np.where(_stops(safe, mode), limit, np.copysign(EXACT(np.inf), limit)), rounded)
    rounded = np.where(finite, rounded, exact)
    if saturates:
        rounded = np.where(np.isinf(rounded), np.copysign(EXACT(dtype.greatest), rounded), rounded)
    if not dtype.has_infinity:
        rounded = np.where(np.isinf(rounded), EXACT(np.nan), rounded)
    return rounded.astype(np.float64).astype(dtype.numpy)


def _to_integer(data: np.ndarray, dtype: DType, mode: str) -> np.ndarray:
    low, high = dtype.limits
    if mode == "odd":
        raise Refused("odd rounds to narrower floats only")
    whole = MODES["trunc" if mode == "none" else mode](data.astype(EXACT))
    inside = np.clip(np.where(np.isnan(whole), 0, whole), EXACT(low), EXACT(high))
    return inside.astype(np.uint64 if dtype.kind == "uint" else np.int64).astype(dtype.numpy)


def convert(data: np.ndarray, source: DType, target: DType, mode: str = "none", saturates: bool = False) -> np.ndarray:
    """Elements in another type. The mode is that of pl.cast; "none" is nearest even among floats."""
    if target.is_bool:
        return data != 0
    if source == target:
        return data
    with np.errstate(all="ignore"):
        if target.is_float:
            return _to_float(data, target, mode, saturates)
        if source.is_float:
            return _to_integer(data, target, mode)
        if saturates:
            low, high = target.limits
            return np.clip(data.astype(EXACT), low, high).astype(target.numpy)
        return wrap(data, target)


def narrow(data: np.ndarray, dtype: DType) -> np.ndarray:
    """What was computed in FP32 or FP64, rounded to nearest even."""
    with np.errstate(all="ignore"):
        return data.astype(dtype.numpy)
