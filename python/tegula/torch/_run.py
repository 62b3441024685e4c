# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the text of a kernel to something that takes torch's tensors."""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import torch

from tegula.torch._graph import Imported

_numbers = itertools.count()


def make_kernel(text: str, name: str, target: str | None) -> Any:
    """The kernel that the text defines. It can be looked at in messages as any other file."""
    if target:
        text = text.replace("@pl.jit\n", f"@pl.jit(target={target!r})\n", 1)
    path = f"<tegula.torch {name} {next(_numbers)}>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    names: dict[str, Any] = {"__name__": f"tegula.torch.{name}"}
    exec(compile(text, path, "exec"), names)
    return names[name]


def _from_numpy(array: Any) -> torch.Tensor:
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)


class Runner:
    """Calls a kernel as the graph that it was made of is called."""

    def __init__(self, imported: Imported, kernel: Any) -> None:
        self.imported = imported
        self.kernel = kernel

    def list_kernels(self) -> list:
        return [] if self.kernel is None else [self.kernel]

    def list_unknown(self) -> list[str]:
        return []

    def __call__(self, *inputs: Any) -> list:
        tensors = self.prepare(inputs)
        results = self.kernel(*tensors) if self.kernel is not None else ()
        if not isinstance(results, tuple):
            results = (results,)
        return [self._take(output, results, inputs) for output in self.imported.outputs]

    def prepare(self, inputs: tuple) -> list:
        """What the kernel takes of the graph's inputs, as it takes them."""
        tensors = []
        for number in self.imported.inputs:
            tensor = inputs[number]
            if not isinstance(tensor, torch.Tensor):
                tensors.append(int(tensor))
                continue
            if tensor.dim() == 0:
                tensor = tensor.reshape(1)
            elif not tensor.is_contiguous():
                tensor = tensor.contiguous()
            tensors.append(tensor.detach() if tensor.requires_grad else tensor)
        return tensors

    def _take(self, output: tuple, results: tuple, inputs: tuple) -> Any:
        kind = output[0]
        if kind == "result":
            result = results[output[1]]
            # A kernel that takes no tensor knows of none.
            if not isinstance(result, torch.Tensor):
                result = _from_numpy(result)
            return result.reshape(()) if output[2] else result
        if kind == "input":
            return inputs[output[1]]
        if kind == "value":
            return output[1]
        if kind == "size":
            return self._size(output[1], inputs)
        return None

    def _size(self, text: str, inputs: tuple) -> int:
        """A size that the graph gives, from those of its inputs."""
        known = {"min": min, "max": max}
        for number, shape in zip(self.imported.inputs, self.imported.shapes, strict=True):
            value = inputs[number]
            known.update(zip(shape, value.shape if isinstance(value, torch.Tensor) else [value], strict=True))
        return eval(text, {"__builtins__": {}}, known)
