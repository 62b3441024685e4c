# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state of the caller's autocast on CPUs."""

from __future__ import annotations

from contextlib import AbstractContextManager

import torch

#: The annotation of a node that has the type which autocast casts to there.
AUTOCAST = "tegula.autocast"


def find_autocast() -> torch.dtype | None:
    """The type that autocast casts to; nothing if it is off."""
    return torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else None


def set_autocast(dtype: torch.dtype | None) -> AbstractContextManager:
    """Autocast to a type, or none. Casts of parameters are not kept: those of a trace are no tensors."""
    return torch.autocast("cpu", dtype=dtype, enabled=dtype is not None, cache_enabled=False)
