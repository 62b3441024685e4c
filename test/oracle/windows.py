# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subscripts: slices and elements of tensors and tiles."""

from __future__ import annotations

import dataclasses

import numpy as np

from .index import Index, constant_difference
from .problems import Refused
from .tensor import Tensor
from .value import CUT, AxisBound, Bounds, Value


def number(given: object) -> int | Index:
    """An integer: a constant, a size, or a scalar that was computed."""
    if isinstance(given, Value):
        return Index(given.__index__())
    if isinstance(given, Tensor):
        return number(given.read())
    if isinstance(given, bool | float) or not isinstance(given, int | Index):
        raise Refused(f"{given!r} is no index")
    return given


@dataclasses.dataclass
class Window:
    """What a subscript takes of an array, with the bounds of what is left."""

    index: tuple
    bounds: Bounds
    is_element: bool


def _start(given: object, extent: int) -> int:
    start = 0 if given is None else number(given)
    if isinstance(start, Index) and start.value < 0:
        raise Refused("a computed start must not be negative")
    start = int(start)
    return max(start + extent, 0) if start < 0 else start


def _stop(given: object, extent: int) -> int:
    stop = extent if given is None else number(given)
    if isinstance(stop, int) and stop < 0:
        return max(stop + extent, 0)
    return max(int(stop), 0)


def _full_size(taken: slice, bound: AxisBound) -> AxisBound:
    """How long a slice is if all of it is there, where that is a constant."""
    start = 0 if taken.start is None else number(taken.start)
    if taken.stop is None:
        if start == 0 and isinstance(start, int):
            return bound
        return max(bound - start, 0) if isinstance(bound, int) and isinstance(start, int) and start >= 0 else None
    stop = number(taken.stop)
    if any(isinstance(end, int) and end < 0 for end in (start, stop)):
        return CUT
    size = constant_difference(stop, start)
    if size is None:
        return CUT
    # Where a constant window ends is known.
    is_known = isinstance(start, int) and isinstance(bound, int)
    return max(min(size, bound - start) if is_known else size, 0)


def _slice(taken: slice, extent: int, bound: AxisBound) -> tuple[slice, AxisBound]:
    if taken.step is not None:
        raise Refused("a slice has no step")
    start = min(_start(taken.start, extent), extent)
    return slice(start, min(max(_stop(taken.stop, extent), start), extent)), _full_size(taken, bound)


def _element(given: object, extent: int) -> int:
    at = number(given)
    position = int(at)
    if isinstance(at, int) and position < 0:
        position += extent
    if not 0 <= position < extent:
        raise Refused(f"index {position} of {extent}")
    return position


def window(extents: tuple[int, ...], bounds: Bounds, where: object) -> Window:
    """What `where` takes."""
    parts = list(where) if isinstance(where, tuple) else [where]
    if any(part is Ellipsis for part in parts):
        at = next(position for position, part in enumerate(parts) if part is Ellipsis)
        missing = len(extents) - sum(part is not None for part in parts) + 1
        parts[at : at + 1] = [slice(None)] * missing
    index, left, axis = [], [], 0
    for part in parts:
        if part is None:
            index.append(None)
            left.append(1)
            continue
        if axis >= len(extents):
            raise Refused("too many indices")
        if isinstance(part, slice):
            taken, bound = _slice(part, extents[axis], bounds[axis])
            index.append(taken)
            left.append(bound)
        else:
            index.append(_element(part, extents[axis]))
        axis += 1
    index += [slice(None)] * (len(extents) - axis)
    left += bounds[axis:]
    is_element = axis == len(extents) and not any(part is None or isinstance(part, slice) for part in parts)
    return Window(tuple(index), tuple(left), is_element)


def box(extents: tuple[int, ...], offsets: list, shape: list) -> tuple[tuple[slice, ...], Bounds]:
    """A window by offsets and sizes, as much of it as there is, and its bounds."""
    if len(offsets) != len(extents) or len(shape) != len(extents):
        raise Refused("offsets and sizes are of another rank")
    taken = []
    for offset, size, extent in zip(offsets, shape, extents, strict=True):
        offset, size = int(number(offset)), int(number(size))
        if offset < 0 or size < 0:
            raise Refused("a negative offset or size")
        taken.append(slice(min(offset, extent), min(offset + size, extent)))
    return tuple(taken), tuple(CUT if bound is None else bound for bound in bounds_of(shape))


def bounds_of(shape: list) -> Bounds:
    """Constants of a shape; what is known at run time alone is None."""
    return tuple(size if isinstance(size, int) else None for size in map(number, shape))


def extents_of(shape: list) -> tuple[int, ...]:
    """The numbers of a shape."""
    return tuple(int(number(size)) for size in shape)


def take(array: np.ndarray, at: tuple) -> np.ndarray:
    """A view, also of one element."""
    return array[at] if any(isinstance(part, slice) or part is None for part in at) else array[(*at, ...)]
