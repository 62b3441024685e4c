# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong with a call, in the judge's eyes."""


class Refused(Exception):
    """The call is an error: of the kernel, or at run time."""


class Undecided(Exception):
    """A rounding error, or what is undefined, decides what happens next: there is nothing to compare."""


class NotEvaluated(Exception):
    """The program uses what this judge does not know."""
