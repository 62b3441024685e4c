# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong, as exceptions."""


class Error(Exception):
    """Anything that Tegula reports."""


class CompileError(Error):
    """A mistake in a kernel. The message has the file, the line and a caret."""

    path: str = ""
    line: int = 0
    column: int = 0


class SourceError(CompileError):
    """The source of a kernel cannot be found."""


class CallError(Error):
    """A call whose arguments do not fit the kernel. Nothing has run."""


class RunError(Error):
    """A kernel that found something wrong while it ran, such as an index out of range."""


class ResourceError(Error):
    """What the machine lacks: a file, room on a disk, memory, a library, threads."""


class InternalError(Error):
    """A compile that failed by no fault of the kernel or the machine: a mistake in Tegula or in LLVM."""


class KernelWarning(UserWarning):
    """Something in a kernel that may not have been meant, at a location in the kernel's source."""


# Users know them by the package they import.
for _error in (Error, CompileError, SourceError, CallError, RunError, ResourceError, InternalError, KernelWarning):
    _error.__module__ = "tegula"
del _error
