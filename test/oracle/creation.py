# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""New tensors and tiles: docs/ops/creation.md."""

from __future__ import annotations

import numpy as np

from . import pads, tensor
from .dtypes import DTYPES, FP32, INT32, UINT32, DType, as_dtype
from .operands import in_type, read, tile_of
from .operators import TABLE
from .problems import NotEvaluated, Refused
from .rounding import convert
from .tensor import Tensor
from .value import Value
from .windows import bounds_of, extents_of


def create_tensor(shape: list, dtype: object, init_value: object = None, **_: object) -> Tensor:
    """Memory, which is unknown unless it is filled."""
    made = tensor.make(extents_of(shape), as_dtype(dtype), bounds_of(shape))
    if init_value is not None:
        made.write((Ellipsis,), in_type(read(init_value), made.dtype).data, 0.0)
    return made


def full(shape: list, dtype: object, value: object) -> Value:
    """One value everywhere."""
    dtype = as_dtype(dtype)
    extents = extents_of(shape)
    if any(extent < 0 for extent in extents):
        raise Refused("a negative extent")
    one = in_type(read(value), dtype)
    error = None if one.error is None else np.broadcast_to(one.error, extents)
    return Value(np.broadcast_to(one.data.reshape(()), extents).copy(), dtype, bounds_of(shape), error)


def zeros(shape: list, dtype: object = FP32, **_: object) -> Value:
    """A tile of zeros."""
    return full(shape, dtype, 0)


def ones(shape: list, dtype: object = FP32) -> Value:
    """A tile of ones."""
    return full(shape, dtype, 1)


def create_tile_buffers(count: int, shape: list, dtype: object, **_: object) -> list[Value]:
    """So many tiles of zeros."""
    return [zeros(shape, dtype) for _index in range(count)]


def arange(start: object, shape: list, dtype: object = INT32, descending: bool = False, tmp: object = None) -> Value:
    """Rows that count; columns where a row is one long."""
    dtype, extents = as_dtype(dtype), extents_of(shape)
    axis = len(extents) - 1
    if len(extents) > 1 and bounds_of(shape)[-1] == 1:
        axis -= 1
    steps = np.arange(extents[axis], dtype=np.int64) * (-1 if descending else 1)
    along = [1] * len(extents)
    along[axis] = extents[axis]
    first = in_type(read(start), dtype)
    if dtype.is_float:
        exact = first.data.astype(np.float64) + steps
        data = convert(exact, None, dtype)
        inexact = exact != data.astype(np.float64)
        error = np.where(inexact, np.inf, 0.0)
    else:
        data, error = convert(first.data.astype(np.int64) + steps, INT32, dtype), np.zeros(steps.shape)
    data, error = (np.broadcast_to(array.reshape(along), extents).copy() for array in (data, error))
    return Value(data, dtype, bounds_of(shape), error)


def const(value: object, dtype: object) -> Value:
    """A scalar with a type."""
    from .sizes import as_index

    return as_index(in_type(read(value), as_dtype(dtype)))


def expands(target: object, scalar: object) -> Value:
    """A scalar in the shape and type of `target`."""
    target = tile_of(target)
    one = in_type(read(scalar), target.dtype)
    return Value(np.broadcast_to(one.data, target.extents).copy(), target.dtype, target.bounds, one.error)


def tri(
    diagonal: object, shape: list, valid_shape: list | None = None, dtype: object = INT32, upper: bool = False
) -> Value:
    """1 where column <= row + diagonal, or >= with `upper`, and 0 elsewhere."""
    extents = extents_of(shape)
    rows, columns = np.arange(extents[-2])[:, None] + int(tile_of(diagonal).item()), np.arange(extents[-1])[None, :]
    ones_ = np.broadcast_to(columns >= rows if upper else columns <= rows, extents)
    value = Value(ones_.astype(as_dtype(dtype).numpy), as_dtype(dtype), bounds_of(shape))
    return value if valid_shape is None else pads.shrink(value, valid_shape)


_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_KEYS = (0x9E3779B9, 0xBB67AE85)


def _philox(counter: list[int], key: list[int], rounds: int) -> list[int]:
    """Philox 4x32 of Salmon et al., 2011."""
    mask = 0xFFFFFFFF
    for number in range(rounds):
        first, second = counter[0] * _MULTIPLIERS[0], counter[2] * _MULTIPLIERS[1]
        keys = [(key[at] + number * _KEYS[at]) & mask for at in (0, 1)]
        counter = [
            (second >> 32) ^ counter[1] ^ keys[0],
            second & mask,
            (first >> 32) ^ counter[3] ^ keys[1],
            first & mask,
        ]
    return counter


def random(*arguments: object, valid_shape: list | None = None, dtype: DType = UINT32, rounds: int = 10) -> Value:
    """Random bits: element e is word e % 4 at the counter plus e // 4."""
    *numbers, shape = arguments
    words = [int(tile_of(number).item()) & 0xFFFFFFFF for number in numbers]
    key, start = words[:2], sum(word << 32 * at for at, word in enumerate(words[2:]))
    extents = extents_of(shape)
    count = int(np.prod(extents, dtype=np.int64))
    bits = []
    for block in range(-(-count // 4)):
        counter = (start + block) % (1 << 128)
        bits += _philox([counter >> 32 * at & 0xFFFFFFFF for at in range(4)], key, rounds)
    data = np.asarray(bits[:count], np.uint32).reshape(extents).astype(as_dtype(dtype).numpy)
    value = Value(data, as_dtype(dtype), bounds_of(shape))
    return value if valid_shape is None else pads.shrink(value, valid_shape)


def array_create(extent: object, dtype: object) -> Value:
    """An array of zeros: a tile of one axis. Of tasks there is nothing in it."""
    if not isinstance(dtype, DType):
        raise NotEvaluated("an array of tasks") if dtype is None else TypeError(dtype)
    return zeros([extent], dtype)


TABLE.update(create_tensor=create_tensor, full=full, zeros=zeros, ones=ones, create_tile=zeros, create_l1=zeros)
TABLE.update(create=zeros, create_tile_buffers=create_tile_buffers, arange=arange, ci=arange, const=const)
TABLE.update(expands=expands, tri=tri, random=random)
assert DTYPES
