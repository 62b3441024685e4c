# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether what was found is what the judge allows."""

from __future__ import annotations

import dataclasses

import numpy as np

from .tensor import Tensor


@dataclasses.dataclass
class Count:
    """How many elements were compared, how many of them bit for bit, and how many could not be."""

    exact: int = 0
    bounded: int = 0
    unknown: int = 0

    def add(self, other: Count) -> None:
        self.exact += other.exact
        self.bounded += other.bounded
        self.unknown += other.unknown

    @property
    def compared(self) -> int:
        return self.exact + self.bounded


def _equal(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where both are the same number, or no number."""
    if wanted.dtype.kind in "biu":
        return found == wanted
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    return (a == b) | (np.isnan(a) & np.isnan(b))


def compare(name: str, found: np.ndarray, wanted: Tensor) -> tuple[str, Count]:
    """What is wrong with an output, if anything is, and what was compared."""
    if found.shape != wanted.data.shape:
        return f"{name} has shape {found.shape}, not {wanted.data.shape}", Count()
    error = wanted.error
    right = _equal(found, wanted.data) | np.isinf(error)
    inexact = (error > 0) & ~np.isinf(error)
    if inexact.any():
        with np.errstate(all="ignore"):
            apart = np.abs(found.astype(np.float64) - wanted.data.astype(np.float64))
        right |= inexact & (apart <= error)
    count = Count(int((error == 0).sum()), int(inexact.sum()), int(np.isinf(error).sum()))
    if right.all():
        return "", count
    at = tuple(int(position) for position in np.argwhere(~right)[0])
    position = ", ".join(map(str, at))
    bound = f" by no more than {error[at]:.3g}" if error[at] else ""
    text = (
        f"{name}[{position}] is {found[at]}, not {wanted.data[at]}{bound}; {int((~right).sum())} of {right.size} differ"
    )
    return text, count
