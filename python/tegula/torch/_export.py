# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tegula.torch.compile`: a model is exported once, and then runs without Dynamo's guards."""

from __future__ import annotations

from typing import Any

import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

from tegula.torch._artifacts import find_or_make
from tegula.torch._views import copy_outputs


class CompiledModel:
    """A model that was exported, with its parameters as they are. Called as the model is."""

    def __init__(self, program: Any, runner: Any, name: str) -> None:
        self.program = program
        self.runner = runner
        self.name = name
        self._held = _held_tensors(program)
        self._in_spec, self._out_spec = program.call_spec.in_spec, program.call_spec.out_spec
        # Most models take tensors and give one: nothing has to be taken apart.
        places = self._in_spec.children()[0].children()
        self._is_flat = all(place.is_leaf() for place in places) and not self._in_spec.children()[1].children()
        self._count = len(places)
        self._is_single = self._out_spec.is_leaf()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._is_flat and not kwargs and len(args) == self._count:
            results = self.runner(*self._held, *args)
        else:
            given, spec = pytree.tree_flatten((args, kwargs))
            if spec != self._in_spec:
                raise TypeError(f"the model was compiled for arguments like {self._in_spec}, got {spec}")
            results = self.runner(*self._held, *given)
        return results[0] if self._is_single else pytree.tree_unflatten(results, self._out_spec)

    def __repr__(self) -> str:
        return f"CompiledModel({', '.join(kernel.__name__ for kernel in self.runner.list_kernels())})"


def _held_tensors(program: Any) -> list[torch.Tensor]:
    """Parameters, buffers and constants in the order of the graph's inputs."""
    held = []
    for spec in program.graph_signature.input_specs:
        if spec.target is None:
            continue
        value = program.state_dict.get(spec.target)
        held.append((program.constants[spec.target] if value is None else value).detach())
    return held


def export_program(model: torch.nn.Module, example: tuple, dynamic: Any = None) -> Any:
    """The model as a program of torch's. `dynamic` says for each argument which axes vary: a set of them, or nothing;
    without it all axes of all tensors do that can."""
    if dynamic is None:
        shapes = pytree.tree_map(_all_axes, tuple(example))
    else:
        shapes = tuple({axis: Dim.DYNAMIC for axis in axes} if axes else None for axes in dynamic)
        example = tuple(_grow(value, axes) for value, axes in zip(example, dynamic, strict=True))
    with torch.no_grad():
        return torch.export.export(model, tuple(example), dynamic_shapes=shapes, strict=False)


def _grow(value: Any, axes: Any) -> Any:
    """The example with 2 or more along axes that vary: torch makes numbers of 0 and 1. The first axis becomes 2 long,
    the second 3, so that they differ from each other, and agree with those of other tensors."""
    for axis in axes or ():
        if value.shape[axis] == 0:
            value = value.new_zeros([axis + 2 if place == axis else size for place, size in enumerate(value.shape)])
        elif value.shape[axis] == 1:
            value = value.repeat_interleave(axis + 2, axis)
    return value


def _all_axes(value: Any) -> Any:
    return {axis: Dim.AUTO for axis in range(value.dim())} if isinstance(value, torch.Tensor) else None


def compile(
    model: torch.nn.Module,
    example: tuple,
    *,
    dynamic: Any = None,
    target: str | None = None,
    by_layer: bool = False,
) -> CompiledModel:
    """Compiles a model once for every size of the axes that vary.

    `example` is what the model is called with once, while it is exported: sizes of axes that vary are 2 or more there,
    and different ones where they may differ. `dynamic` names these axes for each argument: `({0, 1}, {0}, None)`; left
    out, all axes vary that can. Parameters are taken as they are: changes of them in place are seen. The model is one
    kernel, or with `by_layer` one for each of its own modules; layers that are alike share it.
    """
    return _compile(model, export_program(model, example, dynamic), target, by_layer)


def _compile(model: torch.nn.Module, program: Any, target: str | None = None, by_layer: bool = False) -> CompiledModel:
    name = _name_of(model)
    return CompiledModel(program, find_or_make(program.graph_module, name, target, by_layer), name)


def export(model: torch.nn.Module, example: tuple, path: Any, *, dynamic: Any = None, header: Any = None) -> None:
    """Writes a model as a shared library that needs neither Tegula nor Python nor torch, and its C header: beside the
    library unless `header` says where, or is False. Parameters are inside. One library serves every size of the axes
    that vary."""
    program = export_program(model, example, dynamic)
    copy_outputs(program.graph_module.graph)
    compiled = _compile(model, program)
    if compiled.runner.list_unknown():
        raise NotImplementedError(f"operations that are not known: {', '.join(compiled.runner.list_unknown())}")
    (kernel,) = compiled.runner.list_kernels()
    count = len(compiled._held)
    tensors = compiled.runner.prepare((*compiled._held, *pytree.tree_leaves(example)))
    placeholders = [node.name for node in compiled.program.graph.nodes if node.op == "placeholder"]
    held = [placeholders[place] for place in compiled.runner.imported.inputs if place < count]
    kernel.export(path, *tensors, header=header, held=held)


def _name_of(model: torch.nn.Module) -> str:
    name = "".join("_" + part.lower() if part.isupper() else part for part in type(model).__name__)
    return name.strip("_") if name.strip("_").isidentifier() else "model"
