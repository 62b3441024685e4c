# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles and scalars: immutable values. A tile has its valid elements alone; its bounds are its full shape."""

from __future__ import annotations

import numpy as np

from .bounds import Bound, tidy
from .dtypes import DType
from .operators import Operators
from .problems import Refused, Undecided


class Cut:
    """The bound of a window whose size is known at run time only: the edge may have cut it off."""


CUT = Cut()
#: For each axis the extent of the full tile. Where that is only known at run time, it is None, or CUT.
AxisBound = int | Cut | None
Bounds = tuple[AxisBound, ...]


class Value(Operators):
    """Elements, how beyond each may be off, and the full shape.

    `compared` is the type that a BOOL comes from. `is_matmul` says that it is an FP32 matmul as it came.
    """

    def __init__(
        self,
        data: np.ndarray,
        dtype: DType,
        bounds: Bounds | None = None,
        error: Bound = None,
        *,
        is_scalar: bool = False,
        compared: DType | None = None,
        is_matmul: bool = False,
    ) -> None:
        self.data = np.asarray(data)
        self.dtype = dtype
        self.bounds = tuple(self.data.shape) if bounds is None else tuple(bounds)
        error = tidy(error)
        self.error = None if error is None else np.broadcast_to(error, self.data.shape)
        self.is_scalar = is_scalar
        self.compared = compared
        self.is_matmul = is_matmul
        assert len(self.bounds) == self.data.ndim

    @property
    def rank(self) -> int:
        return self.data.ndim

    @property
    def extents(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def exact_error(self) -> np.ndarray:
        """The bound of each element, with zeros where it is exact."""
        return np.zeros(self.data.shape) if self.error is None else self.error

    def item(self) -> int | float | bool:
        """The one element, which must not depend on rounding."""
        if self.data.size != 1:
            raise Refused("a scalar is wanted")
        if self.error is not None:
            raise Undecided("a scalar is not known exactly")
        return self.data.reshape(()).astype(np.float64).item() if self.dtype.is_float else self.data.item()

    def __bool__(self) -> bool:
        return bool(self.item())

    def __index__(self) -> int:
        if self.dtype.is_float:
            raise Refused("a float is no index")
        return int(self.item())

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Value({self.dtype}, {self.extents} of {self.bounds})"


def scalar(number: int | float | bool | np.ndarray, dtype: DType, error: Bound = None) -> Value:
    """A run-time scalar."""
    return Value(np.asarray(number).reshape(()), dtype, (), error, is_scalar=True)
