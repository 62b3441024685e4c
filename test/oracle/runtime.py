# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rewritten kernels call: `_oracle` in their modules."""

from __future__ import annotations

import builtins
import functools

from . import tasks
from .dtypes import BOOL, FP32, INT32
from .elementwise import binary, compare
from .index import Index
from .operands import in_type
from .operators import TABLE
from .problems import NotEvaluated, Refused
from .tensor import Tensor
from .value import Value, scalar

UNSET = object()
run_grid, Task, assert_ = tasks.run_grid, tasks.Task, tasks.assert_
range = tasks.span


def set_item(x: object, where: object, value: object) -> object:
    """`x[where] = value`, and what `x` is then."""
    if isinstance(x, list | dict):
        x[where] = value
        return x
    return TABLE["set_item"](x, where, value)


def augment_item(x: object, where: object, name: str, value: object) -> object:
    """`x[where] op= value`."""
    if isinstance(x, list | dict):
        return set_item(x, where, TABLE[name](x[where], value))
    part = TABLE["get_item"](x, where)
    if isinstance(part, Tensor):
        TABLE["in_place"](name, part, value)
        return x
    return TABLE["set_item"](x, where, TABLE["in_place"](name, part, value))


def subscript(compute: object) -> object:
    """A subscript, of which scalars are read once."""
    return compute()


def rebind(old: object, value: object, depth: int) -> object:
    """`out = value` writes an output that has not been written yet."""
    if isinstance(old, Tensor) and old.memory.is_output and not old.memory.was_written and isinstance(value, Value):
        if depth:
            raise Refused("an output is assigned to in a loop")
        return TABLE["set_item"](old, (), value)
    return value


def is_runtime(test: object) -> bool:
    """Whether a condition is known at run time only."""
    return isinstance(test, Value | Index)


def enter(value: object) -> object:
    """What a loop carries: a constant becomes a scalar; memory that nobody wrote holds zeros."""
    if isinstance(value, bool):
        return scalar(value, BOOL)
    if isinstance(value, int):
        return Index(value)
    if isinstance(value, float):
        return in_type(value, FP32)
    if isinstance(value, Tensor) and value.memory.is_made and not value.memory.was_written:
        value.data[...], value.error[...] = 0, 0.0
    return value


def settle(test: object, value: object) -> object:
    """What a branch bound."""
    return enter(value) if is_runtime(test) and not isinstance(value, Tensor) else value


def pick(test: object, value: object) -> object:
    """A conditional expression."""
    return settle(test, value)


def negate(value: object) -> object:
    """`not`."""
    if isinstance(value, Value | Index):
        return scalar(not value, BOOL)
    return not value


def chained(names: tuple[str, ...], *operands: object) -> object:
    """`a < b < c`."""
    pairs = zip(names, operands, operands[1:], strict=False)
    return functools.reduce(lambda lhs, rhs: _both(lhs, rhs), [compare(*pair) for pair in pairs])


def _both(lhs: object, rhs: object) -> object:
    if isinstance(lhs, bool) and isinstance(rhs, bool):
        return lhs and rhs
    return binary("and_", lhs, rhs)


def _least(name: str, *operands: object) -> object:
    items = operands[0] if len(operands) == 1 else operands
    if not any(isinstance(item, Value | Index | Tensor) for item in items):
        return (builtins.min if name == "minimum" else builtins.max)(items)
    return functools.reduce(functools.partial(binary, name), items)


def sum(items: object, start: object = 0) -> object:  # noqa: A001
    """The builtin; of comparisons alone it counts."""
    items = list(items)
    if items and all(isinstance(item, Value) and item.dtype is BOOL for item in items):
        items = [in_type(item, INT32) for item in items]
    return builtins.sum(items, start)


class Carry:
    """The values that go around a loop."""

    def __init__(self, first: object) -> None:
        self.values = tuple(enter(value) for value in (first if isinstance(first, tuple | list) else (first,)))


def values(state: Carry) -> tuple:
    """What an iteration begins with."""
    return state.values


def next_values(state: Carry, *following: object) -> tuple:
    """What the next iteration begins with: constants in the type of what they replace."""
    made = []
    for old, new in zip(state.values, following, strict=True):
        if isinstance(new, int | float) and isinstance(old, Value):
            new = in_type(new, old.dtype)
        made.append(enter(new))
    state.values = tuple(made)
    return state.values


def grab(names: dict, name: str) -> object:
    """A variable of the function around a grid."""
    return names.get(name, UNSET)


def flatten(result: tuple, count: int) -> tuple:
    """`y, z, task = pl.submit(...)` is `(y, z), task = pl.submit(...)`."""
    first, task = result
    if count > 2:
        return (*first, task)
    return first, task


def absent(name: str) -> object:
    """Stands for what this judge does not know."""

    def fail(*_: object, **__: object) -> None:
        raise NotEvaluated(name)

    return fail


min = functools.partial(_least, "minimum")  # noqa: A001
max = functools.partial(_least, "maximum")  # noqa: A001
