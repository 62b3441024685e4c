# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel language: `import tegula.language as pl`.

Kernels are parsed, never executed, so that most names here only stand for themselves. Types, `pl.dynamic` and the
decorators are what Python runs. The stubs next to this file have signatures and meanings of all of them, which `help`
shows too.
"""

from __future__ import annotations

import sys

from tegula import _names
from tegula._decorate import function, inline, jit, program
from tegula._objects import CeilDiv, Choice, Declaration, DType, Name, dynamic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["dynamic", "function", "inline", "jit", "program", *_names.DTYPES, *_names.FUNCTIONS]

for _name in _names.DTYPES:
    globals()[_name] = DType(_name)
del _name

min = Choice("min")
max = Choice("max")
cdiv = CeilDiv("cdiv")
for _name in _names.DECLARATIONS:
    globals()[_name] = Declaration(_name)
del _name


# `import tegula.language.distributed as pld`: the names of programs over ranks.
distributed = sys.modules[f"{__name__}.distributed"] = Name("distributed")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'tegula.language' has no attribute '{name}'")
    if name == "JITFunction":
        # What a decorated function is. The extension is loaded when it is first needed.
        from tegula import _tegula

        return _tegula.Kernel
    # What begins with a capital is a type or a list of words, which the compiler knows; of functions, those that take
    # a number in the place of the second tile have an 's' at the end.
    known = name[:1].isupper() or name in _names.SET or (name.endswith("s") and name[:-1] in _names.SET)
    if not known:
        import difflib

        near = " or ".join(f"'pl.{other}'" for other in difflib.get_close_matches(name, sorted(_names.SET), 2, 0.75))
        raise AttributeError(f"the language has no 'pl.{name}'" + (f"; did you mean {near}?" if near else ""))
    made = globals()[name] = Name(name)
    return made


def __dir__() -> list[str]:
    return sorted({*__all__, *_names.SET, *_names.TYPES, *_names.DECLARATIONS, "JITFunction"})
