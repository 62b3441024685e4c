# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a model becomes: its kernels, what they are dynamic in, and what is left to eager mode."""

from __future__ import annotations

import linecache
from typing import Any

import torch
from torch.utils import _pytree as pytree

from tegula import _tegula
from tegula._kernel import complete
from tegula.torch._artifacts import Holding
from tegula.torch._export import CompiledModel, compile
from tegula.torch._run import Runner


def explain(model: torch.nn.Module, inputs: tuple, *, dynamic: Any = None) -> str:
    """A text that shows each kernel as it is compiled, and how much memory a call with these inputs takes for
    intermediates. Nothing is run."""
    compiled = compile(model, inputs, dynamic=dynamic)
    operations = sum(1 for node in compiled.program.graph.nodes if node.op == "call_function")
    kernels = compiled.runner.list_kernels()
    unknown = compiled.runner.list_unknown()
    what = "kernel" if len(kernels) == 1 else "kernels"
    lines = [f"{type(model).__name__}: {operations} operations in {len(kernels)} {what}"]
    if unknown:
        lines.append(f"left to eager mode: {', '.join(unknown)}")
    if memory := _summarize_memory(compiled, inputs):
        lines.append(f"intermediates: {memory}")
    for kernel in kernels:
        text = "".join(linecache.getlines(kernel.__wrapped__.__code__.co_filename))
        symbols = [line.split(" ")[0] for line in text.splitlines() if " = pl.dynamic(" in line]
        lines += [
            "",
            f"{kernel.__name__}, for every {', '.join(symbols) or 'call: nothing varies'}:",
            "",
            text.rstrip(),
        ]
    return "\n".join(lines)


def _summarize_memory(compiled: CompiledModel, inputs: tuple) -> str:
    """What a call with these inputs takes for what it computes on the way. Parts between operations that run in eager
    mode are called with what those give, which is not known here."""
    runner, more = compiled.runner, []
    if isinstance(runner, Holding):
        runner, more = runner.runner, runner.held
    if not isinstance(runner, Runner) or runner.kernel is None:
        return ""
    with torch.no_grad():
        given = runner.prepare((*compiled._held, *pytree.tree_leaves(inputs), *more))
    return _tegula.summarize_memory(runner.kernel, complete(runner.kernel, tuple(given), {})[0])
