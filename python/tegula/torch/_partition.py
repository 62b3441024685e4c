# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of which some operations are not known: those run in eager mode, and the others as kernels between them."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node, map_arg

from tegula._errors import CallError
from tegula.torch._autocast import AUTOCAST, set_autocast
from tegula.torch._graph import example_of


class FallbackWarning(UserWarning):
    """A part of a model runs in eager mode."""


class OtherType(CallError):
    """An operation in eager mode gives other elements than those that the graph was traced with."""


class Split:
    """Steps that take their values from, and put them into, one table."""

    def __init__(self, module: GraphModule, steps: list, runners: dict, unknown: list[str]) -> None:
        self.placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        self.output = next(node for node in module.graph.nodes if node.op == "output")
        self.steps = steps
        #: What runs each part, by the layer that it is.
        self.runners = runners
        self.unknown = unknown

    def list_kernels(self) -> list:
        return [kernel for runner in self.runners.values() for kernel in runner.list_kernels()]

    def list_unknown(self) -> list[str]:
        return self.unknown

    def watch(self, wrap: Callable[[str, Any], Any]) -> None:
        """Lets something else run each part."""
        self.runners.update({name: wrap(name, runner) for name, runner in self.runners.items()})

    def __call__(self, *inputs: Any) -> list:
        if torch.is_autocast_enabled("cpu"):
            # What is cast is cast in the graph, and each operation knows its own state.
            with set_autocast(None):
                return self._run(inputs)
        return self._run(inputs)

    def _run(self, inputs: tuple) -> list:
        values: dict[Node, Any] = dict(zip(self.placeholders, inputs, strict=True))
        for step in self.steps:
            step(values)
        return list(map_arg(self.output.args[0], values.__getitem__))


def split(module: GraphModule, unknown: list[str], make: Callable[[GraphModule], Any], by_layer: bool = False) -> Split:
    """Runs the nodes that are not known, and whatever gives no tensor, as they are; what is between them is a kernel,
    or one for each layer."""
    names = sorted({str(node.target) for node in module.graph.nodes if node.name in set(unknown)})
    if names:
        warnings.warn(f"left to eager mode: {', '.join(names)}", FallbackWarning, stacklevel=3)
    steps: list[Callable[[dict], None]] = []
    runners: dict[str, Any] = {}
    part: list[Node] = []
    eager: set[Node] = set()
    for node in module.graph.nodes:
        if node.op not in ("call_function", "get_attr"):
            continue
        # What is taken from a list stays next to it.
        if node.target is operator.getitem and node.args[0] in eager:
            eager.add(node)
        if node.name not in unknown and node not in eager and _gives_tensors(node):
            if by_layer and part and layer_of(node) != layer_of(part[-1]):
                steps.append(_kernel_step(part, make, runners))
                part = []
            part.append(node)
            continue
        eager.add(node)
        # Sizes, random numbers and whatever else waits for nothing that the kernel gives come before it.
        if part and any(source in part for source in node.all_input_nodes):
            steps.append(_kernel_step(part, make, runners))
            part = []
        steps.append(_eager_step(node, module))
    if part:
        steps.append(_kernel_step(part, make, runners))
    return Split(module, steps, runners, names)


def leave(module: GraphModule, why: str) -> Split:
    """Runs everything as it is."""
    warnings.warn(f"a graph is left to eager mode: {why}", FallbackWarning, stacklevel=3)
    nodes = [node for node in module.graph.nodes if node.op in ("call_function", "get_attr")]
    return Split(module, [_eager_step(node, module) for node in nodes], {}, [f"everything: {why}"])


def _gives_tensors(node: Node) -> bool:
    value = example_of(node)
    values = value if isinstance(value, (list, tuple)) else [value]
    return node.op == "call_function" and all(isinstance(part, torch.Tensor) for part in values)


def _eager_step(node: Node, module: GraphModule) -> Callable[[dict], None]:
    if node.op == "get_attr":
        attribute = getattr(module, node.target)

        def give(values: dict) -> None:
            values[node] = attribute

        return give

    def run(values: dict) -> None:
        args, kwargs = map_arg((node.args, node.kwargs), values.__getitem__)
        values[node] = node.target(*args, **kwargs)

    dtype = node.meta.get("custom", {}).get(AUTOCAST)
    if dtype is None:
        return run

    expected = getattr(example_of(node), "dtype", None)

    def run_in_region(values: dict) -> None:
        with set_autocast(dtype):
            run(values)
        found = getattr(values[node], "dtype", None)
        if found is not expected:
            raise OtherType(f"{node.target} gives {found} under autocast, and torch takes it for {expected}")

    return run_in_region


def layer_of(node: Node) -> str:
    """The outermost module of the model's own that a node is in, by its path; nothing for what is in none."""
    for path, kind in (node.meta.get("nn_module_stack") or {}).values():
        name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"
        is_plain = name.startswith("torch.nn.modules.") and not name.startswith("torch.nn.modules.transformer.")
        if path and not is_plain:
            return path
    return ""


def _name_part(part: list[Node], taken: dict) -> str:
    """Its layer, or the modules that it is made of; once more with a number."""
    modules = [list(stack.values())[-1][0] for node in part if (stack := node.meta.get("nn_module_stack"))]
    name = layer_of(part[0]) or ", ".join(dict.fromkeys(path for path in modules if path)) or part[0].name
    return name if name not in taken else f"{name} ({len(taken)})"


def _kernel_step(part: list[Node], make: Callable[[GraphModule], Any], runners: dict) -> Callable[[dict], None]:
    """The nodes as a graph of their own. Results that are lists stay inside: only their parts leave it."""
    inside = set(part)
    graph = Graph()
    copies: dict[Node, Node] = {}
    given: list[Node] = []
    for node in part:
        for source in node.all_input_nodes:
            if source in inside or source in copies:
                continue
            copies[source] = graph.placeholder(source.name)
            copies[source].meta = dict(source.meta)
            given.append(source)
    for node in part:
        copies[node] = graph.node_copy(node, copies.__getitem__)
        copies[node].meta = dict(node.meta)
    left = [node for node in part if any(user not in inside for user in node.users)]
    graph.output([copies[node] for node in left])
    # Placeholders stand before everything else.
    for source in reversed(given):
        graph._root.append(copies[source])
    graph.lint()
    name = _name_part(part, runners)
    runners[name] = make(GraphModule(torch.nn.Module(), graph))

    def run(values: dict) -> None:
        values.update(zip(left, runners[name](*(values[node] for node in given)), strict=True))

    return run
