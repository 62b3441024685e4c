# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and helpers: parameters, directions, symbols, and calls."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable

import numpy as np

from . import tensor
from .dtypes import DType, as_dtype
from .index import Index, Symbol, frames
from .operands import in_type, read
from .problems import NotEvaluated, Refused
from .tensor import Memory, Tensor
from .value import Value
from .windows import bounds_of, extents_of


@dataclasses.dataclass
class TensorType:
    """`pl.Tensor[[M, 128], pl.FP32]`; a tile likewise."""

    shape: list
    dtype: DType
    direction: str = ""


@dataclasses.dataclass
class ScalarType:
    """`pl.Scalar[pl.FP32]`."""

    dtype: DType


class _Shaped:
    """`pl.Tensor` and `pl.Tile`."""

    def __class_getitem__(cls, parts: tuple) -> TensorType:
        shape, dtype, *_ = parts
        return TensorType(list(shape), as_dtype(dtype))


class TensorName(_Shaped):
    """`pl.Tensor`."""


class TileName(_Shaped):
    """`pl.Tile`."""


class ScalarName:
    """`pl.Scalar`."""

    def __class_getitem__(cls, dtype: object) -> ScalarType:
        return ScalarType(as_dtype(dtype))


def _directed(direction: str) -> type:
    class Direction:
        def __class_getitem__(cls, of: object) -> TensorType | None:
            if isinstance(of, TensorType):
                return TensorType(of.shape, of.dtype, direction)
            return TensorType([], None, direction)

    return Direction


In, Out, InOut = _directed("in"), _directed("out"), _directed("inout")


class Kernel:
    """A function of a kernel file. Calls in a body are inlined, as Python does it."""

    def __init__(self, function: Callable, written: set[str], is_entry: bool = False) -> None:
        self.function, self.written, self.is_entry = function, written, is_entry
        self.__name__ = function.__name__
        self.signature = inspect.signature(function)
        self.owner: object = None

    def __get__(self, owner: object, _: type | None = None) -> Kernel:
        bound = Kernel(self.function, self.written, self.is_entry)
        bound.owner = owner
        return bound

    @property
    def parameters(self) -> dict[str, object]:
        """Annotations by name; text is evaluated. The program itself is left out."""
        found = {}
        for position, (name, parameter) in enumerate(self.signature.parameters.items()):
            annotation = parameter.annotation
            if isinstance(annotation, str):
                annotation = eval(annotation, self.function.__globals__)
            if annotation is parameter.empty:
                annotation = None
            if isinstance(annotation, DType):
                annotation = ScalarType(annotation)
            if position or self.owner is None:
                found[name] = annotation
        return found

    def __call__(self, *arguments: object, **named: object) -> object:
        types = self.parameters
        names = list(types)
        named.pop("deps", None)
        given = dict(zip(names, arguments, strict=False)) | named
        defaults = {n: p.default for n, p in self.signature.parameters.items() if p.default is not p.empty}
        frame = dict(frames()[-1]) if frames() else {}
        fresh: set[int] = set()
        bound = {}
        frames().append(frame)
        try:
            for name in names:
                if name in given or name in defaults:
                    bound[name] = _accept(name, given.get(name, defaults.get(name)), types[name], frame, fresh)
            missing = [name for name in names if name not in bound]
            for name in missing:
                if not isinstance(types[name], TensorType) or not types[name].shape:
                    raise Refused(f"{self.__name__} lacks {name}")
                bound[name] = tensor.make(
                    extents_of(types[name].shape), types[name].dtype, bounds_of(types[name].shape), name
                )
                bound[name].memory.is_output = True
            _check_expressions(types, bound)
            owner = () if self.owner is None else (self.owner,)
            result = self.function(*owner, **bound)
        finally:
            frames().pop()
        if result is None and missing:
            result = tuple(bound[name] for name in missing)
            result = result[0] if len(result) == 1 else result
        return result


def _accept(name: str, value: object, annotation: object, frame: dict, fresh: set[int]) -> object:
    """An argument as its parameter says."""
    if isinstance(annotation, ScalarType):
        value = read(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and annotation.dtype.name != "INDEX":
            return in_type(value, annotation.dtype)
        return Index(value) if isinstance(value, int) and annotation.dtype.name == "INDEX" else value
    if not isinstance(annotation, TensorType) or not annotation.shape or not isinstance(value, Tensor | Value):
        return value
    if value.rank != len(annotation.shape):
        raise Refused(f"{name} has {value.rank} axes")
    bounds = list(value.bounds)
    for axis, (entry, extent) in enumerate(zip(annotation.shape, value.extents, strict=True)):
        if isinstance(entry, Symbol) and entry.compute is None:
            if entry.number in fresh and frame[entry.number] != extent and isinstance(value, Tensor):
                raise Refused(f"{entry.name} is {frame[entry.number]} and {extent}")
            frame.setdefault(entry.number, extent)
            if entry.number not in fresh:
                frame[entry.number] = extent
                fresh.add(entry.number)
        elif isinstance(entry, int) and isinstance(value, Tensor):
            if entry != extent:
                raise Refused(f"axis {axis} of {name} is {extent}, not {entry}")
            bounds[axis] = entry
    return value.view(value.data, value.error, tuple(bounds)) if isinstance(value, Tensor) else value


def _check_expressions(types: dict, bound: dict) -> None:
    for name, annotation in types.items():
        if not isinstance(annotation, TensorType) or not isinstance(bound[name], Tensor):
            continue
        for entry, extent in zip(annotation.shape, bound[name].extents, strict=False):
            if isinstance(entry, Symbol) and entry.compute is not None and entry.value != extent:
                raise Refused(f"an axis of {name} is {extent}, not {entry.value}")


def run(kernel: Kernel, arguments: dict[str, object]) -> dict[str, Tensor]:
    """Calls an entry on arrays and numbers. Gives what is in the tensors that it writes, and what it returns."""
    frames().clear()
    given, written = {}, {}
    for name, annotation in kernel.parameters.items():
        value = arguments[name]
        if not isinstance(value, np.ndarray) or value.ndim == 0 and isinstance(annotation, ScalarType):
            given[name] = value
            continue
        if not isinstance(annotation, TensorType):
            raise NotEvaluated(f"{name} has no type")
        direction = annotation.direction or ("inout" if name in kernel.written else "in")
        memory = Memory(name, is_written_in_place=direction != "in", is_output=direction == "out")
        bounds = tuple(entry if isinstance(entry, int) else None for entry in annotation.shape)
        given[name] = tensor.given(value, annotation.dtype, bounds, memory)
        if direction != "in":
            written[name] = given[name]
    result = kernel(**given)
    declared = {name for name, kind in kernel.parameters.items() if getattr(kind, "direction", "")}
    written = {name: one for name, one in written.items() if name in declared or one.memory.was_written}
    results = result if isinstance(result, tuple) else () if result is None else (result,)
    return written | _returned([one for one in results if not _is_output(one, written)])


def _is_output(result: object, written: dict[str, Tensor]) -> bool:
    return isinstance(result, Tensor) and any(result.memory is one.memory for one in written.values())


def _returned(results: list) -> dict[str, Tensor]:
    made = {}
    for number, one in enumerate(results):
        value = read(one)
        value = value if isinstance(value, Value) else in_type(value, as_dtype(np.int64))
        name = "result" if len(results) == 1 else f"result{number}"
        made[name] = Tensor(value.data, value.exact_error, value.dtype, value.bounds, Memory(name))
    return made
