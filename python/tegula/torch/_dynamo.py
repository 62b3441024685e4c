# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`torch.compile(model, backend="tegula")`.

Dynamo compiles a model again for sizes 0 and 1. What was compiled before is found by what the new graph computes, so
that one kernel serves all of them.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

from tegula._errors import RunError
from tegula.torch._artifacts import find_or_make
from tegula.torch._casts import write_casts
from tegula.torch._graph import NotAGraph
from tegula.torch._inputs import find_unusable, has_transforms
from tegula.torch._partition import FallbackWarning, OtherType
from tegula.torch._run import NegativeExtent, has_small
from tegula.torch._trace import examples_of, trace

CONVOLUTIONS = ("conv1d", "conv2d")
# A number that changes more often than this is not a constant.
MOST_VALUES = 8


def backend(module: GraphModule, inputs: list, **_options: Any) -> Any:
    """What Dynamo calls with a graph and the inputs of the call that made it."""
    why = _refuse(module, inputs)
    if why:
        return fall_back(module, why)
    _fix_weights(module)
    indices = _find_floats(module, inputs)

    def make(values: tuple) -> Any:
        fixed = _fix_floats(module, dict(zip(indices, values, strict=True)))
        casting = write_casts(fixed)
        return find_or_make(trace(casting, examples_of(casting)), "model")

    def run(runner: Any, call: tuple) -> Any:
        try:
            return runner(*call)
        except OtherType as problem:
            return fall_back(module, str(problem))(*call)
        except (RunError, NegativeExtent):
            # A kernel that was made for other sizes asks for more than operations do at these.
            if not has_small(call):
                raise
            try:
                return module.forward(*call)
            except Exception:
                pass
            raise

    runners: dict[tuple, Any] = {}
    try:
        first = tuple(inputs[index].item() for index in indices)
        runners[first] = make(first)
    except NotAGraph as problem:
        return fall_back(module, str(problem))
    if not indices:
        return lambda *call: run(runners[first], call)

    def checked(*call: Any) -> Any:
        values = tuple(call[index].item() for index in indices)
        runner = runners.get(values)
        if runner is None:
            if len(runners) == MOST_VALUES:
                return module.forward(*call)
            runner = runners[values] = make(values)
        return run(runner, call)

    return checked


def fall_back(module: GraphModule, why: str) -> Any:
    warnings.warn(f"torch.compile(backend='tegula') leaves a graph to eager mode: {why}", FallbackWarning, stacklevel=2)
    return module.forward


def _refuse(module: GraphModule, inputs: list) -> str:
    """Why a graph with such inputs is left alone."""
    if has_transforms(module):
        return "it has torch.vmap or torch.func in it"
    own = [getattr(module, node.target, None) for node in module.graph.nodes if node.op == "get_attr"]
    with torch.set_grad_enabled(torch.is_grad_enabled() or _enables_gradients(module)):
        return find_unusable((*inputs, *own))


def _enables_gradients(module: GraphModule) -> bool:
    return any(node.target is torch._C._set_grad_enabled and node.args[0] for node in module.graph.nodes)


def _fix_weights(module: GraphModule) -> None:
    """Makes the sizes of what convolutions move over images constants of the graph, as those of parameters are: Dynamo
    guards them, and compiles again for others."""
    for node in module.graph.nodes:
        if node.op != "call_function" or getattr(node.target, "__name__", "") not in CONVOLUTIONS:
            continue
        weight = node.args[1] if len(node.args) > 1 else node.kwargs.get("weight")
        example = weight.meta.get("example_value") if isinstance(weight, Node) else None
        for size in example.shape if isinstance(example, torch.Tensor) else ():
            if isinstance(size, torch.SymInt) and size.node.has_hint():
                int(size)


def _find_floats(module: GraphModule, inputs: list) -> list[int]:
    """The inputs that are numbers, which come as tensors: the attributes of modules and the variables of functions that
    are floats. They are constants of a kernel, so what they are is looked at in each call."""
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    return [
        index
        for index, (node, value) in enumerate(zip(placeholders, inputs, strict=True))
        if isinstance(value, torch.Tensor) and any(_takes_item(user) for user in node.users)
    ]


def _takes_item(node: Node) -> bool:
    return node.op == "call_method" and node.target == "item"


def _fix_floats(module: GraphModule, values: dict[int, float]) -> GraphModule:
    """The same graph with these numbers."""
    if not values:
        return module
    graph = Graph()
    copies: dict[Node, Node] = {}
    output = graph.graph_copy(module.graph, copies)
    graph.output(output)
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    for index, number in values.items():
        for user in [user for user in placeholders[index].users if _takes_item(user)]:
            with graph.inserting_before(user):
                user.replace_all_uses_with(graph.call_function(_same, (number,)))
            graph.erase_node(user)
    return GraphModule(module, graph)


def _same(value: Any) -> Any:
    return value


torch._dynamo.register_backend(backend, name="tegula")
