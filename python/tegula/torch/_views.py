# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outputs that are memory of something else, which a write to either of them shows.

A kernel gives new tensors. An output that is a view of an input, or of memory that another output is a view of as well,
is made by torch from that input or from what the kernel gives, by the operations of the graph themselves. The axes of
what a kernel gives lie in memory as eager mode has them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node

aten = torch.ops.aten
# Operations that ask a second tensor for its shape or type only, as those that are told it.
_BY_SIZES = {
    aten.expand_as.default: aten.expand.default,
    aten.view_as.default: aten.view.default,
    aten.reshape_as.default: aten.reshape.default,
}
_BY_TYPE = {aten.type_as.default, aten.to.other}
# Operations that give what they are given but in training. Examples of what they give are copies.
_DROPOUTS = {aten.dropout.default, aten.alpha_dropout.default, aten.feature_dropout.default}


@dataclass
class View:
    """A node as what torch makes of another one."""

    base: Node
    steps: list[Node]


def example_of(node: Node) -> Any:
    """What stands for the node's value: a tensor without data, a size, or several of them."""
    return node.meta.get("val", node.meta.get("example_value"))


def find_views(outputs: list[Node]) -> dict[Node, View]:
    """The outputs that are views of an input, or of what others are views of, too."""
    chains = {output: _find_base(output) for output in outputs if isinstance(example_of(output), torch.Tensor)}
    bases = [view.base for view in chains.values()]
    return {output: view for output, view in chains.items() if _is_shared(output, view, bases)}


def _is_shared(output: Node, view: View, bases: list[Node]) -> bool:
    return output is not view.base and (view.base.op == "placeholder" or bases.count(view.base) > 1)


def _find_base(node: Node) -> View:
    """The node whose memory a node is, as far up as there is one."""
    base, steps = node, []
    pending = []
    while _is_view(node):
        # What is taken from a list is a view only if the list is one.
        pending.append(node)
        node = node.args[0]
        if isinstance(example_of(node), torch.Tensor):
            base, steps, pending = node, [*steps, *pending], []
    return View(base, steps[::-1])


def _is_view(node: Node) -> bool:
    if node.op != "call_function" or not node.args or not isinstance(node.args[0], Node):
        return False
    others = [source for source in node.all_input_nodes[1:] if _storages(source)]
    is_plain = not others or node.target in _BY_SIZES or node.target in _BY_TYPE
    drops_nothing = node.target in _DROPOUTS and node.args[2:] == (False,)
    return is_plain and (drops_nothing or bool(_storages(node) & _storages(node.args[0])))


def _storages(node: Node) -> set[int]:
    value = example_of(node)
    values = value if isinstance(value, (list, tuple)) else [value]
    return {part.untyped_storage()._cdata for part in values if _has_strides(part)}


def _has_strides(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.layout is torch.strided


def find_order(value: torch.Tensor) -> list[int]:
    """The axes of a tensor as they lie in memory, from the one with the longest steps."""
    order = list(range(value.dim()))
    if not _has_strides(value):
        return order
    strides = [stride.node.hint if isinstance(stride, torch.SymInt) else stride for stride in value.stride()]
    # Along axes that repeat one element, and those of which nothing is known, there is no order.
    if not all(strides):
        return order
    return sorted(order, key=lambda axis: -strides[axis])


def invert(order: list[int]) -> list[int]:
    return [order.index(axis) for axis in range(len(order))]


def copy_outputs(graph: Graph) -> None:
    """Makes all that is computed tensors of their own, for those who cannot have views."""
    output = next(node for node in graph.nodes if node.op == "output")
    for node in output.all_input_nodes:
        if node.op != "call_function" or not isinstance(example_of(node), torch.Tensor):
            continue
        with graph.inserting_before(output):
            made = graph.call_function(aten.clone.default, (node,), {"memory_format": torch.contiguous_format})
        made.meta["val"] = aten.clone.default(example_of(node), memory_format=torch.contiguous_format)
        output.replace_input_with(node, made)


def write_steps(view: View, write: Callable[[Any], str]) -> list[tuple[Callable, str]]:
    """Each operation with what it is given after the tensor itself, as text. `write` writes sizes."""
    return [_write_step(step, write) for step in view.steps]


def _write_step(step: Node, write: Callable[[Any], str]) -> tuple[Callable, str]:
    if step.target in _BY_SIZES:
        return _BY_SIZES[step.target], f"[{', '.join(write(size) for size in example_of(step).shape)}]"
    if step.target in _BY_TYPE:
        return _same, ""
    parts = [_write_argument(part, write) for part in step.args[1:]]
    parts += [f"{name}={_write_argument(part, write)}" for name, part in step.kwargs.items()]
    return step.target, ", ".join(parts)


def _write_argument(value: Any, write: Callable[[Any], str]) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_write_argument(part, write) for part in value)}]"
    if isinstance(value, Node):
        return write(example_of(value))
    if isinstance(value, torch.SymInt):
        return write(value)
    return f"torch.{value!r}" if isinstance(value, torch.device) else repr(value)


def _same(value: Any) -> Any:
    return value
