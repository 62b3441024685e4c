# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the text of a kernel to something that takes torch's tensors."""

from __future__ import annotations

import itertools
import linecache
import re
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import GraphModule

from tegula._errors import CallError, CompileError, RunError
from tegula.torch._autocast import set_autocast
from tegula.torch._graph import Imported
from tegula.torch._inputs import without_gradients
from tegula.torch._partition import FallbackWarning

_numbers = itertools.count()


def make_kernel(text: str, name: str, target: str | None) -> Any:
    """The kernel that the text defines. It can be looked at in messages as any other file."""
    if target:
        text = text.replace("@pl.jit\n", f"@pl.jit(target={target!r})\n", 1)
    path = f"<tegula.torch {name} {next(_numbers)}>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    names: dict[str, Any] = {"__name__": f"tegula.torch.{name}"}
    exec(compile(text, path, "exec"), names)
    names[name]._capture.quiet = True
    return names[name]


class NegativeExtent(CallError):
    """A call at sizes for which a graph has a result of less than no elements: they are not those it was made for."""


def check_extents(number: int, shape: tuple) -> tuple:
    """The shape of a result."""
    if any(extent < 0 for extent in shape):
        raise NegativeExtent(f"result {number} would be of shape {shape}")
    return shape


def has_small(inputs: Any) -> bool:
    """True if an axis has a size of 0 or 1, at which operations may do something else than at larger ones."""
    return any(size < 2 for value in inputs if isinstance(value, torch.Tensor) for size in value.shape)


def _plain(value: Any) -> Any:
    """An input as a kernel takes it: with an axis, without gaps, and not to be negated when it is read."""
    if not isinstance(value, torch.Tensor):
        return int(value)
    value = without_gradients(value).resolve_neg()
    if value.dim() == 0:
        return value.reshape(1)
    return value.contiguous()


def _write_call(imported: Imported, operations: list) -> str:
    """A function of a graph's inputs that makes the results, calls the kernel and gives what the graph gives. Sizes are
    those of the inputs; the kernel checks them. `operations` become those of torch that it calls."""
    lines = ["def call(*inputs):"]
    taken = []
    known: set[str] = set()
    for index, (number, shape) in enumerate(zip(imported.inputs, imported.shapes, strict=True)):
        lines.append(f"    a{index} = inputs[{number}]")
        is_scalar = index >= len(imported.inputs) - len(imported.numbers)
        if is_scalar:
            lines.append(f"    {shape[0]} = a{index} = int(a{index})")
            known.add(shape[0])
        else:
            ready = f"(a{index}.is_contiguous() and not a{index}.is_neg())" if shape else "False"
            lines.append(f"    if not {ready}: a{index} = plain(a{index})")
        taken.append(f"a{index}")
    wanted = {
        symbol
        for text in [*(extent for _, shape in imported.results for extent in shape), *_sizes_of(imported.outputs)]
        for symbol in re.findall(r"[A-Za-z_]\w*", text)
    } - known
    for index, shape in enumerate(imported.shapes):
        for axis, extent in enumerate(shape):
            if extent in wanted:
                lines.append(f"    {extent} = inputs[{imported.inputs[index]}].shape[{axis}]")
                wanted.discard(extent)
    made = [f"r{index}" for index in range(len(imported.results))]
    if made:
        for number, (dtype, extents) in enumerate(imported.results):
            shape = f"({', '.join(extents or ['1'])},)"
            shape = f"check_extents({number}, {shape})" if "-" in shape else shape
            lines.append(f"    {made[number]} = empty({shape}, dtype=torch.{dtype})")
        lines.append(f"    kernel({', '.join([*taken, *made])})")
    given = [_write_output(output, operations) for output in imported.outputs]
    return "\n".join([*lines, f"    return [{', '.join(given)}]"])


def _sizes_of(outputs: list[tuple]) -> list[str]:
    sizes = [output[1] for output in outputs if output[0] == "size"]
    return sizes + [text for output in outputs if output[0] == "view" for _, text in output[2]]


def _write_output(output: tuple, operations: list) -> str:
    """An output as an expression; the operations of torch that make it are added to those of others."""
    kind = output[0]
    if kind == "result":
        name, axes = f"r{output[1]}", output[2]
        return name if axes is None else f"{name}.permute({axes})" if axes else f"{name}.reshape(())"
    if kind == "view":
        text = _write_output(output[1], operations)
        for operation, arguments in output[2]:
            text = f"operations[{len(operations)}]({text}, {arguments})"
            operations.append(operation)
        return text
    if kind == "input":
        return f"without_gradients(inputs[{output[1]}])"
    return f"({output[1]})" if kind == "size" else repr(output[1]) if kind == "value" else "None"


def say_for_model(message: str, module: GraphModule) -> str:
    """What a kernel says when it stops, as something about the model: its operations, and the lines that have them, not
    those of the kernel."""
    location = re.match(r"(<tegula\.torch .*?>):(\d+):", message)
    message = re.sub(r"^[^\n]*?:\d+:\d+: (assertion failed in '\w+': )?", "", message, count=1)
    found = re.match(r"(\w+): (.*?)(, where .*)?$", message)
    if found:
        name, what = found[1], found[2]
    else:
        called = re.findall(r"\bpl\.(\w+)", linecache.getline(location[1], int(location[2])) if location else "")
        known = {_short_name(node.target) for node in module.graph.nodes}
        name, what = next((part for part in called if part in known), ""), message
    named = [node for node in module.graph.nodes if _short_name(node.target) == name]
    # What was taken apart is known by what it was.
    names = dict.fromkeys(_short_name(node.meta.get("original_aten", node.target)) for node in named)
    traces = [re.findall(r'File "(.*)", line (\d+)', node.stack_trace or "") for node in named]
    lines = dict.fromkeys(":".join(lines[-1]) for lines in traces if lines)
    who = f"{' or '.join(names) or name}: " if name else ""
    where = f", at {' or '.join(lines)}" if lines else ""
    return f"{who}{what}{where}"


def _short_name(target: Any) -> str:
    """`embedding` of aten.embedding.default."""
    return "".join(str(target).split(".")[1:2])


class Runner:
    """Calls a kernel as the graph that it was made of is called."""

    def __init__(self, imported: Imported, kernel: Any, module: GraphModule) -> None:
        self.imported = imported
        self.kernel = kernel
        self.module = module
        operations: list[Callable] = []
        names = {"kernel": kernel, "plain": _plain, "empty": torch.empty, "torch": torch, "operations": operations}
        names.update(check_extents=check_extents, without_gradients=without_gradients)
        exec(_write_call(imported, operations), names)
        self.call: Callable[..., list] = names["call"]

    def list_kernels(self) -> list:
        return [] if self.kernel is None else [self.kernel]

    def list_unknown(self) -> list[str]:
        return []

    def __call__(self, *inputs: Any) -> list:
        try:
            return self.call(*inputs)
        except RunError as problem:
            raise RunError(say_for_model(str(problem), self.module)) from None
        except CompileError as problem:
            why = str(problem).splitlines()[0]
            warnings.warn(f"left to eager mode, for it is not compiled: {why}", FallbackWarning, stacklevel=2)
            self.call = self._call_module
            return self.call(*inputs)

    def _call_module(self, *inputs: Any) -> list:
        # What autocast casts is cast in the graph.
        with set_autocast(None):
            return list(self.module(*inputs))

    def prepare(self, inputs: tuple) -> list:
        """What the kernel takes of the graph's inputs, as it takes them."""
        return [_plain(inputs[number]) for number in self.imported.inputs]
