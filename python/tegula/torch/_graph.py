# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph of torch's as plain data, for the compiler. Nothing is lowered here: operations keep their names."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy
import torch
from torch.fx import GraphModule, Node
from torch.utils._sympy.functions import FloorDiv, Max, Min, PythonMod
from torch.utils._sympy.printers import PythonPrinter

from tegula.torch._views import View, example_of, find_order, find_views, invert, write_steps


class _Extents(PythonPrinter):
    """Arithmetic on sizes, in the syntax of the kernel language."""

    def _print_FloorDiv(self, expr: FloorDiv) -> str:
        numerator, divisor = expr.args
        if not divisor.is_Integer:
            # A product of which the divisor is a factor; else it is no extent of a kernel.
            quotient = sympy.cancel(numerator / divisor)
            if not quotient.is_polynomial() or not all(number.is_Integer for number in sympy.Poly(quotient).coeffs()):
                raise NotAGraph(f"the size {expr} divides by a size")
            return f"({self._print(quotient)})"
        return f"({self.parenthesize(numerator, 1000)} // {self.parenthesize(divisor, 1000)})"

    def _print_PythonMod(self, expr: PythonMod) -> str:
        return "(" + " % ".join(self.parenthesize(part, 1000) for part in expr.args) + ")"

    def _print_Max(self, expr: Max) -> str:
        return f"max({', '.join(self._print(part) for part in expr.args)})"

    def _print_Min(self, expr: Min) -> str:
        return f"min({', '.join(self._print(part) for part in expr.args)})"

    def _print_Pow(self, expr: sympy.Pow) -> str:
        base, power = expr.args
        if not (power.is_Integer and power > 0):
            raise NotAGraph(f"the size {expr} is not a whole number")
        return "(" + " * ".join([self.parenthesize(base, 1000)] * int(power)) + ")"


class NotAGraph(Exception):
    """Why a graph cannot be handed over."""


@dataclass
class Imported:
    """A kernel's text, and how a call of the graph becomes a call of the kernel."""

    text: str
    #: The inputs of the graph that the kernel takes, by their number.
    inputs: list[int]
    #: What each output is: ("result", number, axes in order or nothing) or ("input", number) or ("none",) or
    #: ("size", text) or ("view", one of the first two, operations with the text of what they are given).
    outputs: list[tuple]
    #: Those of them that are numbers; they are the last.
    numbers: list[str]
    #: What the kernel gives: elements and shapes.
    results: list[tuple[str, list[str]]]
    #: The shapes of those inputs, as text.
    shapes: list[list[str]]
    unknown: list[str] = field(default_factory=list)


def extent(size: Any) -> str:
    """A size as text."""
    if isinstance(size, torch.SymInt):
        return _Extents().doprint(_cancel(size.node.expr, size.node.shape_env))
    return str(int(size))


def _cancel(size: sympy.Basic, environment: Any) -> sympy.Basic:
    """n // (n // k) is k where torch knows that k divides n, as it does after a reshape to rows of k."""
    is_plain = all(part.args[1].is_Integer for part in size.atoms(FloorDiv))
    return size if is_plain else environment.simplify(size)


def write_condition(condition: sympy.Basic) -> str:
    """A condition on sizes, in the syntax of the kernel language."""
    text = _Extents().doprint(condition)
    known = {*(symbol.name for symbol in condition.free_symbols), "and", "or", "not", "min", "max"}
    if not known.issuperset(re.findall(r"[A-Za-z_]\w*", text)) or re.search("[^/]/[^/]", text):
        raise NotAGraph(f"a kernel cannot check the condition {text}")
    return text


def describe_tensor(value: torch.Tensor) -> dict:
    return {"dtype": str(value.dtype).removeprefix("torch."), "shape": [extent(size) for size in value.shape]}


def _describe_argument(value: Any) -> Any:
    if isinstance(value, Node):
        example = example_of(value)
        if isinstance(example, (torch.SymInt, int)) and not isinstance(example, bool):
            return _describe_size(example)
        return {"node": value.name}
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, torch.SymInt):
        return _describe_size(value)
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, (list, tuple)):
        return [_describe_argument(part) for part in value]
    if isinstance(value, (torch.device, torch.layout, torch.memory_format)):
        return None
    raise NotAGraph(f"an operation is given {type(value).__name__}, which cannot be handed over")


def _describe_size(value: Any) -> Any:
    """A size as arithmetic, or as a number if torch has fixed it."""
    text = extent(value)
    return int(text) if re.fullmatch(r"-?\d+", text) else {"size": text}


def _name_op(node: Node) -> str:
    if node.target is operator.getitem:
        return "getitem"
    if isinstance(node.target, torch._ops.OpOverload):
        return str(node.target)
    return f"{getattr(node.target, '__module__', '')}.{getattr(node.target, '__name__', node.target)}"


def _describe_node(node: Node) -> dict:
    value = example_of(node)
    values = value if isinstance(value, (list, tuple)) else [value]
    results = [describe_tensor(part) for part in values if isinstance(part, torch.Tensor)]
    return {
        "name": node.name,
        "op": _name_op(node),
        "args": [_describe_argument(part) for part in node.args] if results else [],
        "kwargs": {name: _describe_argument(part) for name, part in node.kwargs.items()} if results else {},
        "results": results,
    }


def describe(module: GraphModule, name: str) -> tuple[dict, list[int], list[tuple]]:
    """The graph as data, which of its inputs the kernel takes (tensors, then numbers), and what its outputs are."""
    inputs, indices, nodes, outputs = [], [], [], []
    axes: dict[str, None] = {}
    numbers: dict[str, int] = {}
    number = -1
    for node in module.graph.nodes:
        if node.op == "placeholder":
            number += 1
            value = example_of(node)
            if isinstance(value, torch.Tensor):
                inputs.append({"name": node.name, "type": describe_tensor(value)})
                indices.append(number)
                axes.update((extent(size), None) for size in value.shape if extent(size).isidentifier())
            elif isinstance(value, torch.SymInt) and extent(value).isidentifier():
                numbers[extent(value)] = number
        elif node.op == "call_function":
            nodes.append(_describe_node(node))
        elif node.op == "get_attr":
            raise NotAGraph("a graph that holds tensors of its own cannot be handed over")
        elif node.op == "output":
            outputs = list(node.args[0]) if isinstance(node.args[0], (list, tuple)) else [node.args[0]]
        else:
            raise NotAGraph(f"a graph with '{node.op}' cannot be handed over")
    numbers = {symbol: index for symbol, index in numbers.items() if symbol not in axes}
    _check_symbols(inputs, {*axes})
    _check_symbols(nodes, {*axes, *numbers})
    views = find_views([part for part in outputs if isinstance(part, Node)])
    results = _find_results(outputs, views)
    graph = {
        "name": name,
        "symbols": list(axes),
        "numbers": list(numbers),
        "inputs": inputs,
        "nodes": nodes + [_describe_permute(part) for part in results if _is_permuted(part)],
        "outputs": [{"node": f"{part.name}.permuted" if _is_permuted(part) else part.name} for part in results],
    }
    return graph, [*indices, *numbers.values()], [_describe_output(part, results, views) for part in outputs]


def _check_symbols(parts: list[dict], known: set[str]) -> None:
    """Sizes that a call does not bring, as those that depend on data, cannot be handed over."""
    for text in _sizes_in(parts):
        for symbol in re.findall(r"[A-Za-z_]\w*", text):
            if symbol not in known and symbol not in ("min", "max"):
                raise NotAGraph(f"the size {symbol} is not that of an axis of an input; it depends on data")


def _sizes_in(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            yield from _sizes_in(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key == "size":
                yield part
            elif key == "shape":
                yield from part
            else:
                yield from _sizes_in(part)


def _find_results(outputs: list, views: dict[Node, View]) -> list[Node]:
    """What a kernel computes for the outputs, each once."""
    bases = [views[part].base if part in views else part for part in outputs if isinstance(part, Node)]
    found = [part for part in bases if part.op == "call_function" and isinstance(example_of(part), torch.Tensor)]
    return list(dict.fromkeys(found))


def _is_permuted(node: Node) -> bool:
    """True if the axes of a result do not lie in memory as they are counted."""
    order = find_order(example_of(node))
    return order != sorted(order)


def _describe_permute(node: Node) -> dict:
    """A kernel's results have no gaps and axes in order; torch permutes them back."""
    order, tensor = find_order(example_of(node)), describe_tensor(example_of(node))
    return {
        "name": f"{node.name}.permuted",
        "op": "aten.permute.default",
        "args": [{"node": node.name}, order],
        "kwargs": {},
        "results": [{**tensor, "shape": [tensor["shape"][axis] for axis in order]}],
    }


def _describe_output(part: Any, results: list[Node], views: dict[Node, View]) -> tuple:
    if part is None:
        return ("none",)
    if not isinstance(part, Node):
        return ("value", part)
    if part in views:
        base = _describe_output(views[part].base, results, {})
        return ("view", base, write_steps(views[part], lambda size: f"({extent(size)})"))
    if part.op == "placeholder":
        number = sum(1 for _ in _placeholders_before(part))
        return ("input", number)
    value = example_of(part)
    if isinstance(value, torch.Tensor):
        axes = invert(find_order(value)) if _is_permuted(part) else [] if value.dim() == 0 else None
        return ("result", results.index(part), axes)
    return ("size", extent(value))


def _placeholders_before(node: Node) -> Any:
    for other in node.graph.nodes:
        if other is node:
            return
        if other.op == "placeholder":
            yield other


def write_kernel(module: GraphModule, name: str, requirements: list[dict[str, str]] | None = None) -> Imported:
    """The kernel that computes the graph; without text if some nodes are not known. What is required of its sizes is
    checked at the call."""
    from tegula import _tegula

    graph, inputs, outputs = describe(module, name)
    graph["requirements"] = requirements or []
    shapes = [tensor["type"]["shape"] for tensor in graph["inputs"]] + [[name] for name in graph["numbers"]]
    types = {node["name"]: node["results"] for node in graph["nodes"]}
    found = [types[part["node"]][0] for part in graph["outputs"]]
    results = [(tensor["dtype"], tensor["shape"]) for tensor in found]
    if not results:
        return Imported("", inputs, outputs, graph["numbers"], results, shapes)
    text, unknown = _tegula.import_graph(json.dumps(graph))
    return Imported(text, inputs, outputs, graph["numbers"], results, shapes, list(unknown))
