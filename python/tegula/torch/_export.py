# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tegula.torch.compile`: a model is exported once, and then runs without Python's guards."""

from __future__ import annotations

from typing import Any

import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

from tegula.torch._graph import Imported, write_kernel
from tegula.torch._run import Runner, make_kernel


class CompiledModel:
    """A model that was exported, with its parameters as they are."""

    def __init__(self, program: Any, imported: Imported, kernel: Any) -> None:
        self.program = program
        self.kernel = kernel
        self.text = imported.text
        self._runner = Runner(imported, kernel)
        self._held = _held_tensors(program)
        self._out_spec = program.call_spec.out_spec

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = [part for part in pytree.tree_leaves((args, kwargs))]
        with torch.no_grad():
            results = self._runner(*self._held, *given)
        return pytree.tree_unflatten(results, self._out_spec)


def _held_tensors(program: Any) -> list[torch.Tensor]:
    """Parameters, buffers and constants in the order of the graph's inputs."""
    held = []
    for spec in program.graph_signature.input_specs:
        if spec.target is None:
            continue
        value = program.state_dict.get(spec.target)
        if value is None:
            value = program.constants[spec.target]
        held.append(value.detach())
    return held


def _dynamic_axes(value: Any, dynamic: bool) -> Any:
    if isinstance(value, torch.Tensor) and dynamic:
        return {axis: Dim.AUTO for axis in range(value.dim())}
    return None


def compile(
    model: torch.nn.Module,
    example: tuple,
    *,
    dynamic_shapes: Any = None,
    name: str = "model",
    target: str | None = None,
) -> CompiledModel:
    """Compiles a model for every size of the axes that vary: those that `dynamic_shapes` names, as `torch.export` takes
    them, or all."""
    shapes = dynamic_shapes if dynamic_shapes is not None else tuple(_dynamic_axes(part, True) for part in example)
    with torch.no_grad():
        program = torch.export.export(model, tuple(example), dynamic_shapes=shapes, strict=False)
    imported = write_kernel(program.graph_module, name)
    if imported.unknown:
        raise NotImplementedError(f"operations that are not known: {', '.join(imported.unknown)}")
    return CompiledModel(program, imported, make_kernel(imported.text, name, target))
