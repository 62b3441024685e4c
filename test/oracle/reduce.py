# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions: docs/ops/reductions.md. They take the valid elements and keep the axis."""

from __future__ import annotations

import functools

import numpy as np

from .bounds import Bound, of_prod, of_sum, rounded, tidy
from .dtypes import BOOL, FP32, INT32, DType
from .elementwise import binary, cast, unary
from .operands import in_type, tile_of
from .operators import TABLE
from .problems import Refused
from .rounding import narrow, wrap
from .value import Value


def lowest(dtype: DType) -> object:
    """The empty maximum."""
    if dtype.is_float:
        return -np.inf if dtype.has_infinity else -dtype.greatest
    return False if dtype is BOOL else dtype.limits[0]


def highest(dtype: DType) -> object:
    """The empty minimum."""
    if dtype.is_float:
        return np.inf if dtype.has_infinity else dtype.greatest
    return True if dtype is BOOL else dtype.limits[1]


def numeric(x: object) -> Value:
    """Counts of BOOL are INT32."""
    x = tile_of(x)
    return in_type(x, INT32) if x.dtype is BOOL else x


def add_up(data: np.ndarray, error: Bound, axis: int, dtype: DType) -> tuple[np.ndarray, Bound]:
    """A sum along an axis, which is gone."""
    with np.errstate(all="ignore"):
        if not dtype.is_float:
            kind = np.uint64 if dtype.kind == "uint" else np.int64
            total = data.astype(kind).sum(axis=axis, dtype=kind)
            return wrap(total, dtype), _any(error, axis)
        terms = data.astype(np.float64)
        exact = data.astype(np.longdouble).sum(axis=axis)
        bound = of_sum(terms, axis, dtype)
        if error is not None:
            bound = error.sum(axis=axis) + (0.0 if bound is None else bound)
        exact = np.where(exact == 0, np.abs(exact), exact)
        return round_once(exact, tidy(bound), dtype)


def round_once(exact: np.ndarray, bound: Bound, dtype: DType) -> tuple[np.ndarray, Bound]:
    """What was accumulated, rounded to its type at the end."""
    result = narrow(exact.astype(dtype.wide), dtype)
    return result, rounded(result, bound, dtype)


def _any(error: Bound, axis: int) -> Bound:
    return None if error is None else tidy(np.where((error > 0).any(axis=axis), np.inf, 0.0))


def _product(data: np.ndarray, error: Bound, axis: int, dtype: DType) -> tuple[np.ndarray, Bound]:
    with np.errstate(all="ignore"):
        if not dtype.is_float:
            kind = np.uint64 if dtype.kind == "uint" else np.int64
            return wrap(data.astype(kind).prod(axis=axis, dtype=kind), dtype), _any(error, axis)
        bound = of_prod(data.astype(np.float64), axis, dtype)
        result, bound = round_once(data.astype(np.longdouble).prod(axis=axis), bound, dtype)
        inherited = _any(error, axis)
        return result, bound if inherited is None else inherited + (0.0 if bound is None else bound)


def _extreme(data: np.ndarray, error: Bound, axis: int, dtype: DType, largest: bool) -> tuple[np.ndarray, Bound]:
    wide = data.astype(dtype.wide) if dtype.is_float else data
    start = lowest(dtype) if largest else highest(dtype)
    # NumPy's own types hold these; 4-bit integers lie in bytes.
    result = (np.max if largest else np.min)(wide, axis=axis, initial=start)
    bound = None if error is None else error.max(axis=axis, initial=0.0)
    return result.astype(dtype.numpy), bound


def _extreme_number(data: np.ndarray, error: Bound, axis: int, dtype: DType, largest: bool) -> tuple[np.ndarray, Bound]:
    if dtype.is_float:
        data = np.where(np.isnan(data.astype(dtype.wide)), lowest(dtype) if largest else highest(dtype), data)
    return _extreme(data, error, axis, dtype, largest)


_REDUCTIONS = {
    "sum": add_up,
    "prod": _product,
    "max": functools.partial(_extreme, largest=True),
    "min": functools.partial(_extreme, largest=False),
    "nanmax": functools.partial(_extreme_number, largest=True),
    "nanmin": functools.partial(_extreme_number, largest=False),
}


def axes_of(axis: object, rank: int) -> list[int]:
    """Axes counted from the front."""
    if axis is None:
        return list(range(rank))
    axes = [int(at) for at in (axis if isinstance(axis, tuple | list) else (axis,))]
    if any(not -rank <= at < rank for at in axes):
        raise Refused(f"axis {axis} of {rank}")
    return sorted(at % rank for at in axes)


def along(x: Value, axes: list[int], keepdims: bool, reduce: object) -> Value:
    """All these axes as one, reduced, and put back with extent 1."""
    kept = [axis for axis in range(x.rank) if axis not in axes]
    shape = [x.extents[axis] for axis in kept]
    count = int(np.prod([x.extents[axis] for axis in axes], dtype=np.int64))
    data = x.data.transpose(kept + axes).reshape([*shape, count])
    error = None if x.error is None else x.error.transpose(kept + axes).reshape([*shape, count])
    result, bound, dtype = reduce(data, error)
    bounds = [x.bounds[axis] for axis in kept]
    if keepdims:
        positions = tuple(axes)
        result = np.expand_dims(result, positions)
        bound = None if bound is None else np.expand_dims(bound, positions)
        bounds = [1 if axis in axes else x.bounds[axis] for axis in range(x.rank)]
    return Value(result, dtype, tuple(bounds), bound)


def reduce(name: str, x: object, axis: object = None, keepdims: bool = True) -> Value:
    """A reduction along axes, or along all."""
    x = numeric(x) if name in ("sum", "prod") else tile_of(x)
    return along(x, axes_of(axis, x.rank), keepdims, lambda d, e: (*_REDUCTIONS[name](d, e, -1, x.dtype), x.dtype))


def _two(name: str, lhs: object, rhs: object = None, axis: object = None, keepdims: bool = True) -> object:
    """pl.max and pl.min: along an axis, or of two scalars."""
    if rhs is not None and axis is None:
        return binary("maximum" if name == "max" else "minimum", lhs, rhs)
    return reduce(name, lhs, axis, keepdims)


def _holds(name: str, x: object, axis: object = None, keepdims: bool = True) -> Value:
    """pl.any and pl.all."""
    x = tile_of(x)
    mask = x if x.dtype is BOOL else cast(x, BOOL)
    compared = x.compared if x.dtype is BOOL else x.dtype
    function = np.any if name == "any" else np.all
    result = along(mask, axes_of(axis, x.rank), keepdims, lambda d, e: (function(d, axis=-1), _any(e, -1), BOOL))
    result.compared = compared
    return result


def either(one: Value, other: Value) -> Value:
    """One of two ways to round in between."""
    apart = np.abs(one.data.astype(np.float64) - other.data.astype(np.float64))
    same = (one.data == other.data) | (np.isnan(apart) & np.isnan(one.data.astype(np.float64)))
    with np.errstate(all="ignore"):
        error = np.maximum(one.exact_error, other.exact_error + np.where(same, 0.0, apart))
    return Value(one.data, one.dtype, one.bounds, tidy(error))


def in_steps(x: Value, compute: object) -> Value:
    """What is composed of several operations: types narrower than FP32 may be rounded at each, or at the end."""
    if not x.dtype.is_float:
        raise Refused(f"{x.dtype} is no float")
    result = compute(x)
    if x.dtype.wide == x.dtype.numpy:
        return result
    return either(cast(compute(in_type(x, FP32)), x.dtype, "none"), result)


def mean(x: object, axis: object = None, keepdims: bool = True) -> Value:
    """The sum divided by the extent; of BOOL in FP32."""
    x = tile_of(x)
    x = in_type(x, FP32) if x.dtype is BOOL else x
    count = int(np.prod([x.extents[at] for at in axes_of(axis, x.rank)], dtype=np.int64))

    def compute(y: Value) -> Value:
        total, number = reduce("sum", y, axis, keepdims), float(count)
        quotient = binary("div", total, number)
        return (
            either(quotient, binary("mul", total, binary("div", 1.0, Value(np.float32(number), FP32))))
            if count
            else quotient
        )

    return in_steps(x, compute)


def var(x: object, axis: object = None, keepdims: bool = True, ddof: int = 0) -> Value:
    """The sum of squares of differences from the mean, divided by the count less ddof."""
    x = tile_of(x)
    count = int(np.prod([x.extents[at] for at in axes_of(axis, x.rank)], dtype=np.int64))

    def compute(y: Value) -> Value:
        apart = binary("sub", y, mean(y, axis))
        return binary("div", reduce("sum", binary("mul", apart, apart), axis, keepdims), float(count - int(ddof)))

    return in_steps(x, compute)


def softmax(x: object, axis: int = -1) -> Value:
    """exp(x) divided by its sum, without overflow."""

    def compute(y: Value) -> Value:
        powers = unary("exp", binary("sub", y, reduce("max", y, axis)))
        return binary("div", powers, reduce("sum", powers, axis))

    return in_steps(tile_of(x), compute)


def argument(name: str, x: object, axis: int, keepdims: bool = True) -> Value:
    """The index of the first largest or smallest, or of the first NaN; -1 where there is no element."""
    x = numeric(x)

    def find(data: np.ndarray, error: Bound) -> tuple[np.ndarray, Bound, DType]:
        wide = data.astype(x.dtype.wide) if x.dtype.is_float else data
        if wide.shape[-1] == 0:
            return np.full(wide.shape[:-1], -1, np.int32), None, INT32
        found = (np.argmax if name == "max" else np.argmin)(wide, axis=-1)
        return found.astype(np.int32), _any(error, -1), INT32

    return along(x, axes_of(axis, x.rank), keepdims, find)


def _expand(name: str, x: object, v: object, tmp: object = None) -> Value:
    """A column or a row combined with every element."""
    if name == "expdif":
        return unary("exp", binary("sub", x, v))
    if name:
        return binary({"max": "maximum", "min": "minimum"}.get(name, name), x, v)
    return TABLE["expand_clone"](v, x)


def _register() -> None:
    for name in _REDUCTIONS:
        TABLE[name] = functools.partial(_two if name in ("max", "min") else reduce, name)
        TABLE[f"row_{name}"] = lambda x, tmp_tile=None, name=name: reduce(name, x, -1)
        TABLE[f"col_{name}"] = lambda x, tmp_tile=None, name=name: reduce(name, x, -2)
    for name in ("max", "min"):
        TABLE[f"arg{name}"] = functools.partial(argument, name)
        TABLE[f"row_arg{name}"] = lambda x, tmp_tile=None, name=name: argument(name, x, -1)
        TABLE[f"col_arg{name}"] = lambda x, tmp_tile=None, name=name: argument(name, x, -2)
    for name in ("add", "sub", "mul", "div", "max", "min", "expdif"):
        TABLE[f"row_expand_{name}"] = TABLE[f"col_expand_{name}"] = functools.partial(_expand, name)
    TABLE["row_expand"] = TABLE["col_expand"] = functools.partial(_expand, "")
    TABLE.update(any=functools.partial(_holds, "any"), all=functools.partial(_holds, "all"))
    TABLE.update(mean=mean, var=var, softmax=softmax)


_register()
