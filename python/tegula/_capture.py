# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a decorated function to the program it is: its text, the texts of the functions it calls, and what the names in
them stand for.

`Capture.resolve()` gives a pair of a program and of watches.

The program is a dict, with the fields of tegula::Program:

    {"blocks": [(path, first_line, text, name, decorator, [(dotted_name, value), ...]), ...],  # the entry first
     "symbols": [(name, path, line), ...],
     "method": str, "dynamic": bool, "target": str, "follows_tensors": bool, "debug": bool, "strict": bool,
     "quiet": bool}

The names of a block are sorted. A value is a tuple `(kind, integer, real, text, elements)`, where `kind` is one of
none, ellipsis, bool, int, float, string, tuple, dict, dtype, symbol, extent, function, language, builtin, unusable,
and `elements` is a list of values.

The watches are a list of tuples `(kind, container, name, found)` that say where each name was looked up and what it
was:

    ("item", dict, key, object)       a global, or what stands in a module
    ("cell", cell, None, object)      a variable of an enclosing function
    ("attribute", object, name, object)
    ("content", list or dict, None, tuple of what it held)
    ("file", path, None, (time, size))

`found` is None if there was nothing. As long as every watch finds the same objects, the program is the same.
"""

from __future__ import annotations

import builtins
import math
from types import CellType, FrameType, FunctionType, ModuleType

from tegula._config import HOST_TARGET, VALUES, WATCHED
from tegula._defaults import defaults_of
from tegula._errors import SourceError
from tegula._load import load
from tegula._objects import DType, Extent, Name
from tegula._source import Source
from tegula._values import MOST_NESTED, Converter, Value, foreign_dtype, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tegula._uses import Uses

Watch = tuple[str, object, object, object]

_MISSING = object()


class Capture:
    """A decorated function or class."""

    def __init__(
        self,
        function: FunctionType | type,
        decorator: str,
        frame: FrameType,
        method: str = "",
        dynamic: bool = False,
        target: str | None = None,
        debug: bool | None = None,
        strict: bool | None = None,
    ) -> None:
        _check_kind(function, decorator)
        self.function = function
        self.decorator = decorator
        self.method = method
        self.dynamic = bool(dynamic)
        self.target = target
        self.debug = debug
        self.strict = strict
        #: True of what a program wrote: nobody is told what may not have been meant.
        self.quiet = False
        self.source = Source(function, frame)
        self._block: tuple[int, str, Uses] | None = None
        # Annotations see the variables of the function or class body around them as they are now, and nobody keeps
        # those for us.
        self._around: dict[str, Any] = {}
        if frame.f_locals is not frame.f_globals:
            self._around = self._take_around(frame)

    def _take_around(self, frame: FrameType) -> dict[str, Any]:
        try:
            uses = self.block[2]
        except (SourceError, SyntaxError):
            return {}
        names = {dotted.split(".", 1)[0] for dotted in uses.around}
        if isinstance(self.function, type):
            names -= set(vars(self.function))
        found = {}
        while frame is not None and frame.f_locals is not frame.f_globals:
            for name in names - set(found):
                if name in frame.f_locals:
                    found[name] = frame.f_locals[name]
            # A class body does not show the variables around it, but it is called from there.
            is_inside = frame.f_back is not None and frame.f_code in frame.f_back.f_code.co_consts
            frame = frame.f_back if is_inside else None
        return found

    @property
    def block(self) -> tuple[int, str, Uses]:
        """The first line, the text, and the names used."""
        if self._block is None:
            # Loads `ast`, which nobody needs who only imports kernels.
            find_uses = load("tegula._uses").find_uses
            first, text = self.source.find_block()
            self._block = (first, text, find_uses(text))
        return self._block

    def follow_file(self) -> None:
        """Takes the text from the file again if that has changed."""
        if self.source.follow_file(self.function.__qualname__):
            self._block = None

    def functions(self) -> dict[str, FunctionType]:
        """The functions whose bodies are in the block: itself, or the methods of a class."""
        if isinstance(self.function, FunctionType):
            return {"": self.function}
        members = ((name, getattr(member, "_capture", None)) for name, member in vars(self.function).items())
        return {name: capture.function for name, capture in members if isinstance(capture, Capture)}

    def resolve(self) -> tuple[dict[str, Any], list[Watch]]:
        """The program and the watches as they are now."""
        return _Resolver(self).run()

    def __repr__(self) -> str:
        return f"<capture of {self.function.__qualname__} under pl.{self.decorator}>"


def _check_kind(function: Any, decorator: str) -> None:
    if isinstance(function, type) and decorator == "program":
        return
    if isinstance(function, type):
        raise TypeError(f"@pl.{decorator} belongs to a function; a class takes @pl.program")
    if not isinstance(function, FunctionType):
        what = f"an object of the type '{type(function).__name__}'"
        raise TypeError(f"@pl.{decorator} belongs to a function written in Python, got {what}")
    if hasattr(function, "__wrapped__"):
        raise TypeError(
            f"@pl.{decorator} must be the decorator next to the 'def': another one has put a function of its own in "
            f"the place of '{function.__name__}'"
        )
    if function.__name__ == "<lambda>":
        raise TypeError(f"@pl.{decorator} belongs to a function with a name, not to a lambda; write a 'def'")


class _Resolver:
    """Resolves the names of a capture and of all it refers to, each once."""

    def __init__(self, entry: Capture) -> None:
        self.entry = entry
        self.captures: list[Capture] = []
        self.converter = Converter(self._add)
        self.watches: dict[tuple, Watch] = {}
        self._add(entry)

    def _add(self, capture: Capture) -> int:
        for index, known in enumerate(self.captures):
            if known is capture:
                return index
        self.captures.append(capture)
        return len(self.captures) - 1

    def run(self) -> tuple[dict[str, Any], list[Watch]]:
        blocks = []
        # The list grows while it is gone through.
        for capture in self.captures:
            if VALUES["reload"]:
                capture.follow_file()
                self._watch("file", capture.source.path, None, capture.source.stamp)
            first, text, _ = capture.block
            names = sorted(self._names_of(capture).items())
            blocks.append((capture.source.path, first, text, capture.function.__name__, capture.decorator, names))
        self._watch("item", WATCHED, "choices", WATCHED["choices"])
        program = {
            "blocks": blocks,
            "symbols": [(symbol.name, symbol.path, symbol.line) for symbol in self.converter.symbols],
            "method": self.entry.method,
            "dynamic": self.entry.dynamic,
            "target": self._setting("target"),
            # Who names no target wants the kernel to run where its tensors are.
            "follows_tensors": self.entry.target is None and VALUES["target"] == HOST_TARGET,
            "debug": bool(self._setting("debug")),
            "strict": bool(self._setting("strict")),
            "quiet": self.entry.quiet,
        }
        return program, list(self.watches.values())

    def _setting(self, name: str) -> Any:
        """What the decorator says, or else what holds for all."""
        chosen = getattr(self.entry, name)
        return VALUES[name] if chosen is None else chosen

    def _watch(self, kind: str, container: Any, name: Any, found: Any) -> None:
        found = None if found is _MISSING else found
        self.watches.setdefault((kind, id(container), name), (kind, container, name, found))

    def _watch_content(self, obj: Any, depth: int = 0) -> None:
        """Watches what a list or a dict holds, and what the lists and dicts in it hold."""
        if (
            not isinstance(obj, (tuple, list, dict))
            or ("content", id(obj), None) in self.watches
            or depth > MOST_NESTED
        ):
            return
        contents = tuple(obj.items()) if isinstance(obj, dict) else tuple(obj)
        if not isinstance(obj, tuple):
            self._watch("content", obj, None, contents)
        for part in obj.values() if isinstance(obj, dict) else contents:
            self._watch_content(part, depth + 1)

    def _names_of(self, capture: Capture) -> dict[str, Value]:
        uses = capture.block[2]
        names: dict[str, Value] = {}
        functions = capture.functions()
        for method, inside in uses.inside.items():
            if method in functions:
                for dotted in sorted(inside):
                    self._resolve(dotted, functions[method], {}, names)
        some = next(iter(functions.values()), None)
        for dotted in sorted(uses.around):
            self._resolve(dotted, some, capture._around, names)
        for function in functions.values():
            self._add_defaults(function, names)
        return names

    def _add_defaults(self, function: FunctionType, names: dict[str, Value]) -> None:
        """Adds what Python found the defaults of a function to be, under names that nothing else has."""
        for kind in ("__defaults__", "__kwdefaults__"):
            self._watch("attribute", function, kind, getattr(function, kind))
        for parameter, default in defaults_of(function).items():
            found = self.converter.convert(parameter, default)
            if found[0] != "unusable":
                self._watch_content(default)
                names[f"{function.__name__}({parameter}=)"] = found

    def _resolve(self, dotted: str, function: FunctionType | None, around: dict, names: dict[str, Value]) -> None:
        """Adds what a dotted name stands for, under as much of the name as it takes."""
        head, *rest = dotted.split(".")
        obj = around[head] if head in around else self._look_up(head, function)
        name = head
        if obj is _MISSING:
            return
        if isinstance(obj, CellType):
            names[head] = value("unusable", text=f"the variable '{head}' of the enclosing function has no value yet")
            return
        for attribute in rest:
            if not _has_names(obj):
                break
            inner = self._get(obj, attribute)
            if inner is _MISSING:
                names[f"{name}.{attribute}"] = value("unusable", text=f"'{name}' has no attribute '{attribute}'")
                return
            name = f"{name}.{attribute}"
            obj = inner
        self._watch_content(obj)
        names.setdefault(name, self.converter.convert(name, obj))

    def _look_up(self, name: str, function: FunctionType | None) -> Any:
        """What a name is: the cell of the closure, then the globals, then Python's own."""
        if function is None:
            return _MISSING
        free = function.__code__.co_freevars
        if name in free:
            cell = function.__closure__[free.index(name)]
            try:
                found = cell.cell_contents
            except ValueError:
                self._watch("cell", cell, None, None)
                return cell
            self._watch("cell", cell, None, found)
            return found
        found = function.__globals__.get(name, _MISSING)
        if not _is_language(found):
            self._watch("item", function.__globals__, name, found)
        return vars(builtins).get(name, _MISSING) if found is _MISSING else found

    def _get(self, obj: Any, name: str) -> Any:
        if isinstance(obj, ModuleType):
            found = vars(obj).get(name, _MISSING)
            if found is _MISSING:
                # A module may make names when they are asked for.
                found = getattr(obj, name, _MISSING)
                self._watch("attribute", obj, name, found)
            elif obj is not math:
                self._watch("item", vars(obj), name, found)
            return found
        found = getattr(obj, name, _MISSING)
        self._watch("attribute", obj, name, found)
        return found


def _is_language(obj: Any) -> bool:
    return isinstance(obj, ModuleType) and obj.__name__ == "tegula.language"


def _has_names(obj: Any) -> bool:
    """True if attributes of `obj` are to be looked up now: it is a module, a class or an object that holds values."""
    if _is_language(obj) or isinstance(obj, (Name, DType, Extent)):
        return False
    if isinstance(obj, (int, float, str)):
        return hasattr(obj, "_value_")
    if isinstance(obj, (tuple, list, dict)):
        return hasattr(obj, "_fields")
    return not hasattr(obj, "_capture") and foreign_dtype(obj) is None
