# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a model becomes: its kernels, what they are dynamic in, and what is left to eager mode."""

from __future__ import annotations

import linecache
from typing import Any

import torch

from tegula.torch._export import compile


def explain(model: torch.nn.Module, inputs: tuple, *, dynamic: Any = None) -> str:
    """A text that shows each kernel as it is compiled. Nothing is compiled or run."""
    compiled = compile(model, inputs, dynamic=dynamic)
    operations = sum(1 for node in compiled.program.graph.nodes if node.op == "call_function")
    kernels = compiled.runner.list_kernels()
    unknown = compiled.runner.list_unknown()
    what = "kernel" if len(kernels) == 1 else "kernels"
    lines = [f"{type(model).__name__}: {operations} operations in {len(kernels)} {what}"]
    if unknown:
        lines.append(f"left to eager mode: {', '.join(unknown)}")
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
