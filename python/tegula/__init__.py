# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tegula compiles tile kernels: once, for every size.

A kernel is a function under `pl.jit`, where `pl` is `tegula.language`. Calling it compiles it, if that has not been
done in this process or in another, and runs it on the tensors it is given.
"""

from tegula._config import config
from tegula._errors import (
    CallError,
    CompileError,
    Error,
    InternalError,
    KernelWarning,
    ResourceError,
    RunError,
    SourceError,
)
from tegula._ranks import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    __version__: str

__all__ = [
    "CallError",
    "CompileError",
    "Error",
    "InternalError",
    "KernelWarning",
    "ResourceError",
    "RunError",
    "SourceError",
    "config",
    "ranks",
    "__version__",
]


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'tegula' has no attribute '{name}'")
    from tegula import _tegula

    return _tegula.version
