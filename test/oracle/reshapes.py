# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pl.reshape: a view of a tensor, the valid elements of a tile."""

from __future__ import annotations

import math

import numpy as np

from .operands import tile_of
from .operators import TABLE
from .problems import Refused
from .tensor import Tensor
from .value import Value
from .windows import bounds_of, extents_of, number


def _complete(shape: list, count: int) -> list:
    """With the extent that -1 stands for."""
    sizes = [number(size) for size in shape]
    open_axes = [axis for axis, size in enumerate(sizes) if isinstance(size, int) and size == -1]
    if not open_axes:
        return sizes
    rest = math.prod(int(size) for size in sizes if not (isinstance(size, int) and size == -1))
    if len(open_axes) > 1 or (count % rest if rest else count):
        raise Refused(f"{count} elements in shape {shape}")
    from .index import Index

    sizes[open_axes[0]] = Index(count // rest if rest else 0)
    return sizes


def _groups(old: tuple[int, ...], new: tuple[int, ...]) -> list[tuple[list[int], list[int]]]:
    """Runs of axes of the full shapes that hold the same elements."""
    groups, at, to = [], 0, 0
    while at < len(old) or to < len(new):
        before, after, size, other = [], [], 1, 1
        while at < len(old) or to < len(new):
            if size <= other and at < len(old) and not (before and after and size == other):
                size *= old[at]
                before.append(at)
                at += 1
            elif to < len(new) and not (before and after and size == other):
                other *= new[to]
                after.append(to)
                to += 1
            else:
                break
        groups.append((before, after))
    return groups


def _carried(x: Value, new: tuple[int, ...]) -> tuple[int, ...]:
    """The extents of a partly valid tile in its other shape."""
    full = tuple(bound if isinstance(bound, int) else extent for bound, extent in zip(x.bounds, x.extents, strict=True))
    if math.prod(full) != math.prod(new):
        raise Refused(f"{full} in shape {new}")
    extents = list(new)
    for before, after in _groups(full, new):
        if all(full[axis] == x.extents[axis] for axis in before):
            continue
        wide, targets = [a for a in before if full[a] != 1], [a for a in after if new[a] != 1]
        if any(full[axis] != x.extents[axis] for axis in wide[1:]) or not targets:
            raise Refused("the valid elements are no box in the other shape")
        count = math.prod(x.extents[axis] for axis in before)
        rest = math.prod(new[axis] for axis in targets[1:])
        if count % rest:
            raise Refused("the valid elements are no box in the other shape")
        extents[targets[0]] = count // rest
    return tuple(extents)


def reshape(x: Tensor | Value, shape: list) -> Tensor | Value:
    """The same elements in another shape."""
    if isinstance(x, Tensor):
        sizes = _complete(list(shape), x.data.size)
        extents = extents_of(sizes)
        if math.prod(extents) != x.data.size:
            raise Refused(f"{x.extents} in shape {extents}")
        try:
            data, error = (np.reshape(array, extents, copy=False) for array in (x.data, x.error))
        except ValueError:
            if x.memory.is_written_in_place:
                raise Refused("the strides do not allow this view") from None
            data, error = x.data.reshape(extents), x.error.reshape(extents)
        return x.view(data, error, bounds_of(sizes))
    x = tile_of(x)
    sizes = _complete(list(shape), x.data.size)
    extents = extents_of(sizes)
    if math.prod(extents) != x.data.size:
        extents = _carried(x, extents)
    error = None if x.error is None else x.error.reshape(extents)
    return Value(x.data.reshape(extents), x.dtype, bounds_of(sizes), error, compared=x.compared)


TABLE["reshape"] = reshape
