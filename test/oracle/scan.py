# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inclusive scans: docs/ops/reductions.md."""

from __future__ import annotations

import functools

import numpy as np

from .bounds import Bound, of_sum, rounded, tidy
from .dtypes import DType
from .extents import fit, join
from .operands import in_type, read
from .operators import TABLE
from .reduce import numeric
from .rounding import narrow, wrap
from .value import Value

_STEPS = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}


def _integers(name: str, data: np.ndarray, dtype: DType) -> np.ndarray:
    kind = np.uint64 if dtype.kind == "uint" else np.int64
    with np.errstate(all="ignore"):
        return wrap(_STEPS[name].accumulate(data.astype(kind), axis=-1, dtype=kind), dtype)


def _sum_errors(data: np.ndarray, error: Bound, dtype: DType) -> Bound:
    """Of each sum of the first elements, in any order."""
    bounds = []
    for count in range(1, data.shape[-1] + 1):
        bound = of_sum(data[..., :count].astype(np.float64), -1, dtype, roundings=2)
        total = np.zeros(data.shape[:-1]) if bound is None else bound
        bounds.append(total if error is None else total + error[..., :count].sum(axis=-1))
    return tidy(np.stack(bounds, -1)) if bounds else None


def _floats(name: str, data: np.ndarray, error: Bound, dtype: DType) -> tuple[np.ndarray, Bound]:
    with np.errstate(all="ignore"):
        if name in ("max", "min"):
            result = _STEPS[name].accumulate(data.astype(dtype.wide), axis=-1).astype(dtype.numpy)
            return result, None if error is None else np.maximum.accumulate(error, axis=-1)
        exact = _STEPS[name].accumulate(data.astype(np.longdouble), axis=-1)
        result = narrow(exact.astype(dtype.wide), dtype)
        if name == "sum":
            return result, rounded(result, _sum_errors(data, error, dtype), dtype)
        bound = np.abs(exact).astype(np.float64) * np.arange(1, data.shape[-1] + 1) * 2.0**-dtype.precision * 4
        if error is not None:
            bound = bound + np.where(np.maximum.accumulate(error, axis=-1) > 0, np.inf, 0.0)
        return result, tidy(np.where(np.isfinite(exact) | np.isinf(bound), bound, np.inf))


def scan(name: str, x: object, axis: int = -1, initial: object = None) -> Value:
    """The combination of each element and all before it along an axis."""
    x = numeric(x)
    axis %= x.rank
    data, error, bounds, extents = x.data, x.error, x.bounds, x.extents
    if initial is not None:
        start = in_type(read(initial), x.dtype)
        if start.rank:
            bounds, extents = join([x, start])
            extents = (*extents[:axis], x.extents[axis], *extents[axis + 1 :])
        begin = (*extents[:axis], 1, *extents[axis + 1 :])
        first = fit(start.data, begin) if start.rank else np.broadcast_to(start.data, begin)
        data = np.concatenate([first, fit(data, extents)], axis)
        if error is not None or start.error is not None:
            fault = fit(start.exact_error, begin) if start.rank else np.broadcast_to(start.exact_error, begin)
            error = np.concatenate([fault, fit(x.exact_error, extents)], axis)
    data = np.moveaxis(data, axis, -1)
    error = None if error is None else np.moveaxis(error, axis, -1)
    if x.dtype.is_float:
        result, bound = _floats(name, data, error, x.dtype)
    else:
        result = _integers(name, data, x.dtype)
        bound = None if error is None else np.where(np.maximum.accumulate(error, axis=-1) > 0, np.inf, 0.0)
    if initial is not None:
        result, bound = result[..., 1:], None if bound is None else bound[..., 1:]
    result = np.moveaxis(result, -1, axis)
    return Value(result, x.dtype, bounds, None if bound is None else np.moveaxis(bound, -1, axis))


for _name in _STEPS:
    TABLE[f"cum{_name}"] = functools.partial(scan, _name)
