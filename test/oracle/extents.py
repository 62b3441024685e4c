# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where operands of different extents join: broadcasts, and the part in which all are valid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .problems import Refused
from .value import CUT, AxisBound, Bounds, Value


def _join_axis(axes: list[tuple[AxisBound, int]]) -> tuple[AxisBound, int]:
    """The bound and the extent of one axis. With bound 1 it is repeated; if its element is missing, nothing is left."""
    wide = [(bound, extent) for bound, extent in axes if bound != 1]
    extent = min(extent for _, extent in axes if (_ != 1 or extent == 0 or not wide))
    if not wide:
        return 1, extent
    bounds = {bound for bound, _ in wide if isinstance(bound, int)}
    if len(bounds) > 1:
        raise Refused(f"extents {sorted(bounds)} do not broadcast")
    is_cut = any(bound is CUT for bound, _ in wide)
    if not bounds and not is_cut and len({extent for _, extent in wide}) > 1:
        raise Refused("extents must be equal")
    return (bounds.pop() if bounds else CUT if is_cut else None), extent


def join(values: Sequence[Value]) -> tuple[Bounds, tuple[int, ...]]:
    """Bounds and extents of an elementwise result."""
    rank = max(value.rank for value in values)
    axes = []
    for axis in range(-rank, 0):
        axes.append(_join_axis([(v.bounds[axis], v.extents[axis]) for v in values if v.rank >= -axis]))
    return tuple(bound for bound, _ in axes), tuple(extent for _, extent in axes)


def fit(array: np.ndarray, extents: tuple[int, ...]) -> np.ndarray:
    """The part of an operand that counts, repeated where it has one element and others have more."""
    inner = extents[len(extents) - array.ndim :]
    part = array[tuple(slice(0, extent) for extent in inner)]
    return np.broadcast_to(part, extents)
