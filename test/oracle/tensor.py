# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors: views of memory. What nobody wrote yet may be anything."""

from __future__ import annotations

import dataclasses

import numpy as np

from .dtypes import BOOL, DType
from .operators import Operators
from .problems import Refused
from .value import Bounds, Value


@dataclasses.dataclass
class Memory:
    """What all views of a tensor share: whether the kernel may change it, made it, and has written it."""

    name: str
    is_written_in_place: bool = True
    is_made: bool = False
    is_output: bool = False
    was_written: bool = False


class Tensor(Operators):
    """Elements and their bounds of errors in memory; of each axis whether its extent is a constant."""

    def __init__(self, data: np.ndarray, error: np.ndarray, dtype: DType, bounds: Bounds, memory: Memory) -> None:
        self.data, self.error, self.dtype, self.bounds, self.memory = data, error, dtype, tuple(bounds), memory
        assert data.shape == error.shape and len(self.bounds) == data.ndim

    @property
    def rank(self) -> int:
        return self.data.ndim

    @property
    def extents(self) -> tuple[int, ...]:
        return self.data.shape

    def view(self, data: np.ndarray, error: np.ndarray, bounds: Bounds) -> Tensor:
        """Other elements of the same memory."""
        return Tensor(data, error, self.dtype, bounds, self.memory)

    def read(self) -> Value:
        """What is there now."""
        return Value(self.data.copy(), self.dtype, self.bounds, self.error.copy())

    def write(self, at: tuple[slice, ...], data: np.ndarray, error: np.ndarray | float) -> None:
        """Changes a part."""
        self.data[at] = data
        self.error[at] = error
        self.memory.was_written = True

    def __setitem__(self, where: object, value: object) -> None:
        from .operators import call

        call("set_item", self, where, value)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Tensor({self.memory.name}, {self.dtype}, {self.extents} of {self.bounds})"


def make(extents: tuple[int, ...], dtype: DType, bounds: Bounds, name: str = "made") -> Tensor:
    """Memory that nobody wrote."""
    if any(extent < 0 for extent in extents):
        raise Refused("a negative extent")
    data = np.zeros(extents, dtype.numpy)
    return Tensor(data, np.full(extents, np.inf), dtype, bounds, Memory(name, is_made=True))


def given(data: np.ndarray, dtype: DType, bounds: Bounds, memory: Memory) -> Tensor:
    """Memory of the caller; of an output the contents are unknown."""
    error = np.full(data.shape, np.inf if memory.is_output else 0.0)
    return Tensor(data.astype(bool) if dtype is BOOL else data, error, dtype, bounds, memory)
