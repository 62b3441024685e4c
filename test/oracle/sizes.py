# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of sizes, loop variables and constants."""

from __future__ import annotations

import math
from collections.abc import Callable

from .dtypes import INDEX
from .index import Index, Symbol, frames, sum_of
from .problems import Refused
from .value import Value


def _floor(a: int, b: int) -> int:
    return a // b if b else 0


def _shift_right(a: int, b: int) -> int:
    return a >> b if 0 <= b < 64 else (-1 if a < 0 else 0)


def _toward_zero(a: int, b: int) -> int:
    if b == 0:
        return 0
    return abs(a) // abs(b) if (a < 0) == (b < 0) else -(abs(a) // abs(b))


def _power(a: int, b: int) -> int:
    if b >= 0:
        return a**b
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": _floor,
    "div": lambda a, b: _toward_zero(a, b),
    "rem": lambda a, b: a % b if b else 0,
    "fmod": lambda a, b: a - b * _toward_zero(a, b) if b else 0,
    "pow": _power,
    "maximum": max,
    "minimum": min,
    "fmax": max,
    "fmin": min,
    "and_": lambda a, b: a & b,
    "or_": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b if 0 <= b < 64 else 0,
    "shr": _shift_right,
    "cdiv": lambda a, b: -_floor(-a, b),
}


def _checked(value: int) -> int:
    if not -(1 << 63) <= value < 1 << 63:
        raise Refused("a size overflows")
    return value


def binary(name: str, lhs: Index | int, rhs: Index | int) -> Index | int:
    """Exact arithmetic; of constants a constant, of symbols outside of a call another symbol."""
    function = _BINARY[name]
    if not isinstance(lhs, Index) and not isinstance(rhs, Index):
        return function(lhs, rhs)
    if not frames():
        return Symbol(f"({lhs} {name} {rhs})", lambda: function(int(lhs), int(rhs)))
    value = _checked(function(int(lhs), int(rhs)))
    if name in ("add", "sub"):
        return Index(value, sum_of(lhs, rhs, 1 if name == "add" else -1))
    if name == "mul" and not (isinstance(lhs, Index) and isinstance(rhs, Index)):
        index, factor = (lhs, rhs) if isinstance(lhs, Index) else (rhs, lhs)
        return Index(value, {term: count * factor for term, count in index.terms.items()} if factor else {})
    terms = [frozenset(side.terms.items()) if isinstance(side, Index) else side for side in (lhs, rhs)]
    return Index(value, {(name, *terms): 1})


def unary(name: str, operand: Index | int) -> Index | int:
    """-x, ~x, abs(x) and what leaves integers alone."""
    if name == "neg":
        return binary("sub", 0, operand)
    if name == "not_":
        return binary("sub", -1, operand)
    if name in ("abs", "relu"):
        return binary("maximum", operand, binary("sub", 0, operand) if name == "abs" else 0)
    return operand


def constant(name: str, lhs: float, rhs: float) -> float:
    """Arithmetic of constants of which one is a float."""
    functions = {"add": lambda: lhs + rhs, "sub": lambda: lhs - rhs, "mul": lambda: lhs * rhs, "div": lambda: lhs / rhs}
    functions |= {"floordiv": lambda: lhs // rhs, "rem": lambda: lhs % rhs, "pow": lambda: lhs**rhs}
    functions |= {
        "maximum": lambda: max(lhs, rhs),
        "minimum": lambda: min(lhs, rhs),
        "fmod": lambda: math.fmod(lhs, rhs),
    }
    functions |= {"fmax": functions["maximum"], "fmin": functions["minimum"]}
    return functions[name]()


def as_index(value: Value) -> Value | Index:
    """A scalar of INDEX is a size."""
    if value.is_scalar and value.dtype is INDEX:
        return Index(int(value.item()))
    return value
