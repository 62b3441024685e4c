# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes and loop variables: exact integers that remember what they are sums of, so that `i + 8 - i` is the constant 8.

A symbol has its value during a call. Arithmetic on symbols outside of one is done at each call.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable

from .operators import Operators
from .problems import Refused

_numbers = itertools.count()
_state = threading.local()


def frames() -> list[dict[int, int]]:
    """What symbols are bound to, by identity; the last is that of the innermost function."""
    if not hasattr(_state, "frames"):
        _state.frames = []
    return _state.frames


class Index(Operators):
    """A run-time integer, and the terms it is a sum of: how often each unknown, and a constant for None."""

    def __init__(self, value: int, terms: dict | None = None) -> None:
        self._value = int(value)
        self._terms = terms

    @property
    def value(self) -> int:
        return self._value

    @property
    def terms(self) -> dict:
        if self._terms is None:
            self._terms = {next(_numbers): 1}
        return self._terms

    def __index__(self) -> int:
        return self.value

    __int__ = __index__

    def __bool__(self) -> bool:
        return self.value != 0

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Index({self.value})"


class Symbol(Index):
    """A dimension that each call binds."""

    def __init__(self, name: str, compute: Callable[[], int] | None = None) -> None:
        self.name = name
        self.number = next(_numbers)
        self.compute = compute

    @property
    def value(self) -> int:
        if self.compute is not None:
            return int(self.compute())
        if not frames() or self.number not in frames()[-1]:
            raise Refused(f"{self.name} has no value here")
        return frames()[-1][self.number]

    def __repr__(self) -> str:
        return self.name

    @property
    def terms(self) -> dict:
        return {("symbol", self.number, len(frames()) if self.compute is None else 0, self.value): 1}

    __hash__ = object.__hash__


def terms_of(number: Index | int) -> dict:
    """What a number is a sum of."""
    return dict(number.terms) if isinstance(number, Index) else {None: int(number)} if number else {}


def sum_of(lhs: Index | int, rhs: Index | int, sign: int) -> dict:
    """The terms of a sum or a difference."""
    terms = terms_of(lhs)
    for term, count in terms_of(rhs).items():
        terms[term] = terms.get(term, 0) + sign * count
    return {term: count for term, count in terms.items() if count}


def constant_difference(high: Index | int, low: Index | int) -> int | None:
    """high - low where that is a constant."""
    terms = sum_of(high, low, -1)
    return terms.get(None, 0) if set(terms) <= {None} else None
