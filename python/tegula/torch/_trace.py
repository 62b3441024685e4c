# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch's own operations: without writes into tensors, without tensors of their own, and with operations that
have no rule taken apart by torch where it knows how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._decomp import decomposition_table
from torch._subclasses import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor, FunctionalTensorMode, dispatch_functionalize
from torch.fx import GraphModule, Interpreter, Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.traceback import preserve_node_meta

from tegula.torch._autocast import set_autocast
from tegula.torch._graph import NotAGraph, example_of, write_kernel

# Their parts do not say what they do: they give other integers if rounded in another order, hold for one size only,
# count labels that do not count, or take what torch refuses, as an index out of range or what is no probability.
_STAY_WHOLE = {
    getattr(torch.ops.aten, name)
    for name in (
        "linspace max_pool1d_with_indices max_pool2d_with_indices multi_margin_loss multilabel_margin_loss "
        "multilabel_margin_loss_forward binary_cross_entropy one_hot index_add index_copy index_fill pow clamp "
        "reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d replication_pad3d"
    ).split()
}
# Operations that are taken apart into others, and these again, at most so often.
MOST_ROUNDS = 4


def trace(module: Any, examples: list, table: dict | None = None) -> GraphModule:
    """The graph with torch's own operations, of which those in the table are taken apart. The caller's autocast has
    nothing to do with it."""
    # Node by node, so that new ones keep the lines of the model that the others come from.
    run = Interpreter(module).run if isinstance(module, GraphModule) else module
    try:
        with torch._guards.tracing(None), torch.no_grad(), set_autocast(None), preserve_node_meta():
            return make_fx(
                run,
                decomposition_table=table or {},
                tracing_mode="symbolic",
                pre_dispatch=True,
                _allow_non_fake_inputs=True,
            )(*examples)
    except Exception as problem:
        raise NotAGraph(f"torch does not trace it: {problem}") from problem


def examples_of(module: GraphModule) -> list:
    return [example_of(node) for node in module.graph.nodes if node.op == "placeholder"]


def writes(module: GraphModule) -> bool:
    """True if an operation changes a tensor."""
    return any(_is_operation(node) and node.target._schema.is_mutable for node in module.graph.nodes)


def _is_operation(node: Node) -> bool:
    return node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)


def without_writes(module: GraphModule, table: dict | None = None) -> GraphModule:
    """The same with new tensors for those that are changed. Inputs must not be. What comes to light and is in the table
    is taken apart."""
    if not writes(module):
        return module
    given: list[FunctionalTensor] = []

    def run(*inputs: Any) -> Any:
        given.extend(value for value in inputs if isinstance(value, FunctionalTensor))
        return Interpreter(module).run(*inputs)

    found = trace(dispatch_functionalize(run, FunctionalTensorMode(pre_dispatch=True)), examples_of(module), table)
    if any(torch._functionalize_has_data_mutation(value.elem) for value in given) or writes(found):
        raise NotAGraph("it writes into its inputs")
    found.graph.eliminate_dead_code()
    return found


def lift(module: GraphModule) -> tuple[GraphModule, list[torch.Tensor]]:
    """The graph with its own tensors as further inputs, which are the last."""
    own = [node for node in module.graph.nodes if node.op == "get_attr"]
    tensors: dict[str, torch.Tensor] = {}
    for node in own:
        value = getattr(module, node.target, None)
        if not isinstance(value, torch.Tensor):
            raise NotAGraph(f"a graph that holds {type(value).__name__} cannot be handed over")
        if isinstance(value, FakeTensor):
            raise NotAGraph("a graph that holds a tensor without elements cannot be handed over")
        tensors[node.target] = value
    if not own:
        return module, []
    graph = module.graph
    first = next(node for node in graph.nodes if node.op != "placeholder")
    for number, (target, value) in enumerate(tensors.items()):
        with graph.inserting_before(first):
            made = graph.placeholder(f"held_{number}")
        made.meta["val"] = value
        for node in own:
            if node.target == target:
                node.replace_all_uses_with(made)
                graph.erase_node(node)
    return GraphModule(torch.nn.Module(), graph), list(tensors.values())


def take_apart(module: GraphModule, unknown: list[str]) -> GraphModule | None:
    """The graph with operations that have no rule written as others that have one; nothing if there are none such. An
    operation that ends in others without a rule stays whole."""
    wanted = {node.target for node in module.graph.nodes if node.name in unknown and _is_operation(node)}
    tables = [table for target in wanted if (table := _take_one_apart(module, target)) is not None]
    if not tables:
        return None
    return trace(module, examples_of(module), {target: how for table in tables for target, how in table.items()})


def _take_one_apart(module: GraphModule, target: Any) -> dict | None:
    """How an operation, and what it is made of, is taken apart until all have rules."""
    before = _unknown_targets(module)
    table: dict = {}
    left = {target}
    for _ in range(MOST_ROUNDS):
        more = {part: how for part in left if (how := _find_decomposition(part)) is not None}
        if len(more) < len(left):
            return None
        table.update(more)
        try:
            found = without_writes(trace(module, examples_of(module), table), table)
        except NotAGraph:
            return None
        after = _unknown_targets(lift(found)[0])
        left = after - before - set(table)
        if target in after or after & set(table):
            return None
        if not left:
            return table
    return None


def _unknown_targets(module: GraphModule) -> set:
    unknown = set(write_kernel(module, "model").unknown)
    return {node.target for node in module.graph.nodes if node.name in unknown}


def _find_decomposition(target: Any) -> Callable | None:
    if not isinstance(target, torch._ops.OpOverload) or torch.Tag.nondeterministic_seeded in target.tags:
        return None
    if target.overloadpacket in _STAY_WHOLE:
        return None
    # torch's table has functions for losses that are called with words, not with the numbers of the operation.
    takes_words = any(argument.name == "reduction" for argument in target._schema.arguments)
    if target in decomposition_table and not (takes_words and target._can_decompose()):
        return decomposition_table[target]
    return target.decompose if target._can_decompose() else None
