# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel can do besides being called. The extension finds these by name."""

import html
import inspect
import json
import os
from typing import Any

from tegula import _tegula
from tegula._bench import bench
from tegula._errors import CallError
from tegula._explain import explain
from tegula._kernel import complete


def _arguments(kernel: Any, args: tuple, kwargs: dict) -> list:
    """The arguments of a call like this one; none at all if none are given and the kernel leaves nothing open."""
    if not args and not kwargs and is_closed(_tegula.signature(kernel)):
        return []
    return complete(kernel, args, kwargs)[0]


def is_closed(signature: dict) -> bool:
    """True if the annotations say everything that a kernel is specialised on."""
    return all(
        parameter["kind"] != "open"
        and parameter["dtype"] is not None
        and (parameter["kind"] == "scalar" or parameter["axes"] is not None)
        for parameter in signature["parameters"]
    )


def compile(kernel: Any, *args: Any, **kwargs: Any) -> Any:
    """Compiles for calls with arguments like these, without running; returns the kernel. Without arguments, if the
    annotations say everything."""
    if not args and not kwargs and is_closed(_tegula.signature(kernel)):
        _tegula.compile_only(kernel)
    else:
        _tegula.compile(kernel, complete(kernel, args, kwargs)[0])
    return kernel


def lower(kernel: Any, *args: Any, stage: str = "inferred", **kwargs: Any) -> str:
    """The program at a stage: "source", "frontend", "inferred", "tiles" or one of the target's, for processors "llvm"
    and "asm". Parameters that the annotations leave open take types and shapes from the arguments."""
    if not isinstance(stage, str):
        raise TypeError(f"the stage is a string, got {stage!r}")
    return _tegula.lower(kernel, _arguments(kernel, args, kwargs), stage)


def export(kernel: Any, path: Any, *args: Any, header: Any = None, held: Any = (), **kwargs: Any) -> None:
    """Writes a shared library that needs neither Tegula nor Python, and its C header: next to the library unless
    `header` says where, or is False. The arguments of the parameters that `held` names become part of the library, and
    C does not pass them."""
    path = os.fsdecode(path)
    if header is None:
        header = os.path.splitext(path)[0] + ".h"
    _tegula.build(kernel, _arguments(kernel, args, kwargs), path, os.fsdecode(header) if header else "", list(held))


def equals(kernel: Any, other: Any, *args: Any, **kwargs: Any) -> bool:
    """True if both are the same program, whatever their names for things and their division into helpers."""
    return difference(kernel, other, *args, **kwargs) == ""


def difference(kernel: Any, other: Any, *args: Any, **kwargs: Any) -> str:
    """The first thing in which two programs differ, with both locations; empty if there is none."""
    return _tegula.compare(kernel, other, _arguments(kernel, args, kwargs))


def clear(kernel: Any) -> None:
    """Forgets all that was compiled in this process."""
    _tegula.clear(kernel)


METHODS = {
    "compile": compile,
    "lower": lower,
    "export": export,
    "equals": equals,
    "difference": difference,
    "explain": explain,
    "bench": bench,
    "clear": clear,
}


def last_report(kernel: Any) -> "Report":
    """How the last call went on the simulated machine it was compiled for."""
    return Report(kernel, *_tegula.report(kernel))


PROPERTIES = {
    "last_report": last_report,
    "variants": lambda kernel: [Variant(described) for described in _tegula.variants(kernel)],
    "signature": lambda kernel: _tegula.signature(kernel)["text"],
    "compile_count": lambda kernel: _tegula.compile_count(kernel),
    "key": lambda kernel: _tegula.key(kernel),
}


def describe(method: Any) -> str:
    """The documentation of a method as that of a function in C: `inspect` reads the signature from it."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    signature = inspect.Signature([each.replace(annotation=each.empty) for each in parameters])
    return f"{method.__name__}{signature}\n--\n\n{method.__doc__}"


def list_names(kernel: Any) -> list[str]:
    """What `dir` shows."""
    return sorted({*object.__dir__(kernel), *METHODS, *PROPERTIES})


class Report:
    """Cycles of one call on a simulated machine, and where they went. Printed, it is one screen; in a notebook, a page
    with a timeline."""

    def __init__(self, kernel: Any, text: str, data: str) -> None:
        self._kernel = kernel
        self.text = text
        self.data: dict = json.loads(data)
        self.summary: dict = self.data["runs"][0]["summary"]

    @property
    def cycles(self) -> int:
        """From the first launch to the last result."""
        return self.summary["cycles"]

    @property
    def microseconds(self) -> float:
        """The same as time."""
        return self.summary["microseconds"]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<report: {self.cycles} cycles>"

    @property
    def html(self) -> str:
        """The page that `tegula sim --report` writes, as long as the kernel is not called with other sizes."""
        if _tegula.report(self._kernel)[0] != self.text:
            raise CallError("the kernel has been called again since; ask for its last_report anew")
        return _tegula.report_page(self._kernel)

    def _repr_html_(self) -> str:
        try:
            page = self.html
        except CallError:
            return f"<pre>{html.escape(self.text)}</pre>"
        # In a frame of its own, whose scripts reach nothing of the notebook.
        style = "width: 100%; height: 40em; border: 0"
        return f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" style="{style}"></iframe>'


class Variant:
    """The compiled code for one choice of types and shapes of the open parameters."""

    def __init__(self, described: dict) -> None:
        self.signature: str = described["text"]
        self.parameters: list[dict] = described["parameters"]
        self.requirements: list[str] = described["requirements"]
        self.origin: str = described["origin"]

    def __repr__(self) -> str:
        return f"<variant {self.signature}>"
