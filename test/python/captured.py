# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the decorators capture, without the compiler: kernels here hold a capture and cannot be called."""

import contextlib
import importlib
import linecache
import sys
import textwrap

from tegula import _decorate


class Plain:
    """Stands for a compiled kernel."""


@contextlib.contextmanager
def without_compiler():
    before, _decorate.make_kernel = _decorate.make_kernel, lambda capture: Plain()
    try:
        yield
    finally:
        _decorate.make_kernel = before


def resolve(kernel):
    """The program, with the blocks by position."""
    return kernel._capture.resolve()[0]


def names(kernel, block=0):
    return dict(resolve(kernel)["blocks"][block][5])


def simple(captured):
    """A captured value as Python would show it: 8, ("symbol", 0), ..."""
    kind, integer, real, text, elements = captured
    if kind in ("int", "bool"):
        return integer if kind == "int" else bool(integer)
    if kind == "float":
        return real
    if kind == "string":
        return text
    if kind == "tuple":
        return tuple(map(simple, elements))
    if kind == "dict":
        parts = list(map(simple, elements))
        return dict(zip(parts[::2], parts[1::2], strict=True))
    if kind in ("symbol", "function"):
        return kind, integer
    if kind == "extent":
        return (text, *map(simple, elements))
    return (kind, text) if text else kind


def values(kernel, block=0):
    return {name: simple(value) for name, value in names(kernel, block).items()}


def run_text(text, name="<kernel text>", **variables):
    """Executes a string whose source is registered, and gives its names."""
    text = textwrap.dedent(text)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    variables["__name__"] = "text"
    exec(compile(text, name, "exec"), variables)
    return variables


def load_file(path, text):
    """Writes a module and imports it, again if it is known."""
    path.write_text(textwrap.dedent(text))
    sys.dont_write_bytecode = True
    if path.stem in sys.modules:
        return importlib.reload(sys.modules[path.stem])
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    importlib.invalidate_caches()
    return importlib.import_module(path.stem)
