# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the names of the language are for type checkers.

Kernels are not run by Python, so
that what happens to values in them is not Python's to check: they have every operator, and give Any.
"""

import os
from collections.abc import Iterator
from typing import Any, ClassVar, overload

from tegula._methods import Report, Variant

class Value:
    """A tensor, a tile or a number in a kernel."""

    shape: Any
    """The extents, one for each axis."""
    dtype: Any
    """The element type."""
    T: Any
    """The last two axes exchanged."""
    def bind_dynamic(self, axis: int, symbol: Symbol) -> None:
        """Declares an axis as the annotation would: it has the extent `symbol`."""
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __floordiv__(self, other: Any) -> Any: ...
    def __rfloordiv__(self, other: Any) -> Any: ...
    def __mod__(self, other: Any) -> Any: ...
    def __rmod__(self, other: Any) -> Any: ...
    def __pow__(self, other: Any) -> Any: ...
    def __rpow__(self, other: Any) -> Any: ...
    def __matmul__(self, other: Any) -> Any: ...
    def __and__(self, other: Any) -> Any: ...
    def __rand__(self, other: Any) -> Any: ...
    def __or__(self, other: Any) -> Any: ...
    def __ror__(self, other: Any) -> Any: ...
    def __xor__(self, other: Any) -> Any: ...
    def __rxor__(self, other: Any) -> Any: ...
    def __lshift__(self, other: Any) -> Any: ...
    def __rlshift__(self, other: Any) -> Any: ...
    def __rshift__(self, other: Any) -> Any: ...
    def __rrshift__(self, other: Any) -> Any: ...
    def __neg__(self) -> Any: ...
    def __pos__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __invert__(self) -> Any: ...
    def __lt__(self, other: Any) -> Any: ...
    def __le__(self, other: Any) -> Any: ...
    def __gt__(self, other: Any) -> Any: ...
    def __ge__(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> Any: ...
    def __ne__(self, other: object) -> Any: ...

class Symbol(Value):
    """A size that varies from call to call, made by `pl.dynamic`, or arithmetic on such sizes."""

    name: str
    """What it is called in messages."""

class DType(Value):
    """An element type: `pl.FP32`. As an annotation, a number of this type given at run time."""

    name: ClassVar[str]
    @classmethod
    def get_byte(cls) -> int:
        """The bytes of an element; two of 4 bits share one."""

class JITFunction:
    """A kernel: a function under `pl.jit`. Calling it compiles it if that has not been done, and runs it.

    Outputs that are left out are made and returned.
    """

    __name__: str
    __wrapped__: Any
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def compile(self, *args: Any, **kwargs: Any) -> JITFunction:
        """Compiles for calls with arguments like these, without running. Without arguments, if the annotations say
        everything."""
    def lower(self, *args: Any, stage: str = "inferred", **kwargs: Any) -> str:
        """The program at a stage: "source", "frontend", "inferred", "tiles" or one of the target's."""
    def bench(self, *args: Any, seconds: float = ..., **kwargs: Any) -> Any:
        """How long a call with these arguments takes."""

    def explain(self, *args: Any, perf: bool = False, **kwargs: Any) -> str:
        """What was specialised and why, and what a call would find; with `perf` where the time of a call goes, line by
        line, and what to change."""
    def export(
        self,
        path: str | os.PathLike[str],
        *args: Any,
        header: str | os.PathLike[str] | bool | None = None,
        held: Any = (),
        **kwargs: Any,
    ) -> None:
        """Writes a shared library that needs neither Tegula nor Python, and its C header."""
    def equals(self, other: JITFunction, *args: Any, **kwargs: Any) -> bool:
        """Whether both are the same program."""
    def difference(self, other: JITFunction, *args: Any, **kwargs: Any) -> str:
        """The first thing in which two programs differ, with both locations; empty if there is none."""
    def clear(self) -> None:
        """Forgets all that was compiled in this process."""
    @property
    def last_report(self) -> Report:
        """How the last call went on the simulated machine it was compiled for."""
    @property
    def variants(self) -> list[Variant]:
        """What has been compiled, one for each choice of types and shapes of the open parameters."""
    @property
    def signature(self) -> str:
        """The parameters as they are declared."""
    @property
    def compile_count(self) -> int:
        """How often it was compiled in this process."""
    @property
    def key(self) -> str:
        """What the program is kept under on disk."""

class Program(JITFunction):
    """A class under `pl.program`. Each of its methods is a kernel, too."""

    def __getattr__(self, name: str) -> JITFunction: ...

class Decorator:
    """Makes a kernel of a function, bare or with parentheses."""

    @overload
    def __call__(self, function: Any, /) -> JITFunction: ...
    @overload
    def __call__(self, **options: Any) -> Decorator: ...

class Jit:
    """`@pl.jit` makes a kernel of a function. With parentheses it takes choices: `dynamic=True` leaves axes without a
    declared size to the call, `target="cpu"` says what it is compiled for, `debug=True` lets tensors it makes start as
    zeros, `strict=True` makes errors of warnings."""

    @overload
    def __call__(self, function: Any, /) -> JITFunction: ...
    @overload
    def __call__(
        self,
        *,
        dynamic: bool = ...,
        target: str | None = ...,
        debug: bool = ...,
        strict: bool = ...,
        auto_scope: bool = ...,
    ) -> Decorator: ...
    incore: Decorator
    """A helper that runs in a core; `level=` says of which kind."""
    inline: Decorator
    """A helper whose body is placed at each call."""
    graph: Decorator
    """As `inline`."""
    opaque: Decorator
    """A helper with a place in the machine."""
    host: Decorator
    """An entry that all ranks run together."""
    extern: Decorator
    """A stub of a function that is not written here; to call it is an error."""

class ProgramDecorator:
    """`@pl.program` makes a program of a class whose methods are kernels."""

    @overload
    def __call__(self, function: Any, /) -> Program: ...
    @overload
    def __call__(
        self, *, dynamic: bool = ..., target: str | None = ..., debug: bool = ..., strict: bool = ..., strict_ssa: bool = ...
    ) -> ProgramDecorator: ...

class Words:
    """A list of words, such as `pl.Level`."""

    def __getattr__(self, name: str) -> Any: ...
    def __call__(self, *args: Any, **options: Any) -> Any: ...

def dynamic(name: str | None = None) -> Symbol:
    """Makes a symbol: an extent that varies from call to call, under the name it has in messages. Without one, that is
    the name of the variable."""
