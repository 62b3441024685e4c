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
# Operations that give their input itself if its elements lie in memory as they are to.
_MAY_COPY = ("aten.contiguous.", "aten.reshape.", "aten.reshape_as.", "aten.flatten.", "aten.ravel.")
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


def _hint(size: Any) -> int:
    """What a size was in the example."""
    return size.node.hint if isinstance(size, torch.SymInt) else size


def find_order(value: torch.Tensor) -> list[int]:
    """The axes of a tensor in the order of memory, from the one with the longest steps."""
    order = list(range(value.dim()))
    if not _has_strides(value):
        return order
    strides = [_hint(stride) for stride in value.stride()]
    # Along axes that repeat one element, and those of which nothing is known, there is no order.
    if not all(strides):
        return order
    return sorted(order, key=lambda axis: -strides[axis])


def find_layout(value: torch.Tensor) -> tuple[list[int], bool]:
    """The order of axes in memory, and whether there is nothing between elements."""
    order, step = find_order(value), 1
    for axis in reversed(order):
        size, stride = (_hint(part) for part in (value.shape[axis], value.stride(axis)))
        if size != 1 and stride != step:
            return order, False
        step *= size
    return order, True


def find_fixed(graph: Graph) -> list[Node]:
    """Inputs that have to lie in memory as those of the example, for else eager mode may copy what it did not copy, or
    the other way round, and it matters: the copy comes out, or is written into. A graph does not have `x.contiguous()`
    if it did nothing."""
    nodes = list(graph.nodes)
    bases = {_find_base(node).base for node in nodes[-1].all_input_nodes}
    bases |= {_find_base(node.args[0]).base for node in nodes if _writes(node)}
    copies = [node for node in bases if str(node.target).startswith(_MAY_COPY) or node.kwargs.get("memory_format")]
    sources = {_find_base(node.args[0]).base for node in copies}
    same = {node for node in bases if node.op == "placeholder" and is_in_order(example_of(node))}
    return [node for node in nodes if node in same or (node in sources and node.op == "placeholder")]


def is_in_order(value: Any) -> bool:
    """True for a tensor without gaps whose axes lie in memory as they are counted."""
    return isinstance(value, torch.Tensor) and find_layout(value) == (list(range(value.dim())), True)


def _writes(node: Node) -> bool:
    is_operation = node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
    return is_operation and node.target._schema.is_mutable and isinstance(node.args[0], Node)


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
