# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tegula.torch.simulate`: a model on a simulated NPU, its values, and its cycles by layer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from tegula.torch._autocast import find_autocast
from tegula.torch._export import CompiledModel, compile
from tegula.torch._partition import Split


class Simulation:
    """What came out, and how it went on the machine. Printed, it is a line for each layer."""

    def __init__(self, results: Any, layers: list[tuple[str, Any]]) -> None:
        self.results = results
        #: The layers in order, each with the report of its kernel: `.cycles`, `.text`, `.data`.
        self.layers = layers

    @property
    def reports(self) -> list:
        return [report for _, report in self.layers]

    @property
    def cycles(self) -> int:
        return sum(report.cycles for report in self.reports)

    def write_trace(self, path: Any) -> None:
        """A timeline for ui.perfetto.dev: layers one after the other, and how long each unit was busy in them. A
        microsecond there is a cycle."""
        events, start = [], 0
        for name, report in self.layers:
            shares = report.summary["busy_shares"]
            spans = {"layers": (name, report.cycles)}
            spans.update({unit: (name, share * report.cycles) for unit, share in shares.items() if share})
            for track, (what, cycles) in spans.items():
                events.append({"name": what, "ph": "X", "ts": start, "dur": cycles, "pid": 0, "tid": track})
            start += report.cycles
        Path(path).write_text(json.dumps({"traceEvents": events}))

    def __str__(self) -> str:
        width = max([len("layer"), *(len(name) for name, _ in self.layers)])
        lines = [f"{'layer':{width}}  {'cycles':>12}  share  bound by"]
        for name, report in self.layers:
            share = report.cycles / max(self.cycles, 1)
            lines.append(f"{name:{width}}  {report.cycles:12}  {share:5.1%}  {report.summary['bound']}")
        return "\n".join([*lines, f"{'all':{width}}  {self.cycles:12}"])

    def __repr__(self) -> str:
        return f"Simulation({self.cycles} cycles in {len(self.layers)} layers)"


class _Watched:
    """Runs a part of a model, and keeps the report of its kernel: layers that are alike share one."""

    def __init__(self, name: str, runner: Any, layers: list) -> None:
        self.name, self.runner, self.layers = name, runner, layers
        self.list_kernels, self.list_unknown = runner.list_kernels, runner.list_unknown

    def __call__(self, *inputs: Any) -> list:
        results = self.runner(*inputs)
        self.layers += [(self.name, kernel.last_report) for kernel in self.list_kernels()]
        return results


_compiled: dict[tuple, tuple[torch.nn.Module, CompiledModel, list]] = {}


def simulate(model: torch.nn.Module, inputs: tuple, *, dynamic: Any = None, **machine: str) -> Simulation:
    """Runs a model on a machine, which is named or described in a file, under the name of the back end that simulates
    it: a kernel for each of the model's own modules, shared by those that are alike. A second call, at other sizes of
    the axes that vary, compiles nothing."""
    if len(machine) != 1:
        raise TypeError("simulate takes one machine, under the name of a back end that simulates it")
    ((family, description),) = machine.items()
    target = f"{family}:{description}"
    key = (id(model), target, repr(dynamic), find_autocast())
    found = _compiled.get(key)
    if found is None or found[0] is not model:
        compiled = compile(model, inputs, dynamic=dynamic, target=target, by_layer=True)
        found = _compiled[key] = (model, compiled, _watch(compiled))
    _, compiled, layers = found
    layers.clear()
    with torch.no_grad():
        results = compiled(*inputs)
    return Simulation(results, list(layers))


def _watch(compiled: CompiledModel) -> list:
    """A list to which each call adds the layers that it runs."""
    layers: list = []
    inner = getattr(compiled.runner, "runner", compiled.runner)
    if isinstance(inner, Split):
        inner.watch(lambda name, runner: _Watched(name, runner, layers))
    else:
        compiled.runner = _Watched(compiled.name, compiled.runner, layers)
    return layers
