# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, and the table of docs/language.md that says which type two of them have in common."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import re

import ml_dtypes
import numpy as np

from .problems import Refused

LANGUAGE = pathlib.Path(__file__).parents[2] / "docs" / "language.md"


@dataclasses.dataclass(frozen=True)
class DType:
    """An element type. A float has so many bits of precision, a least exponent and a greatest finite number."""

    name: str
    kind: str
    bits: int
    numpy: np.dtype
    precision: int = 0
    least_exponent: int = 0
    greatest: float = 0.0
    has_infinity: bool = True

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint")

    @property
    def is_bool(self) -> bool:
        return self.kind == "bool"

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest integer."""
        if self.kind == "uint":
            return 0, (1 << self.bits) - 1
        return -(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1

    @property
    def wide(self) -> np.dtype:
        """What floats are computed in."""
        return np.dtype(np.float64 if self.name == "FP64" else np.float32)

    def __repr__(self) -> str:
        return f"pl.{self.name}"


def _integer(name: str, kind: str, bits: int) -> DType:
    return DType(name, kind, bits, np.dtype(f"{kind}{max(bits, 8)}"))


def _float(name: str, numpy: type, precision: int, least_exponent: int, has_infinity: bool = True) -> DType:
    dtype = np.dtype(numpy)
    greatest = float(ml_dtypes.finfo(dtype).max)
    return DType(name, "float", 8 * dtype.itemsize, dtype, precision, least_exponent, greatest, has_infinity)


BOOL = DType("BOOL", "bool", 8, np.dtype(bool))
INT32 = _integer("INT32", "int", 32)
INT64 = _integer("INT64", "int", 64)
UINT32 = _integer("UINT32", "uint", 32)
FP32 = _float("FP32", np.float32, 24, -126)
FP64 = _float("FP64", np.float64, 53, -1022)
#: Sizes and loop variables; elements of it are INT64.
INDEX = DType("INDEX", "int", 64, np.dtype(np.int64))
DTYPES = {
    dtype.name: dtype
    for dtype in (
        BOOL,
        *(_integer(f"INT{bits}", "int", bits) for bits in (4, 8, 16)),
        INT32,
        INT64,
        *(_integer(f"UINT{bits}", "uint", bits) for bits in (4, 8, 16)),
        UINT32,
        _integer("UINT64", "uint", 64),
        _float("FP8E4M3FN", ml_dtypes.float8_e4m3fn, 4, -6, has_infinity=False),
        _float("FP8E5M2", ml_dtypes.float8_e5m2, 3, -14),
        _float("FP16", np.float16, 11, -14),
        _float("BF16", ml_dtypes.bfloat16, 8, -126),
        FP32,
        FP64,
        INDEX,
    )
}

_SHORT = {"B": "BOOL", "BF": "BF16", "E4": "FP8E4M3FN", "E5": "FP8E5M2"}


def _long_name(short: str) -> str:
    if short in _SHORT:
        return _SHORT[short]
    return {"I": "INT", "U": "UINT", "F": "FP"}[short[0]] + short[1:]


@functools.cache
def promotion_table() -> dict[tuple[str, str], DType | None]:
    """The table of the page, by the names of two types; None is an error."""
    rows = [re.findall(r"[^|\s]+", line) for line in LANGUAGE.read_text().splitlines() if line.startswith("| **")]
    rows = [[cell.strip("*") for cell in row] for row in rows]
    columns = [row[0] for row in rows]
    table = {}
    for row in rows:
        for column, cell in zip(columns, row[1:], strict=True):
            table[_long_name(row[0]), _long_name(column)] = None if cell == "–" else DTYPES[_long_name(cell)]
    return table


def promote(lhs: DType, rhs: DType) -> DType:
    """The common type. INDEX wins over integers and loses to floats."""
    if INDEX in (lhs, rhs):
        other = rhs if lhs is INDEX else lhs
        return other if other.is_float else INDEX
    common = promotion_table().get((lhs.name, rhs.name))
    if common is None:
        raise Refused(f"{lhs} and {rhs} have no common type")
    return common


def as_dtype(given: object) -> DType:
    """The type of that name, or of that name in NumPy."""
    if isinstance(given, DType):
        return given
    kind = np.dtype(given)
    return next(dtype for dtype in DTYPES.values() if dtype.numpy == kind and dtype.bits >= 8)
