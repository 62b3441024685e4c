# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Autocast in a graph: the casts that it makes become operations like any other.

torch casts when an operation is called, and what it casts depends on the thread's state. A kernel has no such state. So
a graph is traced in the state that its calls have. torch's own autocast kernels make the casts, and operations on
tensors of the right types remain.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch._C import DispatchKey, DispatchKeySet
from torch._ops import OpOverload
from torch.amp.autocast_mode import _enter_autocast, _exit_autocast
from torch.fx import GraphModule, Interpreter, Node, map_arg
from torch.utils._python_dispatch import TorchDispatchMode

from tegula.torch._autocast import AUTOCAST, find_autocast, set_autocast
from tegula.torch._graph import NotAGraph, example_of
from tegula.torch._trace import examples_of, trace

# Where torch's kernels are that cast and call the operation again, and those that are calls of other operations.
_AUTOCAST = DispatchKeySet(DispatchKey.AutocastCPU)
_PARTS = DispatchKeySet(DispatchKey.CPU)
# What torch.export makes of a region.
_REGION = torch.ops.higher_order.wrap_with_autocast
# Operations in which others are cast are taken apart, and what they are made of again, at most so often.
MOST_ROUNDS = 8


def write_casts(module: GraphModule) -> GraphModule:
    """The graph as the caller's autocast and the regions in it make it, without them."""
    state = find_autocast()
    if state is None and not any(node.target in (_REGION, _enter_autocast) for node in module.graph.nodes):
        return module

    def run(*inputs: Any) -> Any:
        with set_autocast(state):
            return _Regions(module).run(*inputs)

    found = trace(run, examples_of(module))
    for _ in range(MOST_ROUNDS):
        hiding = _list_hiding(found)
        if not hiding:
            break
        found = trace(_TakingApart(found, hiding).run, examples_of(found))
    if hiding:
        raise NotAGraph(f"autocast casts inside of {', '.join(sorted({str(node.target) for node in hiding}))}")
    _note_states(found)
    found = trace(_Casting(found).run, examples_of(found))
    for node in reversed(found.graph.nodes):
        if node.target in (_enter_autocast, _exit_autocast):
            found.graph.erase_node(node)
    _keep_names(module, found)
    found.recompile()
    return found


def _keep_names(before: GraphModule, after: GraphModule) -> None:
    """Inputs are known by their names."""
    names = [node.name for node in before.graph.nodes if node.op == "placeholder"]
    for node in after.graph.nodes:
        if node.name in names:
            node._rename(f"{node.name}_cast")
    for node, name in zip(after.graph.nodes, names, strict=False):
        node.name = node.target = name


class _Regions(Interpreter):
    """Runs a graph, and each region in the state that it has. Traced, a region is a pair of nodes around others."""

    def run(self, *inputs: Any) -> Any:
        self.open: list[AbstractContextManager] = []
        try:
            return super().run(*inputs)
        finally:
            while self.open:
                self.open.pop().__exit__(None, None, None)

    def call_function(self, target: Any, args: tuple, kwargs: dict) -> Any:
        if target is _enter_autocast:
            self.open.append(_make_region(*args[:3]))
            self.open[-1].__enter__()
            return None
        if target is _exit_autocast:
            self.open.pop().__exit__(None, None, None)
            return None
        if target is _REGION:
            with _make_region(*args[:3]):
                return _Regions(args[4]).run(*args[5:])
        return self.call_operation(target, args, kwargs)

    def call_operation(self, target: Any, args: tuple, kwargs: dict) -> Any:
        return super().call_function(target, args, kwargs)


def _make_region(device: str, dtype: torch.dtype | None, enabled: bool) -> AbstractContextManager:
    if device != "cpu":
        # Tensors of CPUs are not cast there: the state is what it was.
        return set_autocast(find_autocast())
    return set_autocast((dtype or torch.get_autocast_dtype("cpu")) if enabled else None)


class _TakingApart(_Regions):
    """Runs what some nodes are made of in place of them."""

    def __init__(self, module: GraphModule, hiding: list[Node]) -> None:
        super().__init__(module)
        self.hiding = {node.target for node in hiding}

    def call_operation(self, target: Any, args: tuple, kwargs: dict) -> Any:
        if target in self.hiding and find_autocast() is not None:
            return target.redispatch(_PARTS, *args, **kwargs)
        return super().call_operation(target, args, kwargs)


class _Casting(_Regions):
    """Casts what autocast casts."""

    def call_operation(self, target: Any, args: tuple, kwargs: dict) -> Any:
        if find_autocast() is not None and _casts(target):
            return target.redispatch(_AUTOCAST, *args, **kwargs)
        return super().call_operation(target, args, kwargs)


def _casts(target: Any) -> bool:
    """True if autocast has a rule for an operation."""
    if not isinstance(target, OpOverload) or not torch._C._dispatch_has_kernel(target.name()):
        return False
    return torch._C._dispatch_has_kernel_for_dispatch_key(target.name(), "AutocastCPU")


class _Calls(TorchDispatchMode):
    """What is called in the end."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        self.seen.add(func)
        return func(*args, **(kwargs or {}))


def _list_hiding(module: GraphModule) -> list[Node]:
    """Nodes in regions whose operation has no rule itself, but is made of some that have."""
    return [node for node, dtype in _list_states(module) if dtype is not None and _hides(node)]


def _list_states(module: GraphModule) -> Iterator[tuple[Node, torch.dtype | None]]:
    """The nodes between those that mark regions, and the type that is cast to in each."""
    states: list[torch.dtype | None] = [None]
    for node in module.graph.nodes:
        if node.target is _enter_autocast:
            _, dtype, enabled, _ = node.args
            states.append(dtype if enabled else None)
        elif node.target is _exit_autocast:
            states.pop()
        else:
            yield node, states[-1]


def _note_states(module: GraphModule) -> None:
    """Operations that stay in eager mode may cast what they call, so nodes say where they were."""
    for node, dtype in _list_states(module):
        if dtype is not None:
            node.meta["custom"] = {**node.meta.get("custom", {}), AUTOCAST: dtype}


def _hides(node: Node) -> bool:
    if not isinstance(node.target, OpOverload) or _casts(node.target) or not node.target._can_decompose():
        return False
    calls = _Calls()
    args, kwargs = map_arg((node.args, node.kwargs), example_of)
    try:
        with torch.no_grad(), set_autocast(torch.bfloat16), calls:
            node.target(*args, **kwargs)
    except Exception:
        # It is not known what it is made of, and no rule can be for it.
        return False
    return any(_casts(target) for target in calls.seen)
