# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the text of a function or a class stands. It is taken when the decorator runs, so that a file that changes
later does not matter until it is loaded again."""

from __future__ import annotations

from tegula._errors import SourceError
from tegula._load import load

# compile() then stops after parsing: ast.PyCF_ONLY_AST.
_ONLY_AST = 0x400

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, FunctionType


class Source:
    """The lines of a file, as they were, and where in it a definition stands."""

    def __init__(self, function: FunctionType | type, frame: FrameType) -> None:
        import linecache

        self.name = function.__name__
        self.is_class = isinstance(function, type)
        code, line = (frame.f_code, frame.f_lineno) if self.is_class else (function.__code__, 0)
        self.path = code.co_filename
        self.line = line or code.co_firstlineno
        self.stamp = _stamp(self.path)
        # A reloaded module is read again; what IPython and others have registered stays.
        linecache.checkcache(self.path)
        self.lines = linecache.getlines(self.path, frame.f_globals if self.is_class else function.__globals__)

    def follow_file(self, qualified_name: str) -> bool:
        """Reads the file again if it is another one by now; True if the definition is still in it. While an author is
        writing, the file may be no Python at all: then the last text stays."""
        import linecache

        stamp = _stamp(self.path)
        if stamp is None or stamp == self.stamp:
            return False
        self.stamp = stamp
        linecache.checkcache(self.path)
        lines = linecache.getlines(self.path)
        ast = load("ast")
        try:
            body = ast.parse("".join(lines)).body
        except SyntaxError:
            return False
        found = None
        for name in qualified_name.replace(".<locals>", "").split("."):
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            found = next((node for node in reversed(body) if isinstance(node, kinds) and node.name == name), None)
            if found is None:
                return False
            body = found.body
        self.lines = lines
        self.line = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
        return True

    def find_block(self) -> tuple[int, str]:
        """The first line of the definition, counted from 1, and its text with the decorators."""
        if not self.lines:
            raise SourceError(
                f"{self.path}: the source of '{self.name}' cannot be found; a kernel is compiled from its text, so "
                "write it in a file or a notebook, or register the text with linecache before running it"
            )
        first = self._find_class() if self.is_class else self.line
        text = "".join(_take_block(self.lines[first - 1 :])) if first <= len(self.lines) else ""
        if self.name not in text:
            raise SourceError(
                f"{self.path}: line {self.line} does not show '{self.name}'; the file has changed since it was loaded"
            )
        return first, text

    def _find_class(self) -> int:
        """The first decorator of the class: around the line that is being executed, or else the last of its name."""
        ast = load("ast")
        found = self.line
        for node in ast.walk(ast.parse("".join(self.lines))):
            if isinstance(node, ast.ClassDef) and node.name == self.name:
                found = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                if found <= self.line <= (node.end_lineno or 0):
                    break
        return found


def _stamp(path: str) -> tuple[int, int] | None:
    """When the file was written, and its size; None if there is no such file."""
    import os

    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_size)


def _take_block(lines: list[str]) -> list[str]:
    """The lines of the definition that starts on the first of them, with its decorators and its body.

    It ends before a line that does not stand deeper, unless that is inside a string or brackets: then what comes before
    cannot be parsed. Splitting the text into tokens would tell as well, but takes Python several milliseconds.
    """
    width = _indent(lines[0])
    first_end = 0
    for end in range(1, len(lines) + 1):
        if end < len(lines) and not _may_end(lines[end], width):
            continue
        first_end = first_end or end
        if _is_whole("".join(lines[:end])):
            return _without_tail(lines[:end])
    return _without_tail(lines[: first_end or 1])


def _may_end(line: str, width: int) -> bool:
    return line.strip() != "" and not line.lstrip().startswith("#") and _indent(line) <= width


def _is_whole(text: str) -> bool:
    if text[:1] in " \t":
        text = "if 1:\n" + text
    try:
        compile(text, "<kernel>", "exec", flags=_ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _without_tail(lines: list[str]) -> list[str]:
    """Without blank lines and comments at the end, which belong to what follows."""
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines = lines[:-1]
    return lines


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())
