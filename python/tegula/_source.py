# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the text of a function or a class stands. It is taken when the decorator runs, so that a file that changes
later does not matter until it is loaded again."""

from __future__ import annotations

from tegula._errors import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
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
        # A reloaded module is read again; what IPython and others have registered stays.
        linecache.checkcache(self.path)
        self.lines = linecache.getlines(self.path, frame.f_globals if self.is_class else function.__globals__)

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
        import ast

        found = self.line
        for node in ast.walk(ast.parse("".join(self.lines))):
            if isinstance(node, ast.ClassDef) and node.name == self.name:
                found = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                if found <= self.line <= (node.end_lineno or 0):
                    break
        return found


def _take_block(lines: list[str]) -> list[str]:
    """The lines of the definition that starts on the first of them, with its decorators and its body."""
    import tokenize

    last = 1
    depth = 0
    has_header = False
    starts_line = True
    try:
        for token in tokenize.generate_tokens(_feed(lines)):
            if token.type == tokenize.INDENT:
                depth += 1
            elif token.type == tokenize.DEDENT:
                depth -= 1
                # The text itself may stand deep in a file: what ends there is a level it never entered.
                if depth <= 0 and has_header:
                    break
            elif token.type == tokenize.NEWLINE:
                last = token.end[0]
                starts_line = True
                if has_header and depth == 0 and not _goes_on(lines, last):
                    break
            elif token.type not in (tokenize.NL, tokenize.COMMENT) and starts_line:
                starts_line = False
                has_header |= token.string != "@"
    except (tokenize.TokenError, IndentationError, SyntaxError):
        # What follows the definition is deeper out than it, or no Python: the last whole line counts.
        pass
    return lines[:last]


def _goes_on(lines: list[str], last: int) -> bool:
    """True if the header that ends on line `last` has a block below it."""
    indent = _indent(lines[0])
    for line in lines[last:]:
        if line.strip() and not line.lstrip().startswith("#"):
            return _indent(line) > indent
    return False


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


def _feed(lines: list[str]) -> Callable[[], str]:
    """Lines without the indentation of the first, which tokenize would take for a block."""
    width = len(lines[0]) - len(lines[0].lstrip())

    def feed() -> Iterator[str]:
        for line in lines:
            if not line.strip():
                yield "\n"
            else:
                # A line that stands further out ends the definition, unless it is inside a string or brackets.
                yield line.lstrip() if line[:width].strip() else line[width:]

    return feed().__next__
