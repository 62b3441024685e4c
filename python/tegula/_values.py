# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python objects as the values that a kernel can use.

A value is a tuple of kind, integer, real, text and elements; tegula/launch/call/Program.h says which of them count.
"""

from __future__ import annotations

import sys
from types import BuiltinFunctionType, FunctionType, ModuleType

from tegula._objects import DType, Expression, Name, Symbol, Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Value = tuple[str, int, float, str, list]

# Lists may hold lists, but only so deep: one may hold itself.
MOST_NESTED = 8

BUILTINS = frozenset(
    ("min", "max", "abs", "range", "len", "int", "float", "bool", "print")
    + ("tuple", "list", "sum", "zip", "enumerate", "reversed")
)

# The names that NumPy, PyTorch and ml_dtypes have for element types.
DTYPES = {
    "bool": "BOOL",
    "bool_": "BOOL",
    **{f"{sign}int{bits}": f"{sign.upper()}INT{bits}" for sign in ("", "u") for bits in (4, 8, 16, 32, 64)},
    "half": "FP16",
    "bfloat16": "BF16",
    **{f"float{bits}": f"FP{bits}" for bits in (16, 32, 64)},
    "float8_e4m3fn": "FP8E4M3FN",
    "float8_e5m2": "FP8E5M2",
}


def value(kind: str, integer: int = 0, real: float = 0.0, text: str = "", elements: list | None = None) -> Value:
    return (kind, integer, real, text, elements or [])


def unusable(name: str, what: str) -> Value:
    return value("unusable", text=f"'{name}' is not something a kernel can use ({what})")


def is_foreign_scalar(obj: Any) -> bool:
    """True for numbers of NumPy, without loading it."""
    return any(base.__module__ == "numpy" and base.__name__ == "generic" for base in type(obj).__mro__)


def foreign_dtype(obj: Any) -> str | None:
    """The element type that `np.float32`, `np.dtype("float32")` or `torch.float32` is."""
    home = obj if isinstance(obj, type) else type(obj)
    if home.__module__ not in ("numpy", "torch", "ml_dtypes", "numpy.dtypes"):
        return None
    if isinstance(obj, type):
        return DTYPES.get(obj.__name__)
    if home.__module__ == "torch":
        return DTYPES.get(str(obj).removeprefix("torch.")) if home.__name__ == "dtype" else None
    return DTYPES.get(getattr(obj, "name", "")) if "dtype" in home.__name__.lower() else None


class Converter:
    """Turns objects into values, and numbers the symbols and functions it meets."""

    def __init__(self, add_function: Any) -> None:
        self.symbols: list[Symbol] = []
        self.add_function = add_function

    def convert(self, name: str, obj: Any, depth: int = 0) -> Value:
        if obj is None:
            return value("none")
        if obj is ...:
            return value("ellipsis")
        if isinstance(obj, bool):
            return value("bool", int(obj))
        if isinstance(obj, int) or (is_foreign_scalar(obj) and isinstance(obj.item(), (int, float, bool))):
            return self._number(name, obj if isinstance(obj, int) else obj.item())
        if isinstance(obj, float):
            return value("float", real=float(obj))
        if isinstance(obj, str):
            return value("string", text=str(obj))
        if isinstance(obj, (tuple, list, dict)):
            return self._container(name, obj, depth)
        return self._language(name, obj) or self._other(name, obj, depth)

    def _number(self, name: str, obj: Any) -> Value:
        if isinstance(obj, bool):
            return value("bool", int(obj))
        if isinstance(obj, float):
            return value("float", real=obj)
        if not -(1 << 63) <= obj < 1 << 63:
            return unusable(name, f"the integer {obj} does not fit 64 bits")
        return value("int", int(obj))

    def _container(self, name: str, obj: Any, depth: int) -> Value:
        if depth > MOST_NESTED:
            return unusable(name, f"lists in lists, more than {MOST_NESTED} deep")
        if isinstance(obj, dict):
            parts = [part for item in obj.items() for part in item]
        else:
            parts = list(obj)
        elements = [self.convert(name, part, depth + 1) for part in parts]
        for element in elements:
            if element[0] == "unusable":
                return element
        return value("dict" if isinstance(obj, dict) else "tuple", elements=elements)

    def _language(self, name: str, obj: Any) -> Value | None:
        if isinstance(obj, Symbol):
            for index, known in enumerate(self.symbols):
                if known is obj:
                    return value("symbol", index)
            self.symbols.append(obj)
            return value("symbol", len(self.symbols) - 1)
        if isinstance(obj, Expression):
            operands = [self.convert(name, operand) for operand in (obj.lhs, obj.rhs)]
            return value("extent", text=obj.op, elements=operands)
        if isinstance(obj, Name):
            return value("language", text=obj.path)
        if isinstance(obj, DType):
            return value("dtype", text=obj.name)
        if isinstance(obj, Type):
            return unusable(name, "an annotation under a name of its own; write it in full")
        if isinstance(obj, ModuleType) and obj.__name__ == "tegula.language":
            return value("language")
        capture = getattr(obj, "_capture", None)
        if capture is not None and hasattr(capture, "resolve"):
            return value("function", self.add_function(capture))
        dtype = foreign_dtype(obj)
        return value("dtype", text=dtype) if dtype else None

    def _other(self, name: str, obj: Any, depth: int) -> Value:
        enum = sys.modules.get("enum")
        if enum and isinstance(obj, enum.Enum):
            return self.convert(name, obj.value, depth)
        if isinstance(obj, (BuiltinFunctionType, type)) and obj.__module__ == "builtins" and obj.__name__ in BUILTINS:
            return value("builtin", text=obj.__name__)
        if isinstance(obj, BuiltinFunctionType) and obj.__module__ == "math":
            return value("builtin", text=f"math.{obj.__name__}")
        if isinstance(obj, FunctionType):
            return unusable(name, f"a function without a kernel decorator at line {obj.__code__.co_firstlineno}")
        if isinstance(obj, ModuleType):
            return unusable(name, f"the module '{obj.__name__}'")
        if isinstance(obj, type):
            return unusable(name, f"the class '{obj.__name__}'")
        if hasattr(obj, "__dlpack__") or hasattr(obj, "__array_interface__"):
            return unusable(name, f"a tensor, of the type '{type(obj).__name__}'; pass it as an argument")
        return unusable(name, f"an object of the type '{type(obj).__name__}'")
