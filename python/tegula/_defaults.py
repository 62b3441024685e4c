# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parameters of a function are if no caller says."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def defaults_of(function: Any) -> dict[str, Any]:
    """The defaults by the names of the parameters, as they were where the function was defined."""
    # The module `inspect` would do the same; loading it takes longer than a call may.
    if isinstance(function, type):
        return {}
    values = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return {**dict(zip(names[len(names) - len(values) :], values, strict=True)), **(function.__kwdefaults__ or {})}
