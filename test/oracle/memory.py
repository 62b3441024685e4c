# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes: docs/ops/memory.md, and subscripts."""

from __future__ import annotations

import numpy as np

from . import pads, sizes, tasks
from .dtypes import BOOL, FP32
from .elementwise import binary, cast
from .operands import in_type, read
from .operators import TABLE
from .problems import NotEvaluated, Refused, Undecided
from .tensor import Tensor
from .value import AxisBound, Bounds, Value, scalar
from .windows import Window, bounds_of, box, extents_of, number, take, window


def _part(x: Tensor | Value, at: tuple, bounds: Bounds) -> Tensor | Value:
    """A view of a tensor, a copy of a tile."""
    if isinstance(x, Tensor):
        return x.view(take(x.data, at), take(x.error, at), bounds)
    error = None if x.error is None else take(x.error, at)
    return Value(take(x.data, at), x.dtype, bounds, error, compared=x.compared, is_matmul=x.is_matmul)


def get_item(x: object, where: object) -> object:
    """`x[...]`: a view, a part, or one element."""
    if not isinstance(x, Tensor | Value):
        raise Refused("no tensor or tile")
    found = window(x.extents, x.bounds, where)
    part = _part(x, found.index, found.bounds)
    if not found.is_element:
        return part
    element = part.read() if isinstance(part, Tensor) else part
    one = scalar(element.data, element.dtype, element.error)
    one.compared = element.compared
    return sizes.as_index(one)


def stored(value: object, target: Tensor | Value) -> Value:
    """A value in the type of what it is stored to: numbers are converted, tiles must have it."""
    value = read(value)
    if not isinstance(value, Value) or value.is_scalar:
        if isinstance(value, Value) and value.dtype.is_float and not target.dtype.is_float:
            raise Refused(f"{value.dtype} stored to {target.dtype}")
        return in_type(value, target.dtype)
    is_rounded = value.is_matmul and value.dtype is FP32 and target.dtype.name in ("FP16", "BF16")
    if value.dtype is target.dtype or value.dtype is BOOL or is_rounded:
        return in_type(value, target.dtype)
    raise Refused(f"{value.dtype} stored to {target.dtype}")


def _axis(window_axis: tuple[AxisBound, int], value_axis: tuple[AxisBound, int]) -> tuple[int, bool]:
    """How much of one axis is written, and whether one element is repeated."""
    (wide, there), (bound, extent) = window_axis, value_axis
    if bound == 1 and wide != 1:
        return (there if extent else 0), True
    if isinstance(wide, int) and isinstance(bound, int) and wide != bound:
        raise Refused(f"{bound} elements stored to {wide}")
    if wide is None and bound is None and there != extent:
        raise Refused("extents must be equal")
    return min(there, extent), False


def assign(data: np.ndarray, error: np.ndarray, bounds: Bounds, value: Value) -> tuple[slice, ...]:
    """Writes the valid part of a value to elements, and says which part that was."""
    source, source_error, source_bounds = value.data, value.exact_error, value.bounds
    while source.ndim > data.ndim and source_bounds[0] == 1:
        if not source.shape[0]:
            return tuple(slice(0, 0) for _ in data.shape)
        source, source_error, source_bounds = source[0], source_error[0], source_bounds[1:]
    if source.ndim > data.ndim:
        raise Refused("a value of more axes than its target")
    missing = data.ndim - source.ndim
    target, taken = [slice(None)] * missing, []
    for axis in range(source.ndim):
        at = axis + missing
        count, is_repeated = _axis((bounds[at], data.shape[at]), (source_bounds[axis], source.shape[axis]))
        target.append(slice(0, count))
        taken.append(slice(None) if is_repeated else slice(0, count))
    part = tuple(target)
    if 0 in data[part].shape:
        return part
    data[part] = source[tuple(taken)]
    error[part] = source_error[tuple(taken)]
    return part


def set_item(x: Tensor | Value, where: object, value: object) -> Tensor | Value:
    """`x[...] = value`: a tensor is changed; of a tile the changed one is the result."""
    if isinstance(x, Tensor):
        check_writable(x)
        data, error = x.data, x.error
    else:
        data, error = x.data.copy(), x.exact_error.copy()
    found = window(x.extents, x.bounds, where)
    converted = stored(value, x)
    assign(take(data, found.index), take(error, found.index), found.bounds, converted)
    if isinstance(x, Tensor):
        x.memory.was_written = True
        return x
    return Value(data, x.dtype, x.bounds, error)


def check_writable(x: Tensor) -> None:
    """Inputs are not written."""
    if not x.memory.is_written_in_place:
        raise Refused(f"{x.memory.name} is an input")


def load(
    tensor: Tensor | Value,
    offsets: list | None = None,
    shapes: list | None = None,
    valid_shape: list | None = None,
    transpose: bool = False,
    **_: object,
) -> Value:
    """A window as a tile, or all of it."""
    part = tensor
    if offsets is not None:
        taken, bounds = box(tensor.extents, offsets, shapes)
        part = _part(tensor, taken, bounds)
    value = read(part)
    if valid_shape is not None:
        value = pads.shrink(value, list(valid_shape))
    return TABLE["transpose"](value) if transpose else value


def slice_(
    x: Tensor | Value,
    shape: list,
    offset: list,
    valid_shape: list | None = None,
    drop_dims: list | None = None,
    pad_value: object = None,
    **_: object,
) -> Tensor | Value:
    """A window of that shape: a view of a tensor, a part of a tile."""
    taken, bounds = box(x.extents, offset, shape)
    part = _part(x, taken, bounds)
    if valid_shape is not None:
        part = pads.shrink(part, list(valid_shape))
    if pad_value is not None:
        part = pads.fillpad(part, pad_value)
    for axis in sorted(drop_dims or [], reverse=True):
        part = get_item(part, (*[slice(None)] * int(axis), 0))
    return part


def _written(tile: object, tensor: Tensor, pre_relu: object, pre_quant: object) -> Value:
    value = read(tile)
    if pre_relu:
        value = binary("maximum", value, 0.0)
    if pre_quant is not None:
        value = binary("mul", value, pre_quant)
    if pre_relu or pre_quant is not None:
        value = cast(value, tensor.dtype, "rint")
    return stored(value, tensor)


def _is_add(atomic: object) -> bool:
    return atomic is not None and str(atomic) not in ("None", "none") and getattr(atomic, "name", "Add") == "Add"


def store(
    tile: object,
    offsets: list,
    tensor: object,
    shapes: object = None,
    atomic: object = None,
    pre_quant: object = None,
    pre_relu: object = None,
    **_: object,
) -> Tensor:
    """Writes a tile at the offsets, or adds it; what lies beyond the edge is not written."""
    if not isinstance(tensor, Tensor):
        tensor, shapes = shapes, tensor
    check_writable(tensor)
    value = _written(tile, tensor, pre_relu, pre_quant)
    if shapes is not None:
        value = pads.shrink(value, list(shapes))
    if not value.is_scalar and value.rank < tensor.rank:
        missing = tensor.rank - value.rank
        error = None if value.error is None else value.error[(None,) * missing]
        value = Value(value.data[(None,) * missing], value.dtype, (1,) * missing + value.bounds, error)
    size = [1] * tensor.rank if value.is_scalar else list(value.extents)
    taken, _ignored = box(tensor.extents, offsets, size)
    put(tensor, taken, value, _is_add(atomic))
    return tensor


def put(tensor: Tensor, taken: tuple[slice, ...], value: Value, adds: bool) -> None:
    """Writes or adds to a part of a tensor as much of a value as fits."""
    there = tensor.view(tensor.data[taken], tensor.error[taken], (None,) * tensor.rank)
    inner = tuple(slice(0, extent) for extent in there.extents)
    if not value.is_scalar:
        error = None if value.error is None else value.error[inner]
        value = Value(value.data[inner], value.dtype, (None,) * tensor.rank, error)
    if adds:
        added = binary("add", there.read(), value)
        if tasks.is_any_order() and value.dtype.is_float:
            exact = there.data.astype(np.longdouble) + value.data.astype(np.longdouble) == added.data
            added = Value(added.data, added.dtype, added.bounds, np.where(exact, added.exact_error, np.inf))
        value = added
    assign(there.data, there.error, there.bounds, value)
    tensor.memory.was_written = True


def assemble(
    target: Tensor | Value,
    source: object,
    offset: list,
    shapes: list | None = None,
    atomic: object = None,
    pre_quant: object = None,
    pre_relu: object = None,
    **_: object,
) -> Tensor | Value:
    """Writes a window of a tensor; of a tile, the tile with that part replaced."""
    if isinstance(target, Tensor):
        return store(source, offset, target, shapes, atomic, pre_quant, pre_relu)
    data, error = target.data.copy(), target.exact_error.copy()
    memory = Tensor(data, error, target.dtype, target.bounds, tasks.scratch_memory())
    store(source, offset, memory, shapes, atomic, pre_quant, pre_relu)
    return Value(data, target.dtype, target.bounds, error)


def copy(
    dst: Tensor, src: Tensor, dst_offsets: list | None = None, src_offsets: list | None = None,
    shapes: list | None = None, **_: object,
) -> Tensor:  # fmt: skip
    """Writes a window of one tensor to another."""
    if shapes is None:
        return store(src, dst_offsets or [0] * dst.rank, dst)
    return store(load(src, src_offsets or [0] * src.rank, shapes), dst_offsets or [0] * dst.rank, dst)


def _position(x: Tensor | Value, indices: object) -> tuple:
    if isinstance(indices, list | tuple):
        return tuple(indices)
    flat = int(number(indices))
    if not 0 <= flat < x.data.size:
        raise Refused(f"element {flat} of {x.data.size}")
    return tuple(int(at) for at in np.unravel_index(flat, x.extents))


def read_element(x: Tensor | Value, indices: object) -> object:
    """One element as a scalar."""
    if isinstance(x, list | tuple):
        raise NotEvaluated("pl.read of a list")
    return get_item(x, _position(x, indices))


def write_element(x: Tensor | Value, indices: object, value: object) -> Tensor | Value:
    """Sets one element."""
    return set_item(x, _position(x, indices), value)


def known(value: Value) -> Value:
    """The value, of which everything must be exact."""
    if value.error is not None:
        raise Undecided("indices are not known exactly")
    return value


TABLE.update(get_item=get_item, set_item=set_item, load=load, store=store, l0c_store=store, copy=copy, slice=slice_)
TABLE.update(assemble=assemble, read=read_element, write=write_element)
__all__ = ["Window", "bounds_of", "extents_of"]
