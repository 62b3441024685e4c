# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How beyond apart two correct implementations may be: running bounds of rounding errors.

Every value has a bound for each element, None for 0. A bound of infinity says that the element may be anything, as in
memory that nobody wrote, or where a rounding error decides between two branches.
"""

from __future__ import annotations

import numpy as np

from .dtypes import FP32, FP64, DType

Bound = np.ndarray | None


def ulp(magnitude: np.ndarray, dtype: DType) -> np.ndarray:
    """The distance of neighbours at that magnitude."""
    exponent = np.frexp(np.where(np.isfinite(magnitude), magnitude, 0.0))[1] - 1
    return np.ldexp(1.0, np.maximum(exponent, dtype.least_exponent) - (dtype.precision - 1))


def tidy(bound: Bound) -> Bound:
    """None if all is exact; what is no number is infinite."""
    if bound is None:
        return None
    bound = np.where(np.isnan(bound), np.inf, bound)
    return bound if bound.any() else None


def rounded(value: np.ndarray, bound: Bound, dtype: DType) -> Bound:
    """After a rounding to `dtype` that may go another way where the operands differ."""
    if bound is None:
        return None
    with np.errstate(all="ignore"):
        magnitude = np.abs(value.astype(np.float64))
        total = np.where(bound > 0, bound + ulp(magnitude + bound, dtype), 0.0)
        beyond = (bound > 0) & ~(magnitude + total <= dtype.greatest)
        return tidy(np.where(beyond, np.inf, total))


def unknown(*bounds: Bound) -> Bound:
    """Infinite wherever one of these is not exact."""
    known = [bound for bound in bounds if bound is not None]
    if not known:
        return None
    return np.where(np.any(np.stack(np.broadcast_arrays(*[bound > 0 for bound in known])), axis=0), np.inf, 0.0)


def accumulator(dtype: DType) -> DType:
    """What sums of floats are added up in."""
    return FP64 if dtype is FP64 else FP32


def lowest_bit(values: np.ndarray) -> np.ndarray:
    """The exponent of the lowest bit that is set; large where the number is 0."""
    mantissa, exponent = np.frexp(values)
    whole = np.abs(np.ldexp(mantissa, 53)).astype(np.int64)
    lowest = (whole & -whole).astype(np.float64)
    return np.where(whole == 0, 1 << 20, exponent - 53 + np.frexp(lowest)[1] - 1)


def of_sum(terms: np.ndarray, axis: int, dtype: DType, roundings: int = 1) -> Bound:
    """The error of a sum of these terms in any order, each rounded so many times, or 0 where every order is exact.

    `terms` are FP64. A sum is exact if every partial sum is a multiple of the lowest bit of its terms and fits the
    precision of the accumulator.
    """
    with np.errstate(all="ignore"):
        wide = accumulator(dtype)
        finite = np.where(np.isfinite(terms), terms, 0.0)
        total = np.abs(finite).sum(axis=axis)
        count = terms.shape[axis]
        lowest = lowest_bit(finite).min(axis=axis, initial=1 << 20)
        floor = wide.least_exponent - wide.precision + 1
        fits = (total <= np.ldexp(1.0, np.minimum(lowest + wide.precision, 1023))) & (lowest >= floor)
        unit = (count + roundings) * 2.0**-wide.precision
        error = unit / (1 - unit) * total + count * np.ldexp(1.0, floor)
        error = np.where(total * (1 + unit) > wide.greatest, np.inf, error)
        return tidy(np.where(fits | (total == 0), 0.0, error))


def of_prod(factors: np.ndarray, axis: int, dtype: DType) -> Bound:
    """The error of a product in any order."""
    with np.errstate(all="ignore"):
        wide = accumulator(dtype)
        sizes = np.abs(np.where(np.isfinite(factors), factors, 1.0))
        most = np.maximum(sizes, 1).prod(axis=axis)
        least = np.where(sizes == 0, 1, np.minimum(sizes, 1)).prod(axis=axis)
        count = factors.shape[axis]
        error = 2 * count * 2.0**-wide.precision * np.abs(factors.prod(axis=axis))
        bits = np.where(sizes == 0, 0, np.frexp(sizes)[1] - lowest_bit(sizes)).sum(axis=axis)
        error = np.where(bits <= wide.precision, 0.0, error)
        extreme = (most > wide.greatest / 2) | (least < 2.0 ** (wide.least_exponent + 1))
        return tidy(np.where(extreme, np.inf, error))
