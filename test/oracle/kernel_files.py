# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel of the examples, the pages and the tutorials: compiled, at several sizes, and judged."""

from __future__ import annotations

import ast
import concurrent.futures
import contextlib
import hashlib
import importlib.util
import io
import multiprocessing
import pathlib
import re
import sys
import tempfile
import types
import warnings

import ml_dtypes
import numpy as np

from . import program, source
from .dtypes import DType
from .index import Index, Symbol, frames
from .judge import compare
from .operands import in_type
from .problems import NotEvaluated, Refused, Undecided
from .program import Kernel, ScalarType, TensorType
from .random_programs import ROOT, Report
from .value import Value

BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
#: What dimensions are; those that are not named are the last number. With nothing, one, odd numbers and primes.
SIZES = ({"": 7}, {"M": 0, "N": 1, "": 5}, {"M": 1, "N": 0, "": 3}, {"M": 17, "N": 131, "K": 33, "": 13}, {"": 1})
HALVES = {"INT4": ml_dtypes.int4, "UINT4": ml_dtypes.uint4}


def _definitions(text: str) -> str:
    """A script without what it runs: imports, functions, and constants of what was kept."""
    kept, known = [], {"pl"}
    for node in ast.parse(text).body:
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        calls = {ast.unparse(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
        if isinstance(node, ast.Assign) and names <= known and calls <= {"pl.dynamic"}:
            known |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            kept.append(ast.get_source_segment(text, node))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            kept.append(ast.get_source_segment(text, node))
        elif isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            kept.append("\n".join(text.splitlines()[first - 1 : node.end_lineno]))
    return "\n".join(kept) + "\n"


def texts() -> dict[str, str]:
    """Kernel files by name."""
    found = {str(path.relative_to(ROOT)): path.read_text() for path in sorted((ROOT / "examples").rglob("*.py"))}
    for path in sorted((ROOT / "docs" / "tutorials").glob("*.py")):
        found[f"{path.relative_to(ROOT)}:kernels"] = _definitions(path.read_text())
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        for block in BLOCK.finditer(text):
            line = text[: block.start()].count("\n") + 2
            is_script = "import tegula\n" in block[1]
            found[f"{page.relative_to(ROOT)}:{line}"] = _definitions(block[1]) if is_script else block[1]
    return {name: text for name, text in found.items() if "@pl.jit\n" in text or "@pl.program" in text}


def _compiled(path: pathlib.Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"compiled_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def _sample(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...]) -> np.ndarray:
    """Small integers, or floats that are multiples of a quarter."""
    if dtype.is_bool:
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.is_float:
        return (rng.integers(-8, 9, shape) / 4).astype(dtype.numpy)
    return rng.integers(0, 8, shape).astype(dtype.numpy)


class Case:
    """An entry of a file."""

    def __init__(self, name: str, kernel: Kernel, compiled: object) -> None:
        self.name, self.kernel, self.compiled = name, kernel, compiled

    def _bind(self, sizes: dict[str, int]) -> None:
        """Symbols as a call binds them, so that shapes can be computed."""
        frame = {}
        for kind in self.kernel.parameters.values():
            for entry in kind.shape if isinstance(kind, TensorType) else []:
                if isinstance(entry, Symbol) and entry.compute is None:
                    frame[entry.number] = sizes.get(entry.name, sizes[""])
        frames().append(frame)

    def arguments(self, sizes: dict[str, int], seed: int) -> dict[str, object]:
        """Arrays in the types of NumPy, and numbers."""
        rng, made = np.random.default_rng(seed), {}
        self._bind(sizes)
        for name, kind in self.kernel.parameters.items():
            if isinstance(kind, TensorType) and kind.shape:
                made[name] = _sample(rng, kind.dtype, tuple(int(entry) for entry in kind.shape))
            elif isinstance(kind, ScalarType):
                made[name] = 0.5 if kind.dtype.is_float else 3
            else:
                raise NotEvaluated("a parameter without a type")
        frames().clear()
        return made

    def _given(self, arguments: dict[str, object]) -> dict[str, object]:
        made = {}
        for name, kind in self.kernel.parameters.items():
            value = arguments[name]
            if isinstance(kind, ScalarType):
                is_size = kind.dtype.name == "INDEX"
                made[name] = Index(value) if is_size else _typed(value, kind.dtype)
            else:
                made[name] = value.copy()
        return made

    def _call(self, arguments: dict[str, object]) -> dict[str, np.ndarray]:
        given = {}
        for name, value in arguments.items():
            dtype = self.kernel.parameters[name].dtype
            given[name] = value.astype(HALVES[dtype.name]) if dtype.name in HALVES else value
            given[name] = np.array(given[name]) if isinstance(value, np.ndarray) else value
        result = self.compiled(**given)
        results = result if isinstance(result, tuple) else () if result is None else (result,)
        fresh = [one for one in results if not any(one is own for own in given.values())]
        names = ["result"] if len(fresh) == 1 else [f"result{number}" for number in range(len(fresh))]
        return given | {name: np.asarray(one) for name, one in zip(names, fresh, strict=True)}

    def judge(self, sizes: dict[str, int], seed: int, report: Report) -> None:
        """One call."""
        at = f"{self.name} at {sizes}"
        report.calls += 1
        try:
            arguments = self.arguments(sizes, seed)
            found, problem = self._call(arguments), ""
        except NotEvaluated as why:
            report.left_out[f"{self.name}: {why}"] += 1
            return
        except Exception as error:
            found, problem = {}, str(error) or repr(error)
        try:
            wanted = program.run(self.kernel, self._given(arguments))
        except (NotEvaluated, Undecided) as why:
            report.left_out[f"{self.name}: {why}"] += 1
            return
        except Refused as why:
            if problem:
                report.refused += 1
            else:
                report.failures.append(f"{at}: runs, but: {why}")
            return
        if problem:
            report.failures.append(f"{at}: fails: {problem}")
            return
        for name, tensor in wanted.items():
            elements = np.asarray(found[name])
            elements = elements.astype(tensor.dtype.numpy) if tensor.dtype.bits == 4 else elements
            text, count = compare(name, elements, tensor)
            report.count.add(count)
            if text:
                report.failures.append(f"{at}: {text}")


def _typed(value: float, dtype: DType) -> Value:
    return in_type(value if dtype.is_float else int(value), dtype)


def _cases(name: str, mine: types.ModuleType, compiled: types.ModuleType) -> list[Case]:
    found = []
    for own, kernel in vars(mine).items():
        if isinstance(kernel, Kernel) and kernel.is_entry and hasattr(compiled, own):
            found.append(Case(f"{name}:{own}", kernel, getattr(compiled, own)))
    return found


def judge_text(given: tuple[str, str]) -> Report:
    """All entries of a kernel file, at all sizes; what they print is not shown."""
    with contextlib.redirect_stdout(io.StringIO()):
        return _judge_text(given)


def _judge_text(given: tuple[str, str]) -> Report:
    name, text = given
    report = Report()
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = ROOT / name
        if not path.is_file():
            path = pathlib.Path(folder) / f"block_{hashlib.sha1(name.encode()).hexdigest()[:8]}.py"
            path.write_text(text)
        try:
            cases = _cases(name, source.load_file(path), _compiled(path))
        except NotEvaluated as why:
            report.left_out[f"{name}: {why}"] += 1
            return report
        for case in cases:
            report.programs += 1
            for number, sizes in enumerate(SIZES):
                case.judge(sizes, number, report)
    return report


def judge(jobs: int, only: tuple[str, ...] = ("",)) -> Report:
    """All files whose name begins with one of these."""
    report = Report()
    chosen = [(name, text) for name, text in texts().items() if name.startswith(only)]
    with concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        for found in pool.map(judge_text, chosen):
            report.add(found)
    return report
