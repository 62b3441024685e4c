# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what `tegula-differential --dump` wrote, and judges it."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import traceback

import numpy as np

from . import program, source
from .dtypes import DType
from .judge import Count, compare
from .problems import NotEvaluated, Refused, Undecided
from .program import Kernel, ScalarType
from .tensor import Tensor

RUNS = ("compiled", "interpreted")


@dataclasses.dataclass
class Verdict:
    """What became of one program: what is wrong, what was left out and why, and what was compared."""

    wrong: list[str] = dataclasses.field(default_factory=list)
    left_out: list[str] = dataclasses.field(default_factory=list)
    count: Count = dataclasses.field(default_factory=Count)
    calls: int = 0
    refused: int = 0


def _elements(path: pathlib.Path, dtype: DType, extents: list[int]) -> np.ndarray:
    """A tensor in the type of its parameter; two 4-bit elements lie in a byte."""
    data = np.load(path)
    if dtype.bits == 4:
        flat = data.view(np.uint8)
        pairs = np.stack([flat & 15, flat >> 4], -1).reshape(*flat.shape[:-1], 2 * flat.shape[-1])[..., : extents[-1]]
        return (pairs.astype(np.int8) << 4 >> 4) if dtype.kind == "int" else pairs
    return data if dtype.is_bool else data.view(dtype.numpy)


def _scalar(value: float, kind: ScalarType) -> object:
    from .index import Index
    from .operands import in_type
    from .value import Value

    if kind.dtype.name == "INDEX":
        return Index(value)
    data = np.asarray(value).astype(np.int64) if kind.dtype.is_integer else np.asarray(value)
    return (
        in_type(float(value), kind.dtype)
        if kind.dtype.is_float
        else Value(data.astype(kind.dtype.numpy), kind.dtype, (), is_scalar=True)
    )


class Call:
    """One call of a program."""

    def __init__(self, folder: pathlib.Path, number: int, kernel: Kernel) -> None:
        self.folder, self.number, self.kernel = folder, number, kernel
        self.record = json.loads((folder / f"{number}.json").read_text())

    def _tensor(self, name: str, what: str) -> np.ndarray:
        dtype = self.kernel.parameters[name].dtype
        return _elements(self.folder / f"{self.number}.{name}.{what}.npy", dtype, self.record["extents"][name])

    def _arguments(self) -> dict[str, object]:
        made = {}
        for name, kind in self.kernel.parameters.items():
            scalars = self.record["scalars"]
            # What is not finite is text.
            scalar = scalars.get(name)
            number = float(scalar) if isinstance(scalar, str) else scalar
            made[name] = _scalar(number, kind) if name in scalars else self._tensor(name, "given")
        return made

    def judge(self, verdict: Verdict) -> None:
        """Runs the call, and compares both runs with that."""
        at = " ".join(f"{name}={size}" for name, size in self.record["sizes"].items())
        problems = {run: self.record[run] for run in RUNS if run in self.record}
        verdict.calls += 1
        try:
            wanted = program.run(self.kernel, self._arguments())
        except (NotEvaluated, Undecided) as why:
            verdict.left_out.append(f"{type(why).__name__}: {why}")
            return
        except Refused as why:
            verdict.refused += all(problems.values())
            verdict.wrong += [f"{at}: {run}: runs, but: {why}" for run, problem in problems.items() if not problem]
            return
        except Exception:
            verdict.wrong.append(f"{at}: the judge fails:\n{traceback.format_exc(limit=-6)}")
            return
        for run, problem in problems.items():
            self._compare(run, problem, wanted, at, verdict)

    def _compare(self, run: str, problem: str, wanted: dict[str, Tensor], at: str, verdict: Verdict) -> None:
        if "strides" in problem:
            verdict.left_out.append("strides")
            return
        if problem:
            verdict.wrong.append(f"{at}: {run}: fails: {problem}")
            return
        for name, tensor in wanted.items():
            text, count = compare(name, self._tensor(name, run), tensor)
            verdict.count.add(count)
            if text:
                verdict.wrong.append(f"{at}: {run}: {text}")


def judge(folder: pathlib.Path) -> Verdict:
    """All calls of a program."""
    verdict = Verdict()
    try:
        module = source.load_file(folder / "kernel.py")
    except NotEvaluated as why:
        verdict.left_out.append(str(why))
        return verdict
    with np.errstate(all="ignore"):
        for path in sorted(folder.glob("*.json"), key=lambda path: int(path.stem)):
            Call(folder, int(path.stem), module.k).judge(verdict)
    return verdict
