# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts: docs/ops/sort.md. NaN is greater than every number, -0.0 equals 0.0, and sorts are stable."""

from __future__ import annotations

import numpy as np

from .bounds import Bound
from .dtypes import BOOL, INT32
from .operands import tile_of
from .operators import TABLE
from .problems import NotEvaluated, Refused, Undecided
from .value import Value


def _order(keys: np.ndarray, descending: bool) -> np.ndarray:
    """A stable order along the last axis."""
    if not descending:
        return np.argsort(keys, axis=-1, kind="stable")
    return keys.shape[-1] - 1 - np.argsort(keys[..., ::-1], axis=-1, kind="stable")[..., ::-1]


def _keys(x: Value) -> np.ndarray:
    return x.data.astype(x.dtype.wide) if x.dtype.is_float else x.data


def _padded(error: Bound) -> tuple[Bound, Bound]:
    """Of sorted values, and of the indices of where they were."""
    if error is None:
        return None, None
    most = error.max(axis=-1, keepdims=True, initial=0.0)
    return np.broadcast_to(most, error.shape), np.broadcast_to(np.where(most > 0, np.inf, 0.0), error.shape)


def sort(x: object, axis: int = -1, descending: bool = False) -> tuple[Value, Value]:
    """The elements along an axis in order, and their indices."""
    x = tile_of(x)
    if x.dtype is BOOL:
        raise NotEvaluated("what a sort of BOOL gives is not documented")
    axis %= x.rank
    moved = np.moveaxis(_keys(x), axis, -1)
    order = np.moveaxis(_order(moved, bool(descending)), -1, axis)
    errors = _padded(None if x.error is None else np.moveaxis(x.error, axis, -1))
    errors = [None if error is None else np.moveaxis(error, -1, axis) for error in errors]
    values = np.take_along_axis(x.data, order, axis)
    return Value(values, x.dtype, x.bounds, errors[0]), Value(order.astype(np.int32), INT32, x.bounds, errors[1])


def argsort(x: object, axis: int = -1, descending: bool = False) -> Value:
    """The indices that sort."""
    return sort(x, axis, descending)[1]


def topk(x: object, k: int, largest: bool = True) -> tuple[Value, Value]:
    """The k largest of each row in order, as many as there are, and their indices."""
    found = []
    for value in sort(x, -1, descending=bool(largest)):
        error = None if value.error is None else value.error[..., : int(k)]
        found.append(Value(value.data[..., : int(k)], value.dtype, (*value.bounds[:-1], int(k)), error))
    return found[0], found[1]


def _exact(*values: Value) -> None:
    if any(value.error is not None for value in values):
        raise Undecided("pairs are not known exactly")


def sort32(x: object, idx: object, tmp: object = None) -> Value:
    """Pairs of a value and the bits of its index, each 32 of a row in descending order."""
    x, idx = tile_of(x), tile_of(idx)
    _exact(x, idx)
    if x.dtype.numpy != np.float32 or idx.dtype.bits != 32:
        raise Refused("sort32 of other types")
    bits = np.ascontiguousarray(np.broadcast_to(idx.data, x.extents)).view(np.float32)
    parts = [x.data[..., :0]]
    for start in range(0, x.extents[-1], 32):
        keys, payload = x.data[..., start : start + 32], bits[..., start : start + 32]
        parts += [_pairs(keys, payload)]
    last = 2 * x.bounds[-1] if isinstance(x.bounds[-1], int) else None
    return Value(np.concatenate(parts, -1), x.dtype, (*x.bounds[:-1], last))


def _pairs(keys: np.ndarray, payload: np.ndarray) -> np.ndarray:
    order = _order(keys, descending=True)
    both = [np.take_along_axis(array, order, -1) for array in (keys, payload)]
    return np.stack(both, -1).reshape(*keys.shape[:-1], 2 * keys.shape[-1])


def mrgsort(
    x: object, b: object = None, c: object = None, d: object = None, tmp: object = None, exhausted: object = None,
    block_len: int | None = None,
) -> Value:  # fmt: skip
    """Sorted pairs merged: several lists, or every four blocks of so many columns of one."""
    lists = [tile_of(part) for part in (x, b, c, d) if part is not None]
    _exact(*lists)
    if len(lists) > 1:
        whole = np.concatenate([part.data for part in lists], -1)
        sizes = [part.bounds[-1] for part in lists]
        bounds = (*lists[0].bounds[:-1], sum(sizes) if all(isinstance(size, int) for size in sizes) else None)
        return Value(_pairs(whole[..., 0::2], whole[..., 1::2]), lists[0].dtype, bounds)
    only, size = lists[0], 4 * int(block_len)
    parts = [only.data[..., :0]]
    for start in range(0, only.extents[-1], size):
        block = only.data[..., start : start + size]
        parts.append(_pairs(block[..., 0::2], block[..., 1::2]))
    return Value(np.concatenate(parts, -1), only.dtype, only.bounds)


TABLE.update(sort=sort, argsort=argsort, topk=topk, sort32=sort32, mrgsort=mrgsort)
