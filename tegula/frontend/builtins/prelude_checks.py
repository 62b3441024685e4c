# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels check while they run. See prelude.py for what may stand here."""

import tegula.language as pl


@pl.theme("tasks", effect=True)
def assert_(condition, message=None):
    """nothing; an error of the call unless the condition holds, in a tile everywhere, with the message, the line and
    the iterations of the loops around it"""
    if pl._is_shaped(condition):
        pl._assert(pl.read(pl.reshape(pl.all(condition), [1]), [0]), message)
    else:
        pl._assert(condition, message)
