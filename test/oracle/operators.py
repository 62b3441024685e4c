# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python's operators and methods mean on values, tensors and sizes."""

from __future__ import annotations

from collections.abc import Callable

#: Functions of the language by name, filled by those that define them.
TABLE: dict[str, Callable] = {}


def call(name: str, *arguments: object) -> object:
    """A function of the language."""
    return TABLE[name](*arguments)


def _binary(name: str) -> Callable:
    return lambda self, other: call(name, self, other)


def _reflected(name: str) -> Callable:
    return lambda self, other: call(name, other, self)


def _in_place(name: str) -> Callable:
    return lambda self, other: call("in_place", name, self, other)


class Operators:
    """`+` is `pl.add`, and so on; `+=` keeps the extents of what it changes."""

    __slots__ = ()


for _python, _name in {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "truediv",
    "floordiv": "floordiv",
    "mod": "rem",
    "pow": "pow",
    "and": "and_",
    "or": "or_",
    "xor": "xor",
    "lshift": "shl",
    "rshift": "shr",
    "matmul": "matmul",
}.items():
    setattr(Operators, f"__{_python}__", _binary(_name))
    setattr(Operators, f"__r{_python}__", _reflected(_name))
    setattr(Operators, f"__i{_python}__", _in_place(_name))
for _python in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Operators, f"__{_python}__", _binary(_python))
for _python, _name in {"neg": "neg", "invert": "not_", "abs": "abs", "pos": "pos"}.items():
    setattr(Operators, f"__{_python}__", lambda self, name=_name: call(name, self))
Operators.__getitem__ = _binary("get_item")
Operators.shape = property(lambda self: call("shape", self))
Operators.T = property(lambda self: call("transpose", self))
Operators.__len__ = lambda self: int(call("shape", self)[0])
Operators.__iter__ = None
