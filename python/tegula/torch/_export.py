# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tegula.torch.compile`: a model is exported once, and then runs without Dynamo's guards."""

from __future__ import annotations

import inspect
import keyword
import warnings
from dataclasses import dataclass
from typing import Any

import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

from tegula._errors import CallError
from tegula.torch._artifacts import find_or_make, open_holding
from tegula.torch._assumptions import noting_all, write_requirements
from tegula.torch._casts import write_casts
from tegula.torch._compiled import CompiledModel
from tegula.torch._graph import NotAGraph, write_kernel
from tegula.torch._inputs import has_transforms
from tegula.torch._partition import leave
from tegula.torch._run import make_kernel
from tegula.torch._views import copy_outputs


@dataclass
class Program:
    """A program of torch's, with the casts of the autocast that it was exported under."""

    graph_module: torch.fx.GraphModule
    graph_signature: Any
    state_dict: dict
    constants: dict
    call_spec: Any
    #: Why all calls are left to eager mode; nothing if they are not.
    why: str = ""

    @property
    def graph(self) -> torch.fx.Graph:
        return self.graph_module.graph


def export_program(model: torch.nn.Module, example: tuple, dynamic: Any = None) -> Program:
    """The model as a program of torch's. `dynamic` says for each argument which axes vary: a set of them, or nothing;
    without it all axes of all tensors do that can."""
    if not isinstance(example, (tuple, list)):
        raise TypeError(f"the example is a tuple of what the model is called with, not {type(example).__name__}")
    if dynamic is None:
        shapes = pytree.tree_map(_all_axes, tuple(example))
    else:
        dynamic = _read_dynamic(dynamic, example)
        shapes = tuple({axis: Dim.DYNAMIC for axis in axes} if axes else None for axes in dynamic)
        example = tuple(_grow(value, axes) for value, axes in zip(example, dynamic, strict=True))
    # By the names of arguments, of which one may take several.
    named = dict(inspect.signature(model.forward).bind(*shapes).arguments)
    with torch.no_grad(), noting_all():
        found = torch.export.export(model, tuple(example), dynamic_shapes=named, strict=False)
        graph, why = found.graph_module, ""
        try:
            if has_transforms(graph):
                raise NotAGraph("it has torch.vmap or torch.func in it")
            graph = write_casts(graph)
        except NotAGraph as problem:
            why = str(problem)
    return Program(graph, found.graph_signature, found.state_dict, found.constants, found.call_spec, why)


def _read_dynamic(dynamic: Any, example: tuple) -> list[set[int]]:
    """The axes that vary of each argument, counted from the first."""
    if not isinstance(dynamic, (tuple, list)):
        raise TypeError(f"dynamic is a tuple with a set of axes, or None, for each argument, not {dynamic!r}")
    if len(dynamic) != len(example):
        raise ValueError(f"dynamic is for {len(dynamic)} arguments, and the example has {len(example)}")
    found = []
    for index, (axes, value) in enumerate(zip(dynamic, example, strict=True)):
        if axes is not None and not isinstance(axes, (set, frozenset, tuple, list)):
            raise TypeError(f"dynamic[{index}] is a set of axes, as {{0}}, or None, not {axes!r}")
        if axes and not isinstance(value, torch.Tensor):
            raise TypeError(f"dynamic[{index}] names axes of {type(value).__name__}, which is no tensor")
        for axis in axes or ():
            if isinstance(axis, bool) or not isinstance(axis, int):
                raise TypeError(f"dynamic[{index}] has {axis!r} where the number of an axis is wanted")
            if not -value.dim() <= axis < value.dim():
                raise ValueError(f"dynamic[{index}] has axis {axis} of a tensor with {value.dim()} axes")
        found.append({axis % value.dim() for axis in axes or ()})
    return found


def _list_varying(example: tuple, dynamic: Any) -> set[tuple[int, int]]:
    """The axes that are to vary, each as the number of a tensor among all that is given, and its own."""
    if dynamic is not None:
        example = tuple(
            {axis % value.dim() for axis in axes} if axes else pytree.tree_map(lambda _: set(), value)
            for value, axes in zip(example, dynamic, strict=True)
        )
    leaves = pytree.tree_leaves(example, is_leaf=lambda part: isinstance(part, set))
    axes_of = [range(part.dim()) if isinstance(part, torch.Tensor) else part for part in leaves]
    return {(n, axis) for n, axes in enumerate(axes_of) if isinstance(axes, (set, range)) for axis in axes}


def _grow(value: Any, axes: Any) -> Any:
    """The example with 2 or more along axes that vary: torch makes numbers of 0 and 1. The first axis becomes 2 long,
    the second 3, so that they differ from each other, and agree with those of other tensors."""
    for axis in axes or ():
        if value.shape[axis] == 0:
            value = value.new_zeros([axis + 2 if index == axis else size for index, size in enumerate(value.shape)])
        elif value.shape[axis] == 1:
            value = value.repeat_interleave(axis + 2, axis)
    return value


def _all_axes(value: Any) -> Any:
    """All axes of a tensor vary that are 2 or more. Others are what they are: one element may stand for many."""
    if not isinstance(value, torch.Tensor):
        return None
    return {axis: Dim.AUTO if size > 1 else Dim.STATIC for axis, size in enumerate(value.shape)}


def compile(
    model: torch.nn.Module,
    example: tuple,
    *,
    dynamic: Any = None,
    target: str | None = None,
    by_layer: bool = False,
) -> CompiledModel:
    """Compiles a model once for every size of the axes that vary.

    `example` is what the model is called with once, while it is exported: sizes of axes that may differ are different
    there. `dynamic` names the axes that vary for each argument: `({0, 1}, {0}, None)`; left out, all vary that are 2 or
    more and that can. Parameters are those that the model has at the call. A call at sizes, or with numbers, for which
    the model does something else than for the example runs in eager mode, and so does one after the model was changed;
    a `FallbackWarning` says why. Results have no gradients. The model is one kernel, or with `by_layer` one for each of
    its own modules; layers that are alike share it.
    """
    return _compile(model, export_program(model, example, dynamic), _list_varying(example, dynamic), target, by_layer)


def _compile(
    model: torch.nn.Module,
    program: Any,
    varying: set[tuple[int, int]],
    target: str | None = None,
    by_layer: bool = False,
) -> CompiledModel:
    name = _name_of(model)
    graph = program.graph_module
    runner = leave(graph, program.why) if program.why else find_or_make(graph, name, target, by_layer)
    return CompiledModel(model, program, runner, name, varying)


def export(
    model: torch.nn.Module,
    example: tuple,
    path: Any,
    *,
    dynamic: Any = None,
    header: Any = None,
    name: str | None = None,
) -> None:
    """Writes a model as a shared library that needs neither Tegula nor Python nor torch, and its C header: next to the
    library unless `header` says where, or is False. Parameters are inside. One library serves every size of the axes
    that vary. The function has the name of the model's class unless `name` is another."""
    program = export_program(model, example, dynamic)
    copy_outputs(program.graph_module.graph)
    compiled = _compile(model, program, set())
    if compiled.runner.list_unknown():
        raise NotImplementedError(f"operations that are not known: {', '.join(compiled.runner.list_unknown())}")
    if compiled._why:
        raise NotImplementedError(f"a library cannot check what was assumed of sizes: {compiled._why}")
    given = pytree.tree_leaves(example)
    runner, more = open_holding(compiled.runner)
    for value in (*compiled._held, *more):
        if value.device.type != "cpu":
            raise ValueError(f"a library has the elements of parameters, and one of them is on {value.device}")
    for text in compiled.list_fixed():
        warnings.warn(f"{text} in the library: only tensors are given to it", stacklevel=2)
    inputs = (*compiled._held, *given, *more)
    is_held = [True] * len(compiled._held) + [False] * len(given) + [True] * len(more)
    placeholders = [node.name for node in runner.module.graph.nodes if node.op == "placeholder"]
    held = [placeholders[index] for index in runner.imported.inputs if is_held[index]]
    try:
        requirements = write_requirements(compiled.assumptions, compiled.shapes)
    except NotAGraph as problem:
        raise NotImplementedError(f"a library cannot check what was assumed of sizes: {problem}") from None
    name = name or compiled.name
    kernel = make_kernel(write_kernel(runner.module, name, requirements).text, name, None)
    try:
        with torch.no_grad():
            kernel.export(path, *runner.prepare(inputs), header=header, held=held)
    except CallError as problem:
        raise CallError(str(problem).replace("give a prefix", "name= gives another")) from None


def _name_of(model: torch.nn.Module) -> str:
    name = "".join("_" + part.lower() if part.isupper() else part for part in type(model).__name__)
    name = name.strip("_")
    if not name.isidentifier():
        return "model"
    return f"{name}_model" if keyword.iskeyword(name) else name
