# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of which some operations are not known: those run in eager mode, and the others as kernels between them."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node, map_arg

from tegula.torch._graph import example_of


class FallbackWarning(UserWarning):
    """A part of a model runs in eager mode."""


class Split:
    """Steps that take their values from, and put them into, one table."""

    def __init__(self, module: GraphModule, steps: list, runners: list, unknown: list[str]) -> None:
        self.placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        self.output = next(node for node in module.graph.nodes if node.op == "output")
        self.steps = steps
        self.runners = runners
        self.unknown = unknown

    def list_kernels(self) -> list:
        return [kernel for runner in self.runners for kernel in runner.list_kernels()]

    def list_unknown(self) -> list[str]:
        return self.unknown

    def __call__(self, *inputs: Any) -> list:
        values: dict[Node, Any] = dict(zip(self.placeholders, inputs, strict=True))
        for step in self.steps:
            step(values)
        return list(map_arg(self.output.args[0], values.__getitem__))


def split(module: GraphModule, unknown: list[str], make: Callable[[GraphModule], Any]) -> Split:
    """Runs the nodes that are not known, and whatever gives no tensor, as they are."""
    names = sorted({str(node.target) for node in module.graph.nodes if node.name in set(unknown)})
    warnings.warn(f"left to eager mode: {', '.join(names)}", FallbackWarning, stacklevel=3)
    steps: list[Callable[[dict], None]] = []
    runners: list = []
    part: list[Node] = []
    eager: set[Node] = set()
    for node in module.graph.nodes:
        if node.op not in ("call_function", "get_attr"):
            continue
        # What is taken from a list stays beside it.
        if node.target is operator.getitem and node.args[0] in eager:
            eager.add(node)
        if node.name not in unknown and node not in eager and _gives_tensors(node):
            part.append(node)
            continue
        eager.add(node)
        # Sizes are wanted by what comes after them, and wait for nothing but sizes and inputs.
        if _gives_tensors(node) and part:
            steps.append(_kernel_step(part, make, runners))
            part = []
        elif part and any(source in part for source in node.all_input_nodes):
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
    return Split(module, [_eager_step(node, module) for node in nodes], [], [f"everything: {why}"])


def _gives_tensors(node: Node) -> bool:
    value = example_of(node)
    values = value if isinstance(value, (list, tuple)) else [value]
    return node.op == "call_function" and all(isinstance(part, torch.Tensor) for part in values)


def _eager_step(node: Node, module: GraphModule) -> Callable[[dict], None]:
    if node.op == "get_attr":
        held = getattr(module, node.target)

        def give(values: dict) -> None:
            values[node] = held

        return give

    def run(values: dict) -> None:
        args, kwargs = map_arg((node.args, node.kwargs), values.__getitem__)
        values[node] = node.target(*args, **kwargs)

    return run


def _kernel_step(part: list[Node], make: Callable[[GraphModule], Any], runners: list) -> Callable[[dict], None]:
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
    runner = make(GraphModule(torch.nn.Module(), graph))
    runners.append(runner)

    def run(values: dict) -> None:
        values.update(zip(left, runner(*(values[node] for node in given)), strict=True))

    return run
