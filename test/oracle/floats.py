# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of floats: computed in FP32 or FP64, rounded once, with the bound of what an error of operands becomes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .bounds import Bound, rounded, tidy, ulp, unknown
from .dtypes import FP32, FP64, DType
from .rounding import EXACT, narrow

Function = Callable[[np.ndarray], np.ndarray]

_BINARY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "floordiv": np.floor_divide,
    "rem": np.remainder,
    "fmod": np.fmod,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "fmax": np.fmax,
    "fmin": np.fmin,
}


def _propagated(name: str, a: np.ndarray, b: np.ndarray, ea: np.ndarray, eb: np.ndarray) -> np.ndarray:
    """What the exact result may be off by if the operands may be."""
    if name in ("add", "sub"):
        return ea + eb
    if name in ("maximum", "minimum", "fmax", "fmin"):
        return np.maximum(ea, eb)
    zero = (ea == 0) & (eb == 0)
    if name == "mul":
        error = np.abs(a) * eb + np.abs(b) * ea + ea * eb
    elif name == "div":
        left = np.abs(b) - eb
        error = np.where(left > 0, (ea + np.abs(a / b) * eb) / left, np.inf)
    else:
        error = np.inf
    return np.where(zero, 0.0, error)


def binary(name: str, a: np.ndarray, b: np.ndarray, ea: Bound, eb: Bound, dtype: DType) -> tuple[np.ndarray, Bound]:
    """An operation on elements of one type."""
    with np.errstate(all="ignore"):
        x, y = a.astype(dtype.wide), b.astype(dtype.wide)
        if name == "pow":
            return _power(x, y, unknown(ea, eb), dtype)
        result = narrow(_BINARY[name](x, y), dtype)
        if ea is None and eb is None:
            return result, None
        ea, eb = (np.zeros(np.shape(e_of)) if e is None else e for e, e_of in ((ea, a), (eb, b)))
        error = _propagated(name, x.astype(np.float64), y.astype(np.float64), ea, eb)
        if name in ("maximum", "minimum", "fmax", "fmin"):
            return result, tidy(error)
        return result, rounded(result, tidy(error), dtype)


def _power(x: np.ndarray, y: np.ndarray, error: Bound, dtype: DType) -> tuple[np.ndarray, Bound]:
    exact = np.power(x.astype(EXACT), y.astype(EXACT))
    result, bound = _inexact(exact, 2, dtype)
    return result, bound if error is None else np.maximum(bound, error) if bound is not None else error


def _inexact(exact: np.ndarray, ulps: float | np.ndarray, dtype: DType) -> tuple[np.ndarray, Bound]:
    """A result that an implementation may be off by some units in the last position, and is then rounded."""
    result = narrow(narrow(exact, dtype) if dtype in (FP32, FP64) else exact.astype(np.float64), dtype)
    size = np.abs(exact.astype(np.float64))
    wide = FP64 if dtype is FP64 else FP32
    error = (ulps + 0.5) * ulp(size, wide)
    error = np.where(np.isfinite(exact), error, 0.0)
    # About to overflow, or not quite.
    error = np.where((size + error > dtype.greatest) & (size - error <= dtype.greatest), np.inf, error)
    if dtype is not wide:
        error = np.where(error > 0, error + ulp(size + error, dtype), 0.0)
    return result, tidy(error)


_MATH: dict[str, tuple[Function, float]] = {
    "exp": (np.exp, 2),
    "exp2": (np.exp2, 2),
    "log": (np.log, 2),
    "log2": (np.log2, 2),
    "tanh": (np.tanh, 2),
    "log1p": (np.log1p, 3),
    "expm1": (np.expm1, 3),
    "tan": (np.tan, 4),
    "sin": (np.sin, 2),
    "cos": (np.cos, 2),
    "erf": (np.vectorize(math.erf, otypes=[np.float64]), 3),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 2),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), 6),
    "silu": (lambda x: x / (1 + np.exp(-x)), 8),
    "softplus": (lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))), 8),
}

_EXACT: dict[str, Function] = {
    "neg": np.negative,
    "pos": np.positive,
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, np.zeros((), x.dtype)),
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
    "sqrt": np.sqrt,
    "recip": lambda x: 1 / x,
}
MATH = tuple(_MATH)

#: By how much more than its operand a result changes, of functions that go up and down.
_STEEPEST = {"sin": 1.0, "cos": 1.0, "silu": 1.2}
#: Below this, FP32 exp(-x) is infinite, and sigmoid and silu are 0.
_LEAST_SIGMOID = {"FP64": -709.0}


def _change(function: Function, x: np.ndarray, error: np.ndarray) -> np.ndarray:
    """How beyond the results at both ends of an interval are from that in it."""
    here, wide = x.astype(np.float64), error.astype(np.float64)
    middle, low, high = function(here), function(here - wide), function(here + wide)
    change = np.maximum(np.abs(high - middle), np.abs(middle - low))
    return np.where(wide == 0, 0.0, change)


def _gelu_slack(wide: np.ndarray) -> np.ndarray:
    """By how many units more the tanh kind may be off, further and further below 0."""
    inner = 1.6 * (wide.astype(np.float64) + 0.0447 * wide.astype(np.float64) ** 3)
    return 4 + np.maximum(-inner, 0)


def gelu(a: np.ndarray, error: Bound, dtype: DType, by_tanh: bool) -> tuple[np.ndarray, Bound]:
    """x times how probable a normally distributed number below x is."""
    with np.errstate(all="ignore"):
        wide = a.astype(np.float64)
        if by_tanh:
            exact = wide / (1 + np.exp(-1.5957691216057308 * (wide + 0.044715 * wide**3)))
            ulps = _gelu_slack(wide)
        else:
            exact, ulps = wide / 2 * np.vectorize(math.erfc, otypes=[np.float64])(-wide / math.sqrt(2)), 6.0
        exact = np.where(np.isneginf(wide), np.nan, exact)
        result, bound = _inexact(exact, ulps if dtype is not FP64 else ulps + 8, dtype)
        if error is None:
            return result, bound
        moved = rounded(result, tidy(error * 1.2), dtype)
        return result, tidy((0.0 if bound is None else bound) + moved)


def unary(name: str, a: np.ndarray, error: Bound, dtype: DType) -> tuple[np.ndarray, Bound]:
    """A function of elements."""
    with np.errstate(all="ignore"):
        wide = a.astype(dtype.wide)
        if name in _EXACT:
            result = narrow(_EXACT[name](wide), dtype)
            if error is None or name in ("neg", "pos", "abs", "relu"):
                return result, error
            return result, rounded(result, tidy(_change(_EXACT[name], wide, error)), dtype)
        function, ulps = _MATH[name]
        exact = function(wide.astype(np.float64 if dtype is not FP64 or name == "erf" else EXACT))
        result, bound = _inexact(exact, ulps, dtype)
        if name in ("sigmoid", "silu"):
            vanishing = wide < _LEAST_SIGMOID.get(dtype.name, -88.0)
            least = np.where(vanishing, np.abs(exact).astype(np.float64) + 2.0**dtype.least_exponent, 0.0)
            bound = least if bound is None else np.maximum(bound, least)
        if error is None:
            return result, tidy(bound)
        steepest = _STEEPEST.get(name)
        change = error * steepest if steepest else _change(function, wide, error)
        moved = rounded(result, tidy(change), dtype)
        return result, tidy((0.0 if bound is None else bound) + (0.0 if moved is None else moved))
