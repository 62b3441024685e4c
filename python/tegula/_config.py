# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of the process, which may be changed for a while: `with tegula.config(cache="off"): ...`."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The target of kernels that name none: the processor this runs on.
HOST_TARGET = "cpu"

# The settings as they are now.
VALUES: dict[str, Any] = {
    # Where kernels are kept between processes; None is TEGULA_CACHE_DIR, or else the user's cache folder.
    "cache_dir": None,
    # "on", "readonly" or "off"; None is TEGULA_CACHE, or else "on".
    "cache": None,
    # At most this many bytes are kept; None is TEGULA_CACHE_SIZE, or else a GiB.
    "cache_limit": None,
    # What kernels are compiled for that do not say it themselves.
    "target": HOST_TARGET,
    # True: tensors that a kernel makes start as zeros, in kernels that do not say it themselves.
    "debug": False,
    # True: what is a warning elsewhere is an error, in kernels that do not say it themselves.
    "strict": False,
    # "compiles": a line on stderr for each kernel that is compiled, with its reason; "" for none; None is TEGULA_LOG.
    "log": None,
    # True: a call looks whether the file of the kernel has changed on disk, and uses the new text.
    "reload": False,
}

# What a compiled kernel depends on.
_CHOICES = ("target", "debug", "strict", "reload")

# All of that as one value: every call looks at it, so this stays one dict.
WATCHED = {"choices": tuple(VALUES[name] for name in _CHOICES)}


def _check(name: str, value: Any) -> Any:
    if name not in VALUES:
        raise AttributeError(f"there is no setting '{name}'; there are {', '.join(VALUES)}")
    if name == "cache" and value not in (None, "on", "readonly", "off"):
        raise ValueError(f"cache is 'on', 'readonly' or 'off', got {value!r}")
    if name == "cache_limit" and value is not None and not _is_size(value):
        raise ValueError(f"cache_limit is a number of bytes of at most 64 bits, got {value!r}")
    if name == "cache_dir" and value is not None:
        return _check_folder(os.fsdecode(value))
    if name in ("reload", "debug", "strict") and not isinstance(value, bool):
        raise ValueError(f"{name} is True or False, got {value!r}")
    if name == "log" and value not in (None, "", "compiles"):
        raise ValueError(f"log is 'compiles' or '', got {value!r}")
    if name == "target":
        _check_target(value)
    return value


def _check_target(value: Any) -> None:
    """What follows the name is for the compiler to check."""
    from tegula._names import TARGETS

    if not isinstance(value, str):
        raise ValueError(f"target is a string, got {value!r}")
    if value.partition(":")[0] not in TARGETS:
        raise ValueError(f"there is no target {value!r}; there is: {', '.join(TARGETS)}")


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64


def _check_folder(path: str) -> str:
    if not path or "\0" in path:
        raise ValueError(f"cache_dir is the path of a folder, got {path!r}")
    return path


class Scope:
    """Changed settings, for the time of a `with`."""

    def __init__(self, changes: dict[str, Any]) -> None:
        self.changes = {name: _check(name, value) for name, value in changes.items()}
        self.before: list[dict[str, Any]] = []

    def __enter__(self) -> Config:
        self.before.append({name: VALUES[name] for name in self.changes})
        _change(self.changes)
        return config

    def __exit__(self, *exception: object) -> None:
        _change(self.before.pop())


def _change(changes: dict[str, Any]) -> None:
    VALUES.update(changes)
    WATCHED["choices"] = tuple(VALUES[name] for name in _CHOICES)
    if any(name.startswith("cache") for name in changes):
        from tegula import _tegula

        _tegula.set_cache(VALUES["cache"], VALUES["cache_dir"], VALUES["cache_limit"])
    if "log" in changes:
        from tegula import _tegula

        _tegula.log_compiles(None if VALUES["log"] is None else VALUES["log"] == "compiles")


class Config:
    """The settings as attributes; calling it changes some for the time of a `with`."""

    def __getattr__(self, name: str) -> Any:
        if name in VALUES:
            return VALUES[name]
        raise AttributeError(f"there is no setting '{name}'; there are {', '.join(VALUES)}")

    def __setattr__(self, name: str, value: Any) -> None:
        _change({name: _check(name, value)})

    def __dir__(self) -> list[str]:
        return list(VALUES)

    def __repr__(self) -> str:
        return "config(" + ", ".join(f"{name}={value!r}" for name, value in VALUES.items()) + ")"

    def __call__(self, **changes: Any) -> Scope:
        return Scope(changes)


config = Config()
