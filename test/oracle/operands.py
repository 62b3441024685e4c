# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands of one operation in their common type, as docs/language.md, "Type promotion", says."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from .bounds import rounded
from .dtypes import BOOL, FP32, INDEX, INT32, DType, promote
from .index import Index
from .problems import Refused
from .rounding import convert
from .tensor import Tensor
from .value import Value

Constant = int | float | bool
Operand = Value | Index | Constant


def read(given: object) -> Operand:
    """What an operand is worth now: a tensor is read."""
    if isinstance(given, Tensor):
        return given.read()
    if isinstance(given, Value | Index | bool | int | float):
        return given
    if isinstance(given, np.generic):
        return given.item()
    raise Refused(f"{given!r} is no operand")


def tile_of(given: object) -> Value:
    """A tile or scalar; sizes and constants alone are INDEX or FP32."""
    given = read(given)
    if isinstance(given, Value):
        return given
    if isinstance(given, float):
        return in_type(given, FP32)
    return Value(np.asarray(int(given), np.int64), INDEX, (), is_scalar=True)


def origin(value: Value) -> DType:
    """What a BOOL counts as in arithmetic."""
    return value.compared or INT32


def compared_type(values: Sequence[Operand]) -> DType | None:
    """What the BOOLs among these come from."""
    types = [v.compared for v in values if isinstance(v, Value) and v.dtype is BOOL and v.compared is not None]
    return functools.reduce(promote, types) if types else None


def _type_of_values(values: Sequence[Value | Index]) -> DType:
    tiles = [v.dtype for v in values if isinstance(v, Value) and not v.is_scalar]
    scalars = [INDEX if isinstance(v, Index) else v.dtype for v in values if isinstance(v, Index) or v.is_scalar]
    if not tiles:
        return functools.reduce(promote, scalars)
    common = functools.reduce(promote, tiles)
    for dtype in scalars:
        if common is BOOL:
            common = dtype
        elif dtype.is_float and not common.is_float:
            raise Refused("a float scalar does not fit an integer tile")
    return common


def common_type(operands: Sequence[Operand], keeps_bool: bool = False) -> DType:
    """The type that the operands are converted to first."""
    values = [operand for operand in operands if isinstance(operand, Value | Index)]
    constants = [operand for operand in operands if not isinstance(operand, Value | Index)]
    if not values:
        return FP32 if any(isinstance(constant, float) for constant in constants) else INDEX
    common = _type_of_values(values)
    if common is not BOOL or (keeps_bool and all(isinstance(constant, bool) for constant in constants)):
        return common
    common = functools.reduce(promote, [origin(value) for value in values])
    return FP32 if not common.is_float and any(isinstance(constant, float) for constant in constants) else common


def _constant(number: Constant, dtype: DType) -> np.ndarray:
    if dtype.is_float:
        return convert(np.asarray(number), None, dtype)
    if isinstance(number, float):
        raise Refused(f"{number} is no {dtype}")
    low, high = (0, 1) if dtype is BOOL else dtype.limits
    if not low <= number <= high:
        raise Refused(f"{number} does not fit {dtype}")
    return np.asarray(number).astype(dtype.numpy) if number >= 0 or dtype.kind == "int" else np.asarray(0)


def in_type(operand: Operand, dtype: DType) -> Value:
    """The operand converted implicitly: to nearest even, integers by their low bits."""
    if isinstance(operand, Index):
        return Value(convert(np.asarray(operand.value, np.int64), INDEX, dtype), dtype, (), is_scalar=True)
    if not isinstance(operand, Value):
        return Value(_constant(operand, dtype), dtype, (), is_scalar=True)
    if operand.dtype is dtype:
        return operand
    data = convert(operand.data, operand.dtype, dtype)
    error = operand.error
    if dtype.is_float and operand.dtype.is_float and dtype.precision < operand.dtype.precision:
        error = rounded(data, error, dtype)
    return Value(data, dtype, operand.bounds, error, is_scalar=operand.is_scalar)
