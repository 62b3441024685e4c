# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`torch.compile(model, backend="tegula")`.

Dynamo compiles a model again for sizes 0 and 1. What was compiled before is found by what the new graph computes, so
that one kernel serves all of them.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch.fx import GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

from tegula.torch._artifacts import find_or_make
from tegula.torch._graph import NotAGraph, example_of


class FallbackWarning(UserWarning):
    """A part of a model runs in eager mode."""


def backend(module: GraphModule, inputs: list, **_options: Any) -> Any:
    """What Dynamo calls with a graph and the inputs of the call that made it."""
    why = _refuse(inputs)
    if why:
        return fall_back(module, why)
    constants = _fix_floats(module, inputs)
    try:
        traced = _trace(module)
        runner = find_or_make(traced, "model")
    except NotAGraph as problem:
        return fall_back(module, str(problem))
    if not constants:
        return runner

    def checked(*call: Any) -> Any:
        if all(call[place].item() == value for place, value in constants):
            return runner(*call)
        with torch.no_grad():
            return traced(*call)

    return checked


def fall_back(module: GraphModule, why: str) -> Any:
    warnings.warn(f"torch.compile(backend='tegula') leaves a graph to eager mode: {why}", FallbackWarning, stacklevel=2)
    return module.forward


def _refuse(inputs: list) -> str:
    """Why a graph with such inputs is left alone."""
    for value in inputs:
        if not isinstance(value, torch.Tensor):
            continue
        if value.requires_grad and torch.is_grad_enabled():
            return "gradients are wanted; use torch.no_grad() or torch.inference_mode()"
        if value.device.type != "cpu":
            return f"a tensor is on {value.device}"
        if value.layout is not torch.strided:
            return f"a tensor is {value.layout}"
    return ""


def _fix_floats(module: GraphModule, inputs: list) -> list[tuple[int, float]]:
    """Makes constants of numbers that come as tensors, as Dynamo passes the attributes of a module that are floats.
    What they are is looked at in each call."""
    constants = []
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    for place, (node, value) in enumerate(zip(placeholders, inputs, strict=True)):
        taken = [user for user in node.users if user.op == "call_method" and user.target == "item"]
        if not taken or not isinstance(value, torch.Tensor) or isinstance(value, torch._subclasses.FakeTensor):
            continue
        number = value.item()
        for user in taken:
            user.replace_all_uses_with(_constant(user, number))
            module.graph.erase_node(user)
        constants.append((place, number))
    if constants:
        module.recompile()
    return constants


def _constant(node: Node, number: Any) -> Any:
    with node.graph.inserting_before(node):
        made = node.graph.call_function(_same, (number,))
    return made


def _same(value: Any) -> Any:
    return value


def _trace(module: GraphModule) -> GraphModule:
    """The graph with torch's own operations, none of them taken apart."""
    examples = [example_of(node) for node in module.graph.nodes if node.op == "placeholder"]
    with torch._guards.tracing(None), torch.no_grad():
        return make_fx(module, tracing_mode="symbolic", pre_dispatch=True, _allow_non_fake_inputs=True)(*examples)


torch._dynamo.register_backend(backend, name="tegula")
