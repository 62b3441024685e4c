# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that were made of graphs, found again by what a graph computes.

A graph may use a kernel that was made of a more general one: if it is the same graph with numbers where the other has
symbols. Never the other way round.
"""

from __future__ import annotations

import re
from typing import Any

import sympy
import torch
from torch.fx import GraphModule, Node

from tegula.torch._graph import NotAGraph, describe, example_of, write_kernel
from tegula.torch._partition import layer_of, leave, split
from tegula.torch._run import Runner, make_kernel
from tegula.torch._trace import lift, take_apart, without_writes

# Graphs as data, each with the kernel made of it.
_made: list[tuple[dict, Any]] = []
_compiled = 0


def count_kernels() -> int:
    """How many kernels have been made of graphs in this process."""
    return _compiled


def forget() -> None:
    """Drops all kernels; those in use stay."""
    _made.clear()


class Holding:
    """Calls a graph whose last inputs are tensors that it holds itself."""

    def __init__(self, runner: Any, held: list) -> None:
        self.runner, self.held = runner, held
        self.list_kernels, self.list_unknown = runner.list_kernels, runner.list_unknown

    def __call__(self, *inputs: Any) -> list:
        return self.runner(*inputs, *self.held)


def open_holding(runner: Any) -> tuple[Any, list]:
    """What runs a graph, and the tensors that are its last inputs."""
    return (runner.runner, runner.held) if isinstance(runner, Holding) else (runner, [])


def find_or_make(module: GraphModule, name: str, target: str | None = None, by_layer: bool = False) -> Any:
    """What runs the graph, as one kernel or as one for each layer."""
    try:
        lifted, held = lift(without_writes(module))
        runner = _find_or_make(lifted, name, target, by_layer)
    except NotAGraph as problem:
        return leave(module, str(problem))
    return Holding(runner, held) if held else runner


def _find_or_make(module: GraphModule, name: str, target: str | None, by_layer: bool = False) -> Any:
    global _compiled
    graph, _, _ = describe(module, name)
    graph = {**graph, "target": target}
    imported = write_kernel(module, name)
    apart = take_apart(module, imported.unknown) if imported.unknown else None
    if apart is not None:
        return find_or_make(apart, name, target, by_layer)
    # What is asserted of elements has no result that a kernel could give.
    imported.unknown += [node.name for node in module.graph.nodes if _asserts(node)]
    has_layers = by_layer and len({layer_of(node) for node in module.graph.nodes if node.op == "call_function"}) > 1
    if imported.unknown or has_layers:
        return split(module, imported.unknown, lambda part: _find_or_make(part, name, target), has_layers)
    if not imported.text:
        return Runner(imported, None, module)
    for other, kernel in _made:
        if _specialises(other, graph):
            return Runner(imported, kernel, module)
    kernel = make_kernel(imported.text, name, target)
    _compiled += 1
    _made.append((graph, kernel))
    return Runner(imported, kernel, module)


def _asserts(node: Node) -> bool:
    """True for a check of what only data says; those of sizes are looked at in each call."""
    if str(node.target).startswith("aten._assert_async"):
        return True
    condition = example_of(node.args[0]) if str(node.target) == "aten._assert_scalar.default" else None
    return isinstance(condition, torch.SymBool) and not condition.node.has_hint()


def _specialises(general: dict, special: dict) -> bool:
    """True if `special` is `general` with numbers for some of its symbols, or with other names for them."""
    known: dict[str, str] = {}
    if len(general["inputs"]) != len(special["inputs"]) or len(general["numbers"]) != len(special["numbers"]):
        return False
    known.update(zip(general["numbers"], special["numbers"], strict=True))
    for mine, other in zip(general["inputs"], special["inputs"], strict=True):
        shape, given = mine["type"]["shape"], other["type"]["shape"]
        if len(shape) != len(given):
            return False
        for extent, found in zip(shape, given, strict=True):
            if extent.isidentifier() and known.setdefault(extent, found) != found:
                return False
    try:
        return _canonical(general, known) == _canonical(special, {})
    except ZeroDivisionError:
        # A size of 0 that something is divided by.
        return False


# Operations that do nothing if what comes out has the type of what goes in.
_MAY_DO_NOTHING = {
    f"aten.{name}"
    for name in (
        "slice.Tensor expand.default expand_as.default view.default reshape.default flatten.using_ints to.dtype "
        "to.dtype_layout to.device contiguous.default clone.default detach.default alias.default"
    ).split()
}


def _canonical(graph: dict, known: dict[str, str]) -> tuple:
    """What a graph computes at sizes of which some are known: without names, and without what does nothing."""
    names: dict[str, str] = {}
    types: dict[str, tuple] = {}
    for number, tensor in enumerate(graph["inputs"]):
        names[tensor["name"]] = f"input {number}"
        types[tensor["name"]] = _type_of(tensor["type"], known)
    steps = []
    for node in graph["nodes"]:
        if not node["results"]:
            continue
        results = tuple(_type_of(result, known) for result in node["results"])
        source = node["args"][0].get("node") if node["args"] and isinstance(node["args"][0], dict) else None
        types[node["name"]] = results[0]
        if node["op"] in _MAY_DO_NOTHING and source is not None and types[source] == results[0]:
            names[node["name"]] = names[source]
            continue
        names[node["name"]] = f"step {len(steps)}"
        named = {key: value for key, value in node["kwargs"].items() if value is not None}
        steps.append((node["op"], _plain(node["args"], names, known), _plain(named, names, known), results))
    inputs = tuple(types[tensor["name"]] for tensor in graph["inputs"])
    return (graph["target"], inputs, tuple(steps), _plain(graph["outputs"], names, known))


def _type_of(tensor: dict, known: dict[str, str]) -> tuple:
    return (tensor["dtype"], *(_size_of(extent, known) for extent in tensor["shape"]))


def _plain(value: Any, names: dict[str, str], known: dict[str, str]) -> Any:
    """An argument that can be compared: nodes by what they are, sizes by their value."""
    if isinstance(value, list):
        return tuple(_plain(part, names, known) for part in value)
    if isinstance(value, dict):
        if "node" in value:
            return names[value["node"]]
        if "size" in value:
            return _size_of(value["size"], known)
        return tuple((key, _plain(value[key], names, known)) for key in sorted(value))
    # True is 1 to Python.
    return ("bool", value) if isinstance(value, bool) else value


def _size_of(text: str, known: dict[str, str]) -> int | str:
    """A size as a number, or as a text that is the same for equal ones."""
    if text.isdigit():
        return int(text)
    text = re.sub(r"[A-Za-z_]\w*", lambda match: f"({known.get(match[0], match[0])})", text)
    names = set(re.findall(r"[A-Za-z_]\w*", text)) - {"min", "max"}
    values: dict[str, Any] = {name: sympy.Symbol(name, integer=True) for name in names}
    text = re.sub(r"\((min|max)\)", r"\1", text)
    values.update({"min": sympy.Min, "max": sympy.Max} if names else {"min": min, "max": max})
    size = eval(text, {"__builtins__": {}}, values)
    return str(sympy.expand(size)) if names else int(size)
