# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes: docs/ops/shapes.md."""

from __future__ import annotations

import functools

import numpy as np

from . import reshapes
from .bounds import tidy
from .dtypes import BOOL, DType, as_dtype
from .elementwise import align, binary, compare, select
from .index import Index
from .memory import slice_
from .operands import tile_of
from .operators import TABLE
from .problems import NotEvaluated, Refused, Undecided
from .tensor import Tensor
from .value import CUT, Value
from .windows import number


def shape(x: Tensor | Value) -> tuple[int | Index, ...]:
    """The extents: a constant where the whole of a constant bound is there."""
    x = x if isinstance(x, Tensor | Value) else tile_of(x)
    return tuple(
        extent if bound == extent else Index(extent) for bound, extent in zip(x.bounds, x.extents, strict=True)
    )


def dim(x: Tensor | Value, axis: int) -> int | Index:
    """The extent of an axis."""
    return shape(x)[axis]


def _with_arrays(x: Tensor | Value, change: object, bounds: tuple) -> Tensor | Value:
    if isinstance(x, Tensor):
        return x.view(change(x.data), change(x.error), bounds)
    error = None if x.error is None else change(x.error)
    return Value(change(x.data), x.dtype, bounds, error, compared=x.compared)


def transpose(x: Tensor | Value, axis1: int = -2, axis2: int = -1, tmp_tile: object = None) -> Tensor | Value:
    """Two axes exchanged."""
    bounds = list(x.bounds)
    bounds[axis1], bounds[axis2] = bounds[axis2], bounds[axis1]
    return _with_arrays(x, lambda array: array.swapaxes(axis1, axis2), tuple(bounds))


def move(x: Tensor | Value, transpose: bool = False, **_: object) -> Value:
    """The same tile."""
    return TABLE["transpose"](tile_of(x)) if transpose else tile_of(x)


def concat(*parts: object, axis: int = -1, **named: object) -> Value:
    """Tiles joined along an axis."""
    given = parts[0] if len(parts) == 1 and isinstance(parts[0], list | tuple) else [*parts, *named.values()]
    tiles = [tile_of(part) for part in given]
    rank = tiles[0].rank
    axis %= rank
    if len({tile.dtype for tile in tiles}) > 1 or len({tile.rank for tile in tiles}) > 1:
        raise Refused("tiles of several types or ranks are joined")
    least = [min(tile.extents[at] for tile in tiles) for at in range(rank)]
    cut = [tuple(slice(None) if at == axis else slice(0, least[at]) for at in range(rank)) for _ in tiles]
    data = np.concatenate([tile.data[part] for tile, part in zip(tiles, cut, strict=True)], axis)
    error = np.concatenate([tile.exact_error[part] for tile, part in zip(tiles, cut, strict=True)], axis)
    bounds = list(tiles[0].bounds)
    along = [tile.bounds[axis] for tile in tiles]
    bounds[axis] = sum(along) if all(isinstance(bound, int) for bound in along) else CUT
    return Value(data, tiles[0].dtype, tuple(bounds), tidy(error))


def _axes(axis: object, rank: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(rank))
    return tuple(at % rank for at in (axis if isinstance(axis, tuple | list) else (axis,)))


def flip(x: object, axis: object = None) -> Value:
    """Back to front."""
    x = tile_of(x)
    return _with_arrays(x, lambda array: np.flip(array, _axes(axis, x.rank)), x.bounds)


def roll(x: object, shift: object, axis: int | None = None) -> Value:
    """Shifted with wraparound."""
    x, by = tile_of(x), int(number(shift))
    return _with_arrays(x, lambda array: np.roll(array, by, axis), x.bounds)


def stack(tiles: list, axis: int = 0) -> Value:
    """Tiles of one shape joined along a further axis."""
    rank = tile_of(tiles[0]).rank + 1
    where = [slice(None)] * rank
    where[axis % rank] = None
    return concat([TABLE["get_item"](tile_of(tile), tuple(where)) for tile in tiles], axis=axis % rank)


def repeat(x: object, repeats: int, axis: int | None = None) -> Value:
    """Each element so many times in a row."""
    x = tile_of(x)
    if axis is None:
        x, axis = reshapes.reshape(x, [x.data.size]), 0
    bounds = list(x.bounds)
    bounds[axis] = bounds[axis] * int(repeats) if isinstance(bounds[axis], int) else None
    return _with_arrays(x, lambda array: np.repeat(array, int(repeats), axis), tuple(bounds))


def expand_clone(src: object, target: object) -> Value:
    """Repeated to the shape of the target."""
    src, target = tile_of(src), tile_of(target)
    (data, _), (error, _), bounds = align([src, target])
    return Value(data, src.dtype, bounds, error)


def extract(src: Tensor | Value, row: object, col: object, shape: list, **_: object) -> Tensor | Value:
    """A window of a tile."""
    return slice_(src, shape, [row, col])


def view(
    x: Tensor | Value, shape: list | None = None, valid_shape: list | None = None, layout: object = None,
    offset: list | None = None,
) -> Tensor | Value:  # fmt: skip
    """The same elements in another shape; with an offset a window."""
    if offset is not None:
        return slice_(x, shape, offset, valid_shape)
    result = x if shape is None else reshapes.reshape(x, shape)
    return result if valid_shape is None else TABLE["set_validshape"](result, valid_shape)


def bitcast(x: object, dtype: object, shape: list | None = None) -> Value:
    """The same bytes as elements of another type."""
    x, target = tile_of(x), as_dtype(dtype)
    if x.error is not None:
        raise Undecided("bits are not known exactly")
    if 4 in (x.dtype.bits, target.bits) or BOOL in (x.dtype, target):
        raise NotEvaluated("bits of half bytes and booleans")
    data = np.ascontiguousarray(x.data).view(target.numpy)
    bounds = list(x.bounds)
    if bounds and isinstance(bounds[-1], int):
        bounds[-1] = bounds[-1] * x.dtype.bits // target.bits
    result = Value(data, target, tuple(bounds), is_scalar=x.is_scalar)
    return result if shape is None else reshapes.reshape(result, shape)


def _box(tiles: list[Value]) -> tuple[tuple[int, ...], list[np.ndarray]]:
    """The box around all, and where each is valid in it."""
    extents = tuple(max(axis) for axis in zip(*(tile.extents for tile in tiles), strict=True))
    masks = []
    for tile in tiles:
        mask = np.zeros(extents, bool)
        mask[tuple(slice(0, extent) for extent in tile.extents)] = True
        masks.append(mask)
    return extents, masks


def _padded(tile: Value, extents: tuple[int, ...], filler: object) -> Value:
    data, error = np.full(extents, filler, tile.dtype.numpy), np.zeros(extents)
    inner = tuple(slice(0, extent) for extent in tile.extents)
    data[inner], error[inner] = tile.data, tile.exact_error
    return Value(data, tile.dtype, tile.bounds, error)


def _nothing(name: str, dtype: DType) -> object:
    """The combination of nothing, of which a corner is made."""
    if name in ("add", "mul"):
        return 0 if name == "add" else 1
    least = -np.inf if dtype.has_infinity else -dtype.greatest
    low, high = (least, -least) if dtype.is_float else dtype.limits
    return low if name == "maximum" else high


def part(name: str, lhs: object, rhs: object) -> Value:
    """Combined where both are valid; where one is, that one; in corners the combination of nothing."""
    tiles = [tile_of(lhs), tile_of(rhs)]
    extents, masks = _box(tiles)
    a, b = (_padded(tile, extents, _nothing(name, tile.dtype)) for tile in tiles)
    both = binary(name, a, b)
    here = [Value(mask, BOOL, both.bounds) for mask in masks]
    one = select(here[0], select(here[1], both, a), b)
    return Value(one.data, one.dtype, tiles[0].bounds, one.error)


def part_argument(name: str, lhs: object, rhs: object, lhs_index: object, rhs_index: object) -> tuple[Value, Value]:
    """The larger or smaller value and its index, the first where they are equal."""
    tiles = [tile_of(lhs), tile_of(rhs)]
    indices = [tile_of(lhs_index), tile_of(rhs_index)]
    extents, masks = _box(tiles)
    a, b = (_padded(tile, extents, 0) for tile in tiles)
    i, j = (_padded(tile, extents, 0) for tile in indices)
    is_first = compare("ge" if name == "max" else "le", a, b)
    if a.dtype.is_float and (np.isnan(a.data).any() or np.isnan(b.data).any()):
        raise NotEvaluated("what NaN means to pl.part_argmax is not documented")
    takes = np.where(masks[0] & masks[1], is_first.data, masks[0])
    chosen = Value(takes, BOOL, a.bounds, is_first.error)
    return select(chosen, a, b), select(chosen, i, j)


def concat_idx(src0: object, src1: object, src0_idx: object, src1_idx: object, dst: object) -> Value:
    """Each row of `dst` begun anew with elements of both, as many as the first columns say in bytes of the index."""
    first, second, counts0, counts1, target = map(tile_of, (src0, src1, src0_idx, src1_idx, dst))
    data, error = target.data.copy(), target.exact_error.copy()
    size = counts0.dtype.bits // 8
    for row in range(target.extents[0]):
        n, m = int(counts0.data[row, 0]) // size, int(counts1.data[row, 0]) // size
        begun = np.concatenate([first.data[row, :n], second.data[row, :m]])[: data.shape[1]]
        faults = np.concatenate([first.exact_error[row, :n], second.exact_error[row, :m]])[: data.shape[1]]
        data[row, : len(begun)], error[row, : len(begun)] = begun, faults
    return Value(data, target.dtype, target.bounds, error)


for _name, _op in {"add": "add", "mul": "mul", "max": "maximum", "min": "minimum"}.items():
    TABLE[f"part_{_name}"] = functools.partial(part, _op)
TABLE.update(part_argmax=functools.partial(part_argument, "max"), part_argmin=functools.partial(part_argument, "min"))
TABLE.update(shape=shape, dim=dim, transpose=transpose, transpose_view=transpose, move=move, concat=concat, flip=flip)
TABLE.update(
    stack=stack,
    repeat=repeat,
    roll=roll,
    expand_clone=expand_clone,
    extract=extract,
    view=view,
    reinterpret_view=bitcast,
)
TABLE.update(bitcast=bitcast, concat_idx=concat_idx)
