# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decorators: they take the source of a function, and leave everything else to the first call."""

from __future__ import annotations

import sys

from tegula._capture import Capture
from tegula._objects import Name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _load_kernel_type() -> Callable[..., Any]:
    from tegula import _kernel

    return _kernel.make


# What makes a callable of a Capture; loaded when something is first decorated.
make_kernel: Callable[[Capture], Any] | None = None


def _make(capture: Capture) -> Any:
    global make_kernel
    if make_kernel is None:
        make_kernel = _load_kernel_type()
    kernel = make_kernel(capture)
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(kernel, name, getattr(capture.function, name, None))
    kernel._capture = capture
    return kernel


# What a decorator says about how a kernel is compiled.
CHOICES = ("dynamic", "target", "debug", "strict")


def check(name: str, value: Any) -> Any:
    """The value of a choice, if it can be one."""
    wanted, what = (str, "a string") if name == "target" else (bool, "True or False")
    if value is not None and not isinstance(value, wanted):
        raise TypeError(f"{name}= is {what}, got {value!r}")
    return value


class Decorator(Name):
    """`pl.jit.incore`, bare or with parentheses."""

    __slots__ = ("keywords",)

    def __init__(self, path: str, *keywords: str) -> None:
        super().__init__(path)
        self.keywords = keywords

    def __call__(self, function: Callable | None = None, /, **options: Any) -> Any:
        for name in options:
            if name not in self.keywords:
                what = f"; it takes {', '.join(self.keywords)}" if self.keywords else ""
                raise TypeError(f"@pl.{self.path} takes no '{name}='{what}")
        if function is not None:
            return self._decorate(function, options, sys._getframe(1))
        return lambda function: self._decorate(function, options, sys._getframe(1))

    def _decorate(self, function: Callable, options: dict[str, Any], frame: Any) -> Any:
        chosen = {name: check(name, options[name]) for name in CHOICES if name in options}
        return _make(Capture(function, self.path, frame, **chosen))


class Jit(Decorator):
    """`pl.jit` and its kinds. What is under `extern` can be imported, and the compiler says why it cannot be called."""

    __slots__ = ("incore", "inline", "graph", "opaque", "host", "extern")

    def __init__(self) -> None:
        super().__init__("jit", *CHOICES, "auto_scope")
        self.incore = Decorator("jit.incore", "level")
        self.inline = Decorator("jit.inline", "auto_scope")
        self.graph = Decorator("jit.graph", "auto_scope")
        self.opaque = Decorator("jit.opaque")
        self.host = Decorator("jit.host", "auto_scope")
        self.extern = Decorator(
            "jit.extern", "core_type", "source", "aic_source", "aiv_source", "dual_aiv_dispatch", "include_dirs"
        )

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"'pl.jit.{name}' is not a kind of kernel; the kinds are pl.jit, pl.jit.incore, pl.jit.inline, "
            "pl.jit.graph, pl.jit.opaque and pl.jit.host"
        )


class ProgramDecorator(Decorator):
    """`pl.program`, for classes. Each of the methods can be called from outside as well."""

    __slots__ = ()

    def _decorate(self, function: Callable, options: dict[str, Any], frame: Any) -> Any:
        if not isinstance(function, type):
            raise TypeError("@pl.program belongs to a class")
        chosen = {name: check(name, options[name]) for name in CHOICES if name in options}
        made = _make(Capture(function, self.path, frame, **chosen))
        for name, member in vars(function).items():
            if isinstance(getattr(member, "_capture", None), Capture):
                setattr(made, name, _make(Capture(function, self.path, frame, method=name, **chosen)))
        return made


jit = Jit()
inline = Decorator("inline")
function = Decorator("function", "type", "level", "role", "attrs", "auto_scope", "strict_ssa")
program = ProgramDecorator("program", *CHOICES, "strict_ssa")
