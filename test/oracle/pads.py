# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Valid regions made smaller, and tiles padded: docs/ops/shapes.md."""

from __future__ import annotations

import numpy as np

from .bounds import tidy
from .dtypes import DType
from .operands import in_type, read, tile_of
from .operators import TABLE
from .problems import NotEvaluated, Refused
from .tensor import Tensor
from .value import Value
from .windows import extents_of


class PadValue:
    """Names of values to pad with."""

    zero, max, min, null = "zero", "max", "min", "null"


def _padding(pad: object, dtype: DType) -> np.ndarray:
    if isinstance(pad, str) and pad != "zero":
        if dtype.is_float:
            raise NotEvaluated("what PadValue.max and .min are of floats is not documented")
        return np.asarray(dtype.limits[pad == "max"]).astype(dtype.numpy)
    return in_type(0 if pad in ("zero", None) else read(pad), dtype).data


def shrink(x: Tensor | Value, shape: list) -> Tensor | Value:
    """The same, of which no more than the leading part is valid."""
    sizes = extents_of(shape)
    if len(sizes) != x.rank or any(size < 0 for size in sizes):
        raise Refused(f"a valid shape {sizes} of {x.rank} axes")
    part = tuple(slice(0, size) for size in sizes)
    if isinstance(x, Tensor):
        return x.view(x.data[part], x.error[part], x.bounds)
    error = None if x.error is None else x.error[part]
    return Value(x.data[part], x.dtype, x.bounds, error, compared=x.compared)


def set_validshape(x: Tensor | Value, rows: object, cols: object = None) -> Tensor | Value:
    """The same tile or view, of which less is valid."""
    if isinstance(rows, list | tuple):
        return shrink(x, list(rows))
    return shrink(x, [rows] if cols is None else [rows, cols])


def grow(x: Value, extents: tuple[int, ...], pad: object, bounds: tuple) -> Value:
    """In the corner of a larger tile."""
    data = np.full(extents, _padding(pad, x.dtype), x.dtype.numpy)
    inner = tuple(slice(0, extent) for extent in x.extents)
    data[inner] = x.data
    error = np.zeros(extents)
    error[inner] = x.exact_error
    return Value(data, x.dtype, bounds, tidy(error))


def fillpad(x: object, pad: object = "zero") -> Value:
    """The tile grown to its bounds."""
    x = tile_of(x)
    extents = tuple(
        bound if isinstance(bound, int) else extent for bound, extent in zip(x.bounds, x.extents, strict=True)
    )
    return grow(x, extents, pad, x.bounds)


def fillpad_expand(x: object, shape: list, pad: object = "zero") -> Value:
    """The tile in the corner of a larger one."""
    x = tile_of(x)
    extents = extents_of(shape)
    if any(extent > size for extent, size in zip(x.extents, extents, strict=True)):
        raise Refused("a tile does not fit")
    return grow(x, extents, pad, extents)


TABLE.update(set_validshape=set_validshape, fillpad=fillpad, fillpad_inplace=fillpad, fillpad_expand=fillpad_expand)
