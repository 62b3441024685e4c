# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the names of the language are for Python: things that can stand in annotations, defaults and decorators."""

from __future__ import annotations

import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Documentation:
    """The `__doc__` of names: of a class its own, of one of its objects what the stubs say of the name."""

    def __init__(self, text: Any) -> None:
        self.text = text

    def __get__(self, name: Any, owner: type) -> str | None:
        if name is None:
            return self.text
        from tegula import _stubs

        return _stubs.document(name.path)


class Name:
    """A name below `pl`. It means something inside a kernel only."""

    __slots__ = ("path",)

    def __init_subclass__(cls) -> None:
        cls.__doc__ = Documentation(cls.__doc__)

    def __init__(self, path: str) -> None:
        self.path = path

    def __getattr__(self, name: str) -> Any:
        if name == "__signature__":
            from tegula import _stubs

            return _stubs.sign(self.path)
        if name.startswith("__"):
            raise AttributeError(f"'pl.{self.path}' has no attribute '{name}'")
        return Name(f"{self.path}.{name}")

    def __reduce__(self) -> tuple:
        return find, (self.path,)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(
            f"pl.{self.path} means something inside a kernel only: in a function under @pl.jit or its kinds"
        )

    def __getitem__(self, item: Any) -> Type:
        return Type(self.path, item if isinstance(item, tuple) else (item,))

    def __repr__(self) -> str:
        return f"pl.{self.path}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)


Name.__doc__ = Documentation(Name.__doc__)


def find(path: str) -> Any:
    """What stands under a dotted name below `pl`."""
    import functools

    from tegula import language

    return functools.reduce(getattr, path.split("."), language)


class Declaration(Name):
    """`pl.MemRef` and the like, which may stand in annotations with arguments of their own. Outside of a kernel they
    are what was written, no more."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Type:
        return Type(self.path, (*args, *(f"{name}={value!r}" for name, value in kwargs.items())), "()")


class Type:
    """`pl.Tensor[[M, 128], pl.FP32]` and the like: what an annotation says."""

    __slots__ = ("name", "arguments", "brackets")

    def __init__(self, name: str, arguments: tuple, brackets: str = "[]") -> None:
        self.name = name
        self.arguments = arguments
        self.brackets = brackets

    def __getitem__(self, item: Any) -> Type:
        return Type(f"{self!r}"[3:], item if isinstance(item, tuple) else (item,))

    def __repr__(self) -> str:
        opening, closing = self.brackets
        return f"pl.{self.name}{opening}{', '.join(map(repr, self.arguments))}{closing}"


class DType:
    """An element type."""

    __slots__ = ("name",)

    @property
    def path(self) -> str:
        return self.name

    def __init__(self, name: str) -> None:
        self.name = name

    def get_byte(self) -> int:
        """The bytes of an element; two of 4 bits share one."""
        digits = re.search(r"\d+", self.name)
        return max(int(digits.group()) // 8, 1) if digits else 8 if self.name == "INDEX" else 1

    def __repr__(self) -> str:
        return f"pl.{self.name}"

    def __reduce__(self) -> tuple:
        return DType, (self.name,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DType) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


DType.__doc__ = Documentation(DType.__doc__)


class Extent:
    """A size that is known at the call: a symbol, or arithmetic on symbols. A symbol is equal to itself only."""

    __slots__ = ()

    def __add__(self, other: Any) -> Extent:
        return _combine("+", self, other)

    def __radd__(self, other: Any) -> Extent:
        return _combine("+", other, self)

    def __sub__(self, other: Any) -> Extent:
        return _combine("-", self, other)

    def __rsub__(self, other: Any) -> Extent:
        return _combine("-", other, self)

    def __mul__(self, other: Any) -> Extent:
        return _combine("*", self, other)

    def __rmul__(self, other: Any) -> Extent:
        return _combine("*", other, self)

    def __floordiv__(self, other: Any) -> Extent:
        return _combine("//", self, other)

    def __rfloordiv__(self, other: Any) -> Extent:
        return _combine("//", other, self)

    def __mod__(self, other: Any) -> Extent:
        return _combine("%", self, other)

    def __rmod__(self, other: Any) -> Extent:
        return _combine("%", other, self)

    def __neg__(self) -> Extent:
        return _combine("-", 0, self)

    def __lt__(self, other: Any) -> NoReturn:
        self._refuse()

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> bool:
        self._refuse()

    def __index__(self) -> int:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise TypeError(
            f"the size {self} is not known before a kernel is called; compare and convert it in the kernel, and write "
            "pl.min and pl.max for the least and the largest of sizes"
        )


class Symbol(Extent):
    """What `pl.dynamic` makes."""

    __slots__ = ("name", "path", "line")

    def __init__(self, name: str, path: str, line: int) -> None:
        self.name = name
        self.path = path
        self.line = line

    def __repr__(self) -> str:
        return self.name

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: dict) -> Symbol:
        return self


class Expression(Extent):
    """Arithmetic on two extents, one of which may be a number."""

    __slots__ = ("op", "lhs", "rhs")

    def __init__(self, op: str, lhs: Any, rhs: Any) -> None:
        self.op = op
        self.lhs = lhs
        self.rhs = rhs

    def __repr__(self) -> str:
        if self.op in ("min", "max"):
            return f"{self.op}({self.lhs}, {self.rhs})"
        return " ".join((_wrap(self.lhs), self.op, _wrap(self.rhs)))


def _wrap(operand: Any) -> str:
    return f"({operand})" if isinstance(operand, Expression) and operand.op not in ("min", "max") else str(operand)


def _combine(op: str, lhs: Any, rhs: Any) -> Extent:
    for operand in (lhs, rhs):
        if isinstance(operand, bool) or not (isinstance(operand, Extent) or hasattr(operand, "__index__")):
            return NotImplemented
    return Expression(op, *(x if isinstance(x, Extent) else x.__index__() for x in (lhs, rhs)))


def _assigned_name(frame: Any) -> str:
    """The variable that the value of the call in progress goes to."""
    import dis

    for instruction in dis.get_instructions(frame.f_code):
        if instruction.offset > frame.f_lasti and instruction.opname != "CACHE":
            if instruction.opname in ("STORE_NAME", "STORE_GLOBAL", "STORE_FAST", "STORE_DEREF"):
                return instruction.argval
            break
    raise TypeError('pl.dynamic() is named by the variable it is assigned to; write pl.dynamic("M") here')


def dynamic(name: str | None = None) -> Symbol:
    """Makes a symbol: an extent that varies from call to call, under the name it has in messages. Without one, that is
    the name of the variable."""
    if name is None:
        name = _assigned_name(sys._getframe(1))
    if not isinstance(name, str):
        raise TypeError(f"pl.dynamic takes the name of the symbol as a string, got {name!r}")
    if not (name.isascii() and name.isidentifier()):
        raise ValueError(f"the name of a symbol must be an identifier, got {name!r}")
    frame = sys._getframe(1)
    return Symbol(name, frame.f_code.co_filename, frame.f_lineno)


def _choose(op: str, values: tuple) -> Any:
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        values = tuple(values[0])
    if not values:
        raise TypeError(f"pl.{op} needs at least one argument")
    result = values[0]
    for value in values[1:]:
        if isinstance(result, Extent) or isinstance(value, Extent):
            result = _combine(op, result, value)
        else:
            result = min(result, value) if op == "min" else max(result, value)
        if result is NotImplemented:
            raise TypeError(f"pl.{op} outside a kernel takes integers and sizes, got {value!r}")
    return result


class Choice(Name):
    """`pl.min` and `pl.max`, which outside of a kernel take sizes and numbers."""

    __slots__ = ()

    def __call__(self, *values: Any) -> Any:
        return _choose(self.path, values)


class CeilDiv(Name):
    """`pl.cdiv`, which outside of a kernel takes sizes and integers."""

    __slots__ = ()

    def __call__(self, lhs: Any, rhs: Any) -> Any:
        if isinstance(lhs, Extent) or isinstance(rhs, Extent):
            return (lhs + (rhs - 1)) // rhs
        return -(-lhs // rhs)
