# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an exported program takes for granted about sizes.

A model that asks `x.shape[0] > 4` is exported as what it does for the example; torch notes the answer. A call for which
the answer is another must not run what was exported.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy
import torch
from torch.fx.experimental import symbolic_shapes
from torch.fx.experimental._config import patch
from torch.utils._sympy.functions import Mod, PythonMod
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.printers import PythonPrinter
from torch.utils._sympy.value_ranges import ValueRanges, bound_sympy

from tegula.torch._graph import NotAGraph, example_of, write_condition
from tegula.torch._views import find_layout, find_order, is_in_order

_TORCH = Path(torch.__file__).parent
_lock = threading.RLock()


@contextmanager
def noting_all() -> Iterator[None]:
    """While a model is exported: what it asks of sizes is noted even where the answer is the same for all from 2 on.
    torch takes sizes for positive, so that whether there are any elements is no question to it."""
    make = symbolic_shapes.make_symbol

    def make_symbol(*args: Any, positive: bool | None = None, **kinds: Any) -> sympy.Symbol:
        return make(*args, **({"nonnegative": True} if positive else {}), **kinds)

    with _lock, patch(backed_size_oblivious=True):
        symbolic_shapes.make_symbol = make_symbol
        try:
            yield
        finally:
            symbolic_shapes.make_symbol = make


@dataclass(frozen=True)
class Assumption:
    """A condition on sizes, and where it was decided."""

    condition: sympy.Basic
    where: str

    def __str__(self) -> str:
        return f"{PythonPrinter().doprint(self.condition)}{f' ({self.where})' if self.where else ''}"


class Shapes:
    """The sizes of what a call brings, by their symbols: `axes[symbol]` is the number of an input and of its axis."""

    def __init__(self, inputs: list[tuple[str, Any]]) -> None:
        self.names = [name for name, _ in inputs]
        self.axes: dict[sympy.Symbol, tuple[int, int]] = {}
        #: Axes that are what others say: a number, or arithmetic.
        self.others: list[tuple[int, int, sympy.Basic]] = []
        for number, (_, value) in enumerate(inputs):
            for axis, size in enumerate(value.shape if isinstance(value, torch.Tensor) else ()):
                expression = size.node.expr if isinstance(size, torch.SymInt) else sympy.Integer(size)
                if expression.is_Symbol and expression not in self.axes:
                    self.axes[expression] = (number, axis)
                else:
                    self.others.append((number, axis, expression))

    def name(self, symbol: sympy.Symbol) -> str:
        number, axis = self.axes[symbol]
        return f"axis {axis} of {self.names[number]}"

    def write(self, expression: sympy.Basic, template: str = "") -> str:
        """Arithmetic on sizes, in Python: `x.shape[0] > 4`. The template says what stands for an input of a number."""
        text = PythonPrinter().doprint(expression)
        sources = {symbol.name: source for symbol, source in self.axes.items()}

        def write_axis(match: re.Match) -> str:
            if match[0] not in sources:
                return match[0]
            number, axis = sources[match[0]]
            return f"{template.format(number) if template else self.names[number]}.shape[{axis}]"

        return re.sub(r"[A-Za-z_]\w*", write_axis, text)

    def tell(self, assumption: Assumption) -> str:
        """The condition in words of the call: `x.shape[0] > 4, decided at model.py:3`."""
        text = self.write(assumption.condition)
        return f"{text}, decided at {assumption.where}" if assumption.where else text


def list_assumptions(program: Any, shapes: Shapes) -> list[Assumption]:
    """What holds of the sizes that a program was exported for, and need not of others. Operations may have been taken
    apart since, for these sizes."""
    environment = _find_environment(program)
    if environment is None:
        return []
    found: dict[sympy.Basic, str] = {}
    grouped = [condition for node in program.graph.nodes for condition in _list_grouped(node)]
    for guard in environment.guards:
        condition = environment.replace(guard.expr)
        where = str(guard.sloc)
        is_own = _is_of_the_model(where)
        if (
            condition in (sympy.true, True, *grouped)
            or _is_about_layout(where, condition)
            or (not is_own and _holds_from_two_on(condition))
        ):
            continue
        found.setdefault(condition, _shorten(where) if is_own else "")
    for node in program.graph.nodes:
        for size in _list_squeezed(node):
            found.setdefault(sympy.Ne(environment.replace(size.node.expr), 1), "a squeeze")
    known = [Assumption(condition, where) for condition, where in found.items()]
    for assumption in known:
        unknown = assumption.condition.free_symbols - set(shapes.axes)
        if unknown:
            raise NotAGraph(f"it assumes {assumption}, where {unknown.pop()} is no axis of an input")
    return known


def _find_environment(program: Any) -> Any:
    for node in program.graph.nodes:
        value = example_of(node)
        for size in value.shape if isinstance(value, torch.Tensor) else ():
            if isinstance(size, torch.SymInt):
                return size.node.shape_env
    return None


def _is_of_the_model(where: str) -> bool:
    """True if the model itself asked, not an operation. Places in torch are relative to its folder."""
    path = re.match(r"\(?(.*?):\d+", where)
    return path is None or not (_TORCH / path[1]).exists()


def _is_about_layout(where: str, condition: sympy.Basic) -> bool:
    """True for what convolutions ask to choose between libraries, for kernels have checks of their own, and for what is
    asked of lengths 0 and 1 beneath Python, to know in which order elements lie."""
    if re.search(r"fake_impls\.py:\d+ in (conv|convert)\b", where):
        return True
    is_beneath = re.search(r"(^|\W)(_ops|_export/non_strict_utils)\.py:\d+ in ", where) is not None
    return (
        is_beneath and isinstance(condition, sympy.Ne) and condition.rhs in (0, 1) and not condition.has(Mod, PythonMod)
    )


def _holds_from_two_on(condition: sympy.Basic) -> bool:
    """What operations ask of sizes 0 and 1 is about the order of elements in memory."""
    ranges = {symbol: ValueRanges(2, int_oo) for symbol in condition.free_symbols}
    try:
        return bound_sympy(condition, ranges).lower == sympy.true
    except Exception:
        return False


def _list_grouped(node: Any) -> list[sympy.Basic]:
    """That heads share keys: attention is the same where each has its own."""
    if str(node.target) != "aten.scaled_dot_product_attention.default":
        return []
    sizes = [example_of(part).shape[-3] for part in node.args[:2] if example_of(part).dim() > 2]
    heads = [size.node.expr for size in sizes if isinstance(size, torch.SymInt)]
    return [sympy.Ne(*heads), sympy.Ne(*reversed(heads))] if len(heads) == 2 else []


def _list_squeezed(node: Any) -> list[torch.SymInt]:
    """Sizes that vary of axes that are dropped where they are 1."""
    if not str(node.target).startswith("aten.squeeze."):
        return []
    shape = example_of(node.args[0]).shape
    axes = node.args[1] if len(node.args) > 1 else range(len(shape))
    axes = axes if isinstance(axes, (list, tuple, range)) else [axes]
    return [shape[axis] for axis in axes if isinstance(shape[axis], torch.SymInt)]


def _shorten(where: str) -> str:
    found = re.match(r"\(?(.*?):(\d+)", where)
    return f"{Path(found[1]).name}:{found[2]}" if found else where


def write_requirements(assumptions: list[Assumption], shapes: Shapes) -> list[dict[str, str]]:
    """The same for a kernel. What its language has no words for is an error."""
    requirements = []
    for assumption in assumptions:
        symbols = sorted(assumption.condition.free_symbols, key=str)
        names = ", ".join(f"{symbol} is {shapes.name(symbol)}" for symbol in symbols)
        where = f", at {assumption.where}" if assumption.where else ""
        text = f"what the model does was decided by it when it was exported{where}; {names}"
        requirements.append({"condition": write_condition(assumption.condition), "message": text.replace('"', "'")})
    return requirements


@dataclass(frozen=True)
class Check:
    """Something that a call has to fulfil, as an expression on its inputs, `given`, and as it is said."""

    expression: str
    text: str

    def holds(self, given: Any) -> bool:
        return write_check([self])(given)


def write_check(checks: list[Check]) -> Callable[[Any], bool]:
    """One function of a call's inputs for all of them. What divides by a size of 0 does not hold."""
    text = " and ".join(f"({check.expression})" for check in checks) or "True"
    holds = eval(f"lambda given: {text}", {"math": math, "torch": torch, "find_layout": find_layout})

    def check(given: Any) -> bool:
        try:
            return holds(given)
        except ZeroDivisionError:
            return False

    return check if re.search("[/%]", text) else holds


def check_assumption(assumption: Assumption, shapes: Shapes) -> Check:
    return Check(shapes.write(assumption.condition, "given[{}]"), shapes.tell(assumption))


def check_layout(shapes: Shapes, number: int, value: torch.Tensor) -> Check:
    """That elements lie in memory as those of the example do."""
    if is_in_order(value):
        return Check(f"given[{number}].is_contiguous()", f"{shapes.names[number]}.is_contiguous()")
    order = ", ".join(map(str, find_order(value)))
    return Check(
        f"find_layout(given[{number}]) == {find_layout(value)}",
        f"elements of {shapes.names[number]} in memory by axes ({order}), as in the example",
    )


def check_axis(shapes: Shapes, number: int, axis: int, expression: sympy.Basic) -> Check:
    """That an axis is what the program has found it to be."""
    return Check(
        f"given[{number}].shape[{axis}] == ({shapes.write(expression, 'given[{}]')})",
        f"{shapes.names[number]}.shape[{axis}] == {shapes.write(expression)}",
    )


def check_autocast(dtype: torch.dtype | None) -> Check:
    """That the caller's autocast is what it was for the example."""
    enabled = "torch.is_autocast_enabled('cpu')"
    if dtype is None:
        return Check(f"not {enabled}", "calls without torch.autocast")
    same = f"{enabled} and torch.get_autocast_dtype('cpu') is {dtype}"
    return Check(same, f"calls under torch.autocast('cpu', {dtype})")


def check_type(shapes: Shapes, number: int, value: torch.Tensor) -> Check:
    """That a tensor has these elements, and that many axes."""
    name, rank = shapes.names[number], value.dim()
    return Check(
        f"given[{number}].dtype is {value.dtype} and given[{number}].dim() == {rank}",
        f"{name}.dtype == {value.dtype} and {name}.dim() == {rank}",
    )
