# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel files as modules: ordinary Python, but for their kernels, and with this judge's `pl`."""

from __future__ import annotations

import ast
import builtins
import itertools
import pathlib
import sys
import types

from . import runtime
from .language import Namespace, pl
from .rewrite import rewritten, written_names

_numbers = itertools.count()


def _package() -> types.ModuleType:
    package = types.ModuleType("tegula")
    package.language = pl
    return package


_TEGULA = _package()
pl.distributed = Namespace("pld", {"DistributedTensor": pl.Tensor})


def _importer(folder: pathlib.Path, known: dict[pathlib.Path, types.ModuleType]) -> object:
    """`__import__` of a kernel file: files next to it are kernel files, too."""

    def load(
        name: str, names: dict | None = None, local: dict | None = None, wanted: tuple = (), level: int = 0
    ) -> object:
        if name.split(".")[0] == "tegula":
            if not wanted:
                return _TEGULA
            return {"tegula": _TEGULA, "tegula.language": pl}.get(name, pl.distributed)
        for start in (folder, *folder.parents[:2]):
            path = start.joinpath(*name.split(".")).with_suffix(".py")
            if name and path.is_file() and (level or "." in name or path.parent == folder):
                module = load_file(path, known)
                return module if wanted or "." not in name else _nested(name, module)
        return builtins.__import__(name, names, local, wanted, level)

    return load


def _nested(name: str, module: types.ModuleType) -> types.SimpleNamespace:
    """`import a.b` gives `a`."""
    found: object = module
    for part in reversed(name.split(".")[1:]):
        found = types.SimpleNamespace(**{part: found})
    return found


def load_text(text: str, path: pathlib.Path, known: dict | None = None) -> types.ModuleType:
    """The module of a text."""
    known = {} if known is None else known
    module = types.ModuleType(f"oracle_kernel_{next(_numbers)}")
    sys.modules[module.__name__] = module
    module.__dict__.update(
        __file__=str(path),
        __builtins__={**vars(builtins), "__import__": _importer(path.parent, known)},
        _oracle=runtime,
        _oracle_written=written_names(ast.parse(text, str(path))),
    )
    known[path] = module
    exec(compile(rewritten(text, str(path)), str(path), "exec"), module.__dict__)
    return module


def load_file(path: pathlib.Path, known: dict | None = None) -> types.ModuleType:
    """The module of a file, once for all files that import it."""
    known = {} if known is None else known
    path = path.resolve()
    return known[path] if path in known else load_text(path.read_text(), path, known)
