# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tegula.torch.simulate`: a model on a simulated NPU, its values and its cycles."""

from __future__ import annotations

from typing import Any

import torch

from tegula.torch._export import CompiledModel, compile


class Simulation:
    """What came out, and how it went on the machine."""

    def __init__(self, results: Any, reports: list) -> None:
        self.results = results
        self.reports = reports

    @property
    def cycles(self) -> int:
        return sum(report.cycles for report in self.reports)

    def __repr__(self) -> str:
        return f"Simulation({self.cycles} cycles in {len(self.reports)} kernels)"


_compiled: dict[tuple, tuple[torch.nn.Module, CompiledModel]] = {}


def simulate(model: torch.nn.Module, inputs: tuple, *, npu: str, dynamic: Any = None) -> Simulation:
    """Runs a model on a machine, which is named or described in a file. A second call, at other sizes of the axes that
    vary, compiles nothing."""
    key = (id(model), npu, repr(dynamic))
    found = _compiled.get(key)
    if found is None or found[0] is not model:
        found = (model, compile(model, inputs, dynamic=dynamic, target=f"npu:{npu}"))
        _compiled[key] = found
    results = found[1](*inputs)
    return Simulation(results, [kernel.last_report for kernel in found[1].runner.list_kernels()])
