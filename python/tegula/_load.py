# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that are loaded when a kernel first needs them.

A child has only the thread that forked. If another thread was loading a module, the child has it half loaded, with
Python's lock on it held for ever, and waits when it wants it too. So a fork waits until nothing is loaded here.
"""

import os
import sys
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_loading = RLock()
_loaded: dict[str, "ModuleType"] = {}
os.register_at_fork(before=_loading.acquire, after_in_parent=_loading.release, after_in_child=_loading.release)


def load(name: str) -> "ModuleType":
    """The module of that dotted name."""
    found = _loaded.get(name)
    if found is None:
        with _loading:
            __import__(name)
            found = _loaded[name] = sys.modules[name]
    return found
