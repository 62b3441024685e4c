# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise functions: docs/ops/elementwise.md."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from . import floats, integers, sizes
from .bounds import Bound, rounded, tidy, unknown
from .dtypes import BOOL, FP32, INDEX, DType, as_dtype
from .extents import fit, join
from .index import Index
from .operands import Operand, common_type, compared_type, in_type, origin, read, tile_of
from .operators import TABLE
from .problems import Refused
from .rounding import convert
from .tensor import Tensor
from .value import Value

_BITS = ("and_", "or_", "xor")
_COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal}
_COMPARISONS |= {"gt": np.greater, "ge": np.greater_equal}
_CODES = ("eq", "ne", "lt", "le", "gt", "ge")


def align(values: list[Value]) -> tuple[list[np.ndarray], list[Bound], tuple]:
    """Elements and errors of operands where they join, and the bounds of the result."""
    bounds, extents = join(values)
    arrays = [fit(value.data, extents) for value in values]
    errors = [None if value.error is None else fit(value.error, extents) for value in values]
    return arrays, errors, bounds


def _of_sizes(operands: list[Operand]) -> bool:
    return all(isinstance(operand, Index | int | bool) for operand in operands)


def _apply(name: str, lhs: Value, rhs: Value, dtype: DType) -> Value:
    (a, b), (ea, eb), bounds = align([lhs, rhs])
    if dtype.is_float:
        data, error = floats.binary(name, a, b, ea, eb, dtype)
    elif dtype is BOOL:
        data, error = {"and_": np.logical_and, "or_": np.logical_or, "xor": np.logical_xor}[name](a, b), unknown(ea, eb)
    else:
        data, error = integers.binary(name, a, b, dtype), unknown(ea, eb)
    return Value(data, dtype, bounds, error, is_scalar=lhs.is_scalar and rhs.is_scalar)


def binary(name: str, lhs: object, rhs: object) -> Operand:
    """An arithmetic function of two operands."""
    operands = [read(lhs), read(rhs)]
    if _of_sizes(operands):
        return sizes.binary(name, *operands)
    if not any(isinstance(operand, Value | Index) for operand in operands):
        return sizes.constant(name, *operands)
    dtype = common_type(operands, keeps_bool=name in _BITS)
    if name == "div" and dtype is INDEX:
        return sizes.binary(name, *(int(tile_of(operand)) for operand in operands))
    result = _apply(name, *(in_type(operand, dtype) for operand in operands), dtype)
    if dtype is BOOL:
        result.compared = compared_type(operands)
    return sizes.as_index(result)


def compare(name: str, lhs: object, rhs: object) -> Value | bool:
    """BOOL that remembers what was compared."""
    operands = [read(lhs), read(rhs)]
    if not any(isinstance(operand, Value | Index) for operand in operands):
        return bool(_COMPARISONS[name](*operands))
    dtype = common_type(operands, keeps_bool=True)
    sides = [in_type(operand, dtype) for operand in operands]
    (a, b), (ea, eb), bounds = align(sides)
    with np.errstate(all="ignore"):
        data = _COMPARISONS[name](a.astype(dtype.wide), b.astype(dtype.wide)) if dtype.is_float else None
        data = _COMPARISONS[name](a, b) if data is None else data
        error = _comparison_error(a, b, ea, eb, dtype)
    compared = compared_type(operands) if dtype is BOOL else dtype
    is_scalar = all(side.is_scalar for side in sides)
    return Value(data, BOOL, bounds, error, is_scalar=is_scalar, compared=compared)


def _comparison_error(a: np.ndarray, b: np.ndarray, ea: Bound, eb: Bound, dtype: DType) -> Bound:
    """Unknown where both sides may be equal and need not be."""
    if ea is None and eb is None:
        return None
    if not dtype.is_float:
        return unknown(ea, eb)
    apart = np.abs(a.astype(np.float64) - b.astype(np.float64))
    total = (0.0 if ea is None else ea) + (0.0 if eb is None else eb)
    return tidy(np.where((total > 0) & ~(apart > total), np.inf, 0.0))


def cmp(lhs: object, rhs: object, cmp_type: str | int = "eq", tmp: object = None) -> Value | bool:
    """Compares by the name or the code of the comparison."""
    return compare(_CODES[cmp_type] if isinstance(cmp_type, int) else cmp_type, lhs, rhs)


def unary(name: str, operand: object) -> Operand:
    """A function of one operand."""
    operand = read(operand)
    if _of_sizes([operand]) and not isinstance(operand, bool):
        return sizes.unary(name, operand)
    if isinstance(operand, float):
        if name in ("neg", "pos", "abs"):
            return {"neg": -operand, "pos": operand, "abs": abs(operand)}[name]
        operand = in_type(operand, FP32)
    if operand.dtype is BOOL and name == "not_":
        return Value(
            ~operand.data, BOOL, operand.bounds, operand.error, is_scalar=operand.is_scalar, compared=operand.compared
        )
    if operand.dtype is BOOL:
        operand = in_type(operand, origin(operand))
    if operand.dtype.is_float:
        data, error = floats.unary(name, operand.data, operand.error, operand.dtype)
    elif name in floats.MATH or name in ("sqrt", "recip"):
        raise Refused(f"pl.{name} of integers")
    else:
        data, error = integers.unary(name, operand.data, operand.dtype), unknown(operand.error)
    return Value(data, operand.dtype, operand.bounds, error, is_scalar=operand.is_scalar)


def truediv(lhs: object, rhs: object) -> Operand:
    """`/` divides floats."""
    operands = [read(lhs), read(rhs)]
    if not any(isinstance(operand, Value | Index) for operand in operands):
        return operands[0] / operands[1]
    if not common_type(operands).is_float:
        raise Refused("/ divides floats")
    return binary("div", *operands)


def cast(x: object, dtype: object, mode: str = "round", saturation_mode: object = None, tmp: object = None) -> Operand:
    """pl.cast."""
    x, target = tile_of(x), as_dtype(dtype)
    source = x.dtype
    data = convert(x.data, source, target, mode, saturates=saturation_mode in ("on", True))
    error = x.error
    if error is not None and source.is_float and target.is_float:
        error = rounded(data, error, target) if target.precision < source.precision else error
    elif error is not None and source.is_float:
        wide = x.data.astype(np.float64)
        ends = [convert(end, source, target, mode) for end in (wide - error, wide + error)]
        error = np.where((ends[0] == ends[1]) | (error == 0), 0.0, np.inf)
        error = np.where((error == 0) & (target is BOOL) & (np.abs(wide) <= x.error) & (x.error > 0), np.inf, error)
    result = Value(data, target, x.bounds, error, is_scalar=x.is_scalar)
    return sizes.as_index(result)


def select(mask: object, lhs: object, rhs: object, tmp: object = None) -> Value:
    """`lhs` where the mask holds. A mask of numbers holds where they are not 0."""
    mask, operands = tile_of(mask), [read(lhs), read(rhs)]
    if mask.dtype is not BOOL:
        mask = cast(mask, BOOL)
    dtype = common_type(operands, keeps_bool=True)
    values = [in_type(operand, dtype) for operand in operands]
    if dtype is INDEX and not any(isinstance(operand, Value) and not operand.is_scalar for operand in operands):
        dtype = INDEX
    (condition, a, b), (em, ea, eb), bounds = align([mask, *values])
    data = np.where(condition, a, b)
    error = None
    if not (em is None and ea is None and eb is None):
        error = np.where(condition, 0.0 if ea is None else ea, 0.0 if eb is None else eb)
        if em is not None:
            error = np.where((em > 0), np.inf, error)
    is_scalar = mask.is_scalar and all(value.is_scalar for value in values)
    compared = compared_type(operands) if dtype is BOOL else None
    return Value(data, dtype, bounds, error, is_scalar=is_scalar, compared=compared)


def sels(mask: object, lhs: object, rhs: object = None, scalar: object = None) -> Value:
    """As pl.select with a scalar."""
    return select(mask, lhs, rhs if scalar is None else scalar)


def in_place(name: str, target: object, operand: object) -> Operand:
    """`target op= operand`: keeps the extents of the target, and changes the part where the operand is valid."""
    if isinstance(target, Tensor) and not target.memory.is_written_in_place:
        return TABLE[name](target, operand)
    old = read(target)
    result = TABLE[name](old, operand)
    if not isinstance(old, Value) or old.is_scalar:
        return result
    if result.rank != old.rank or result.dtype is not old.dtype:
        raise Refused("an augmented assignment changes the shape or the type")
    data, error = old.data.copy(), old.exact_error.copy()
    inner = tuple(slice(0, extent) for extent in result.extents)
    if any(part > whole for part, whole in zip(result.extents, old.extents, strict=True)):
        raise Refused("an augmented assignment would grow")
    data[inner], error[inner] = result.data, result.exact_error
    if isinstance(target, Tensor):
        target.write(tuple(slice(None) for _ in old.extents), data, error)
        return target
    return Value(data, old.dtype, old.bounds, error)


def _chain(name: str) -> Callable:
    return lambda lhs, rhs, rhs2, **_: binary(name, binary(name, lhs, rhs), rhs2)


def axpy(src: object, scalar: object, dst: object) -> Operand:
    """dst + src * scalar, in the type of dst."""
    target = tile_of(dst).dtype
    return binary("add", dst, cast(binary("mul", src, scalar), target, "none"))


def prelu(x: object, slope: object, tmp: object = None) -> Value:
    """x where it is above 0, elsewhere slope * x."""
    return select(compare("gt", x, 0), x, binary("mul", x, slope))


def clip(x: object, low: object = None, high: object = None) -> Operand:
    """No less than `low` and no more than `high`."""
    if low is not None:
        x = binary("maximum", x, low)
    return x if high is None else binary("minimum", x, high)


def classify(name: str, x: object) -> Value:
    """isnan, isinf, isfinite."""
    x = tile_of(x)
    data = (
        getattr(np, name)(x.data.astype(x.dtype.wide)) if x.dtype.is_float else np.full(x.extents, name == "isfinite")
    )
    beyond = None if x.error is None else np.where(np.isinf(x.error), np.inf, 0.0)
    return Value(data, BOOL, x.bounds, beyond, is_scalar=x.is_scalar, compared=x.dtype)


def gelu(x: object, approximate: str = "none") -> Value:
    """pl.gelu, of either kind."""
    x = tile_of(x)
    if not x.dtype.is_float:
        raise Refused("pl.gelu of integers")
    data, error = floats.gelu(x.data, x.error, x.dtype, approximate == "tanh")
    return Value(data, x.dtype, x.bounds, error, is_scalar=x.is_scalar)


def _register() -> None:
    arithmetic = "add sub mul div rem fmod pow maximum minimum fmax fmin and_ or_ xor shl shr cdiv floordiv".split()
    for name in arithmetic:
        TABLE[name] = lambda lhs, rhs, name=name, **_: binary(name, lhs, rhs)
        TABLE[f"{name.rstrip('_')}s"] = TABLE[name]
    for name in _CODES:
        TABLE[name] = functools.partial(compare, name)
    one = "neg pos exp log sqrt rsqrt recip sin cos tanh erf floor ceil trunc round relu not_ abs sigmoid silu softplus"
    for name in (*one.split(), "exp2", "log2", "log1p", "expm1", "tan"):
        TABLE[name] = lambda x, name=name, **_: unary(name, x)
    for name in ("isnan", "isinf", "isfinite"):
        TABLE[name] = functools.partial(classify, name)
    TABLE.update(truediv=truediv, cast=cast, cmp=cmp, cmps=cmp, select=select, sel=select, where=select, sels=sels)
    TABLE.update(gelu=gelu, in_place=in_place, axpy=axpy, prelu=prelu, lrelu=prelu, clip=clip, maxs=TABLE["maximum"])
    TABLE.update(
        mins=TABLE["minimum"], addc=_chain("add"), addsc=_chain("add"), subc=_chain("sub"), subsc=_chain("sub")
    )


_register()
