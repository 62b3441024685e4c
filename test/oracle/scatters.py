# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters: docs/ops/scatter.md. If two elements have the same index, the last one wins."""

from __future__ import annotations

import functools

import numpy as np

from .bounds import Bound, tidy
from .dtypes import INT32, DType
from .elementwise import binary
from .gathers import inside, pattern_columns
from .memory import check_writable, known, stored
from .operands import tile_of
from .operators import TABLE
from .problems import NotEvaluated, Refused, Undecided
from .reduce import add_up, highest, lowest, numeric
from .tensor import Tensor
from .value import Value
from .windows import number


def _put(
    data: np.ndarray, error: np.ndarray, position: tuple, value: object, fault: object, adds: DType | None
) -> None:
    """One write, or one addition of an element type."""
    if adds is None:
        data[position], error[position] = value, fault
        return
    old = Value(data[position].copy(), adds, None, error[position].copy())
    new = binary("add", old, Value(np.asarray(value), adds, None, np.asarray(fault)))
    if adds.is_float:
        exact = old.data.astype(np.longdouble) + np.asarray(value).astype(np.longdouble) == new.data
        new = Value(new.data, adds, new.bounds, np.where(exact, new.exact_error, np.inf))
    data[position], error[position] = new.data, new.exact_error


def scatter(
    x: object = None, dim: int = -1, index: object = None, src: object = None, mask_pattern: object = None,
    dst: object = None,
) -> Value:  # fmt: skip
    """`x` with elements put at indices along an axis."""
    if mask_pattern is not None:
        return scatter_mask(dst if dst is not None else x, src if src is not None else x, mask_pattern)
    x, index, src = tile_of(x), known(tile_of(index)), tile_of(src)
    dim = int(dim) % x.rank
    data, error = x.data.copy(), x.exact_error.copy()
    extents = [min(pair) for pair in zip(index.extents, src.extents, strict=True)]
    extents = [own if axis == dim else min(own, x.extents[axis]) for axis, own in enumerate(extents)]
    positions = inside(index.data[tuple(slice(0, extent) for extent in extents)], x.extents[dim])
    value = stored(src, x)
    for at in np.ndindex(*extents):
        target = (*at[:dim], int(positions[at]), *at[dim + 1 :])
        _put(data, error, target, value.data[at], value.exact_error[at], None)
    return Value(data, x.dtype, x.bounds, tidy(error))


def scatter_mask(dst: object, src: object, mask_pattern: object) -> Value:
    """`dst` with its every 2nd or 4th column replaced."""
    dst, src = tile_of(dst), tile_of(src)
    columns = pattern_columns(mask_pattern, dst.extents[-1])[: src.extents[-1]]
    data, error = dst.data.copy(), dst.exact_error.copy()
    rows = min(dst.extents[0], src.extents[0])
    data[:rows, columns] = src.data[:rows, : len(columns)]
    error[:rows, columns] = src.exact_error[:rows, : len(columns)]
    return Value(data, dst.dtype, dst.bounds, tidy(error))


def check_rows(value: Value, tensor: Tensor) -> None:
    """What rows of another length than those of the tensor do is not documented."""
    if value.extents[1:] != tensor.extents[1:]:
        raise NotEvaluated("pl.mscatter of rows that are not as long as those of the tensor")


def mscatter(
    src: object, idx: object, tensor: Tensor, coalesce: object = "elem", atomic: object = None, dim: object = None
) -> Tensor:
    """Elements or rows of a tile written, or added, at indices."""
    check_writable(tensor)
    value, index = stored(src, tensor), known(tile_of(idx))
    adds = tensor.dtype if getattr(atomic, "name", None) == "Add" else None
    if dim is not None:
        raise NotEvaluated("pl.mscatter along an axis")
    if "row" in str(coalesce).lower():
        positions = index.data.reshape(-1)[: value.extents[0]]
        rows = inside(positions, tensor.extents[0])
        check_rows(value, tensor)
        width = value.extents[-1] if tensor.rank > 1 else None
        for at, row in enumerate(rows):
            cut = (slice(0, width),) if tensor.rank == 2 else (Ellipsis,)
            _put(
                tensor.data, tensor.error, (int(row), *cut), value.data[(at, *cut)], value.exact_error[(at, *cut)], adds
            )
    else:
        extents = [min(pair) for pair in zip(index.extents, value.extents, strict=True)]
        positions = inside(index.data[tuple(slice(0, extent) for extent in extents)], tensor.data.size)
        for at in np.ndindex(*extents):
            target = np.unravel_index(int(positions[at]), tensor.extents)
            _put(tensor.data, tensor.error, target, value.data[at], value.exact_error[at], adds)
    tensor.memory.was_written = True
    return tensor


def scatter_update(
    input: object, first: object = None, second: object = None, third: object = None, scratch: object = None,
    dim: object = None, index: object = None, src: object = None,
) -> object:  # fmt: skip
    """`input` with whole rows replaced at indices."""
    positional = [part for part in (first, second, third) if part is not None and not isinstance(part, int)]
    index = positional.pop(0) if index is None else index
    src = positional.pop(0) if src is None else src
    if isinstance(input, Tensor) and input.rank > 2:
        raise NotEvaluated("pl.scatter_update of a paged cache")
    positions, value = known(tile_of(index)), tile_of(src)
    if isinstance(input, Tensor):
        return mscatter(value, positions, input, coalesce="row")
    data, error = input.data.copy(), input.exact_error.copy()
    for at, row in enumerate(inside(positions.data.reshape(-1)[: value.extents[0]], input.extents[0])):
        data[row], error[row] = value.data[at], value.exact_error[at]
    return Value(data, input.dtype, input.bounds, tidy(error))


def _segment(name: str, x: object, ids: object, num_segments: object) -> Value:
    """Row s combines the rows of `x` whose entry is s."""
    x, ids, count = numeric(x), known(tile_of(ids)), int(number(num_segments))
    entries = ids.data.reshape(-1).astype(np.int64)
    if ids.extents[0] != x.extents[0]:
        raise Refused("as many entries as rows")
    rows, faults = [], []
    for segment in range(count):
        part = x.data[entries == segment]
        error: Bound = None if x.error is None else x.error[entries == segment]
        if name == "sum":
            row, fault = add_up(part, error, 0, x.dtype)
        else:
            wide = part.astype(x.dtype.wide) if x.dtype.is_float else part
            start = lowest(x.dtype) if name == "max" else highest(x.dtype)
            row = getattr(np, name)(wide, axis=0, initial=start).astype(x.dtype.numpy)
            fault = None if error is None else error.max(axis=0, initial=0.0)
        rows.append(row)
        faults.append(np.zeros(row.shape) if fault is None else fault)
    shape = (count, *x.extents[1:])
    data = np.asarray(rows, x.dtype.numpy).reshape(shape)
    bound = count if isinstance(num_segments, int) else None
    return Value(data, x.dtype, (bound, *x.bounds[1:]), tidy(np.asarray(faults).reshape(shape)))


def histogram(x: object, bins: object, low: object = None, high: object = None) -> Value:
    """How many elements are in each bin."""
    x, count = tile_of(x), int(number(bins))
    if x.error is not None:
        raise Undecided("a histogram of what is not known exactly")
    if x.dtype.is_float:
        raise NotEvaluated("where the parts of a histogram of floats begin is not exact")
    found = x.data.reshape(-1).astype(np.int64)
    if x.dtype.kind == "uint" and x.dtype.bits == 64:
        found = np.where(x.data.reshape(-1) > np.uint64(1 << 62), -1, found)
    found = found[(found >= 0) & (found < count)]
    bound = count if isinstance(bins, int) else None
    return Value(np.bincount(found, minlength=count).astype(np.int32), INT32, (bound,))


for _name in ("sum", "max", "min"):
    TABLE[f"segment_{_name}"] = functools.partial(_segment, _name)
TABLE.update(scatter=scatter, scatter_mask=scatter_mask, mscatter=mscatter, scatter_update=scatter_update)
TABLE["histogram"] = histogram
