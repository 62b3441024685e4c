# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gathers: docs/ops/gather.md."""

from __future__ import annotations

import numpy as np

from .bounds import Bound
from .dtypes import BOOL, INT32, as_dtype
from .elementwise import cmp
from .memory import known, load
from .operands import read, tile_of
from .operators import TABLE
from .problems import NotEvaluated, Refused
from .tensor import Tensor
from .value import Value
from .windows import number


def inside(index: np.ndarray, extent: int) -> np.ndarray:
    """Indices, none of which may be out of range."""
    wide = index.astype(np.int64)
    if index.size and (wide.min() < 0 or wide.max() >= extent):
        raise Refused(f"an index out of range of {extent}")
    return wide


def pattern_columns(pattern: object, columns: int) -> np.ndarray:
    """The columns that a mask pattern picks: its name is read from the right."""
    name = getattr(pattern, "name", str(pattern))
    bits = name.lstrip("P")[::-1]
    return np.asarray([column for column in range(columns) if bits[column % len(bits)] == "1"], np.int64)


def gather_mask(src: object, mask_pattern: object, output_dtype: object = None) -> Value:
    """Every 2nd or 4th column."""
    src = tile_of(src)
    if output_dtype is not None and as_dtype(output_dtype) is not src.dtype:
        raise NotEvaluated("output_dtype of a gather")
    columns = pattern_columns(mask_pattern, src.extents[-1])
    bound = len(pattern_columns(mask_pattern, src.bounds[-1])) if isinstance(src.bounds[-1], int) else None
    error = None if src.error is None else src.error[..., columns]
    return Value(src.data[..., columns], src.dtype, (*src.bounds[:-1], bound), error)


def gather_compare(
    src: object, kvalue: object, tmp: object = None, cmp_mode: object = "eq", offset: object = 0,
    out_cols: object = None, count_dtype: object = INT32,
) -> tuple[Value, Value]:  # fmt: skip
    """The indices in each row that compare, and how many there are."""
    src = tile_of(src)
    mask = known(cmp(src, kvalue, cmp_mode))
    columns = int(number(out_cols)) if out_cols is not None else src.extents[-1]
    positions = _found(mask.data, columns)
    positions = np.where(_filled(mask.data, columns), positions + int(number(offset)), positions)
    counts = mask.data.sum(axis=-1).astype(as_dtype(count_dtype).numpy)[None]
    return Value(positions, INT32, (src.bounds[0], columns)), Value(counts, as_dtype(count_dtype), (1, src.bounds[0]))


def _found(mask: np.ndarray, columns: int) -> np.ndarray:
    positions = np.zeros((*mask.shape[:-1], columns), np.int32)
    for row in np.ndindex(mask.shape[:-1]):
        found = np.flatnonzero(mask[row])[:columns]
        positions[row][: len(found)] = found
    return positions


def _filled(mask: np.ndarray, columns: int) -> np.ndarray:
    return np.arange(columns) < mask.sum(axis=-1, keepdims=True)


def find(mask: object, columns: object) -> Value:
    """The column indices where each row of the mask holds, and 0 where there are no more."""
    mask, count = tile_of(mask), int(number(columns))
    data = known(mask).data if mask.dtype is BOOL else known(mask).data != 0
    return Value(_found(data, count), INT32, (*mask.bounds[:-1], count))


def gather(
    x: object, dim: int | None = None, index: object = None, mask_pattern: object = None, output_dtype: object = None,
    kvalue: object = None, **options: object,
) -> Value | tuple[Value, Value]:  # fmt: skip
    """Elements at indices along an axis, or of all in row-major order."""
    if isinstance(dim, Tensor | Value) and index is None:
        dim, index = None, dim
    if mask_pattern is not None:
        return gather_mask(x, mask_pattern, output_dtype)
    if kvalue is not None:
        return gather_compare(x, kvalue, **options)
    x, index = tile_of(x), known(tile_of(index))
    if dim is None:
        positions = inside(index.data, x.data.size)
        error = None if x.error is None else x.error.ravel()[positions]
        return Value(x.data.ravel()[positions], x.dtype, index.bounds, error)
    dim = int(dim) % x.rank
    extents = tuple(
        own if axis == dim else min(own, other)
        for axis, (own, other) in enumerate(zip(index.extents, x.extents, strict=True))
    )
    part = tuple(slice(0, extent) for extent in extents)
    positions = inside(index.data[part], x.extents[dim])
    source = tuple(slice(None) if axis == dim else slice(0, extent) for axis, extent in enumerate(extents))
    error = None if x.error is None else np.take_along_axis(x.error[source], positions, dim)
    return Value(np.take_along_axis(x.data[source], positions, dim), x.dtype, index.bounds, error)


def _rows(data: np.ndarray, error: Bound, index: np.ndarray, oob: object) -> tuple[np.ndarray, Bound]:
    wide, count = index.astype(np.int64), data.shape[0]
    outside = (wide < 0) | (wide >= count)
    if outside.any() and (oob == "undefined" or (count == 0 and oob != "zero")):
        raise Refused("an index out of range")
    if oob == "wrap" and count:
        wide = wide % count
    safe = np.clip(wide, 0, max(count - 1, 0))
    if count == 0:
        return np.zeros((len(wide), *data.shape[1:]), data.dtype), None
    taken, fault = data[safe], None if error is None else error[safe]
    if oob == "zero":
        taken = np.where(outside.reshape(-1, *[1] * (data.ndim - 1)), np.zeros((), data.dtype), taken)
    return taken, fault


def mgather(
    tensor: object, idx: object, coalesce: object = "row", gather_oob: object = "undefined", valid_shape: object = None,
    **_: object,
) -> Value:  # fmt: skip
    """Rows or elements of a tensor."""
    x, index = read(tensor), known(tile_of(idx))
    oob, by_element = str(gather_oob).lower(), "elem" in str(coalesce).lower()
    error = x.error
    if by_element:
        data, error = _rows(
            x.data.reshape(-1), None if error is None else error.reshape(-1), index.data.reshape(-1), oob
        )
        error = None if error is None else error.reshape(index.extents)
        result = Value(data.reshape(index.extents), x.dtype, index.bounds, error)
    else:
        data, error = _rows(x.data, error, index.data.reshape(-1), oob)
        counts = [bound for bound in index.bounds if bound != 1]
        bound = counts[0] if len(counts) == 1 else 1 if not counts else None
        result = Value(data, x.dtype, (bound, *x.bounds[1:]), error)
    return result if valid_shape is None else TABLE["set_validshape"](result, valid_shape)


def paged_gather(
    src: object, indices: object, block_table: object, block_size: object, size: object, max_indices: object,
    col_off: object = 0, is_trans: bool = False, **_: object,
) -> Value:  # fmt: skip
    """Rows gathered from a pool of pages through a block table."""
    pool, index, table = read(src), known(tile_of(indices)), known(tile_of(block_table))
    block, start, width = int(number(block_size)), int(number(col_off)), int(number(size))
    flat = index.data.reshape(-1).astype(np.int64)
    pages = table.data.reshape(-1).astype(np.int64)[inside(flat // block, table.data.size)]
    rows = inside(pages * block + flat % block, pool.extents[0])
    error = None if pool.error is None else pool.error[rows, start : start + width]
    result = Value(pool.data[rows, start : start + width], pool.dtype, (None, width), error)
    return TABLE["transpose"](result) if is_trans else result


def gather_row(
    acc: object, src: object, dst_offset: list, src_offset: list, shapes: list, transpose: bool = False,
    valid_shape: list | None = None,
) -> Value:  # fmt: skip
    """The tile with a window of a tensor put into it."""
    return TABLE["assemble"](tile_of(acc), load(src, src_offset, shapes, valid_shape, transpose), dst_offset)


TABLE.update(gather=gather, gather_mask=gather_mask, gather_compare=gather_compare, find=find, mgather=mgather)
TABLE.update(paged_gather=paged_gather, gather_row=gather_row)
