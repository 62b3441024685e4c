# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Norms: docs/ops/reductions.md. How they are computed is the compiler's choice: bounds allow a few more units."""

from __future__ import annotations

import numpy as np

from .bounds import tidy, ulp
from .dtypes import FP32, FP64
from .elementwise import binary, cast, unary
from .operands import in_type, tile_of
from .operators import TABLE
from .problems import Refused
from .reduce import axes_of, mean, reduce
from .rounding import narrow
from .value import Value

#: What a step of a norm may be off by beyond what its operands are.
SLACK = 4


def _loosened(x: Value) -> Value:
    """With room for another order of the same arithmetic."""
    with np.errstate(all="ignore"):
        size = np.abs(x.data.astype(np.float64))
        room = np.where(np.isfinite(size), SLACK * ulp(size, x.dtype), 0.0)
    return Value(x.data, x.dtype, x.bounds, tidy(x.exact_error + room))


def _step(name: str, lhs: object, rhs: object) -> Value:
    return _loosened(binary(name, lhs, rhs))


def _wide(x: object) -> Value:
    x = tile_of(x)
    if not x.dtype.is_float:
        raise Refused(f"a norm of {x.dtype}")
    return x if x.dtype is FP64 else in_type(x, FP32)


def _scaled(x: Value, by: Value, weight: object, bias: object) -> Value:
    result = _step("mul", x, by)
    if weight is not None:
        result = _step("mul", result, in_type(tile_of(weight), x.dtype))
    return result if bias is None else _step("add", result, in_type(tile_of(bias), x.dtype))


def layer_norm(x: object, weight: object = None, bias: object = None, axis: object = -1, eps: float = 1e-5) -> Value:
    """(x - mean) / sqrt(var + eps) along axes, times a weight, plus a bias."""
    wide = _wide(x)
    apart = _step("sub", wide, _loosened(mean(wide, axis)))
    variance = _loosened(mean(_step("mul", apart, apart), axis))
    inverse = _loosened(unary("rsqrt", _step("add", variance, eps)))
    return cast(_scaled(apart, inverse, weight, bias), tile_of(x).dtype, "none")


def rms_norm(x: object, weight: object = None, axis: object = -1, eps: float = 1e-6) -> Value:
    """x / sqrt(mean(x * x) + eps) along axes, times a weight."""
    wide = _wide(x)
    inverse = _loosened(unary("rsqrt", _step("add", _loosened(mean(_step("mul", wide, wide), axis)), eps)))
    return cast(_scaled(wide, inverse, weight, None), tile_of(x).dtype, "none")


def logsumexp(x: object, axis: object = None, keepdims: bool = True) -> Value:
    """log(sum(exp(x))) without overflow."""
    dtype, x = tile_of(x).dtype, _wide(x)
    count = int(np.prod([x.extents[at] for at in axes_of(axis, x.rank)], dtype=np.int64))
    largest = reduce("max", x, axis, keepdims)
    base = reduce("max", x, axis)
    with np.errstate(all="ignore"):
        high = np.where(np.isfinite(base.data), base.data, 0).astype(np.longdouble)
        powers = np.exp(x.data.astype(np.longdouble) - high)
        total = Value(powers.astype(np.float64), FP64, x.bounds)
        exact = np.log(reduce("sum", total, axis, keepdims).data) + high.reshape(largest.data.shape)
        unit = 2.0**-x.dtype.precision
        room = (count + 16) * unit + 4 * ulp(np.abs(exact.astype(np.float64)), x.dtype)
        room = room + 2 * ulp(np.abs(largest.data.astype(np.float64)), x.dtype)
    error = largest.exact_error if x.error is None else np.full(exact.shape, x.error.max(initial=0.0))
    result = narrow(exact.astype(x.dtype.numpy), x.dtype)
    room = np.where(np.isfinite(exact), room, 0.0)
    return cast(Value(result, x.dtype, largest.bounds, tidy(room + error)), dtype, "none")


TABLE.update(layer_norm=layer_norm, rms_norm=rms_norm, logsumexp=logsumexp)
