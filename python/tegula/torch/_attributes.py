# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The attributes of a module as they were, and whether they still are.

A number of another type, or with another sign, is another. Containers are looked into; of anything else it is known
only which object it is, and what it is equal to.
"""

from __future__ import annotations

import operator
from typing import Any

import torch

_OF_ALL = set(vars(torch.nn.Module()))
# What torch.compile leaves in a module, which computes what it did.
_OF_TORCH = {"_is_torch_compile", "_compiled_call_impl"}
_CONTAINERS = (list, tuple, set, frozenset, dict)


class Container:
    """A container with the elements that it has. Those of a table are its keys, then its values."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.is_table = isinstance(value, dict)
        self.parts = _list_parts(value)


class Attributes:
    """Those of one module. What is the same object is not looked at again, so that calls are quick: `values` and
    `containers` are for that."""

    def __init__(self, module: torch.nn.Module, path: str) -> None:
        self.path = path
        self.table = vars(module)
        self._known = {*self.table, *_OF_TORCH}
        # Two names at least, so that there is a tuple.
        self.names = ["training", "training", *(name for name in self.table if name not in _OF_ALL | _OF_TORCH)]
        self.get = operator.itemgetter(*self.names)
        self.renew()
        self._before = [_describe(value) for value in self.values]

    def renew(self) -> None:
        """Takes the objects that there are now."""
        self.count = len(self.table)
        self.values = self.get(self.table)
        found: dict[int, Container] = {}
        _add_containers(self.values, found)
        self.containers = [part for part in found.values() if not isinstance(part.value, (tuple, frozenset))]

    def find_changed(self) -> str:
        """The name of an attribute that is another; nothing if there is none."""
        path = f"{self.path}." if self.path else ""
        for name, before in zip(self.names, self._before, strict=True):
            if name not in self.table or not _is_equal(_describe(self.table[name]), before):
                return path + name
        return next((path + name for name in self.table if name not in self._known), "")


def _list_parts(value: Any) -> list:
    return [*value, *value.values()] if isinstance(value, dict) else [*value]


def _add_containers(values: Any, found: dict[int, Container]) -> None:
    """Adds the containers among the values, and those in them."""
    for value in values:
        if isinstance(value, _CONTAINERS) and id(value) not in found:
            found[id(value)] = Container(value)
            _add_containers(found[id(value)].parts, found)


def _describe(value: Any) -> Any:
    """What is equal only for values that a model cannot tell apart, as far as that is known."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return (type(value), repr(value))
    if isinstance(value, (set, frozenset)):
        return (type(value), frozenset(_describe(part) for part in value))
    if isinstance(value, _CONTAINERS):
        return (type(value), tuple(_describe(part) for part in _list_parts(value)))
    return _Same(value) if isinstance(value, torch.Tensor) else value


class _Same:
    """Equal to itself only."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def _is_equal(now: Any, before: Any) -> bool:
    try:
        return now is before or bool(now == before)
    except (RuntimeError, ValueError, TypeError):
        return False
