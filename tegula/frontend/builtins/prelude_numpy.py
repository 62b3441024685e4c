# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that those who come from NumPy look for, made of others. See prelude.py for what may stand here."""

import tegula.language as pl


@pl.theme("elementwise")
def isnan(x):
    """whether x is not a number, as BOOL"""
    return x != x


@pl.theme("elementwise")
def isinf(x):
    """whether x is infinite, as BOOL"""
    return pl.abs(pl._as_float(x)) == float("inf")


@pl.theme("elementwise")
def isfinite(x):
    """whether x is a number and not infinite, as BOOL"""
    return pl.abs(pl._as_float(x)) < float("inf")


@pl.theme("elementwise")
def exp2(x: pl.Tile):
    """2 ** x"""
    return pl.pow(2.0, x)


@pl.theme("elementwise")
def log2(x: pl.Tile):
    """the logarithm to the base 2"""
    return pl._narrow(pl.log(pl._wide(x)) / 0.6931471805599453, x)


@pl.theme("elementwise")
def sign(x: pl.Tile):
    """1 where x is above 0, -1 where it is below, and 0 where it is 0; NaN stays NaN"""
    pl.static_assert(x.dtype != pl.BOOL, f"'{__name__}' takes numbers, got {x}")
    if x.dtype in (pl.UINT8, pl.UINT16, pl.UINT32, pl.UINT64):
        return pl.cast(x > 0, x.dtype)
    wide = pl._wide(x)
    # Of x itself 0 and NaN are left, and a 0 has no sign.
    return pl._narrow(pl.select(wide > 0, 1, pl.select(wide < 0, -1, wide + 0)), x)


@pl.theme("elementwise")
def hypot(a: pl.Tile, b: pl.Tile):
    """sqrt(a * a + b * b) of floats, without overflow between; infinite where one is, whatever the other"""
    x, y = pl.abs(pl._wide(a)), pl.abs(pl._wide(b))
    larger, smaller = pl.select(x > y, x, y), pl.select(x > y, y, x)
    ratio = smaller / larger
    root = pl.select(larger == 0, smaller, larger * pl.sqrt(1.0 + ratio * ratio))
    length = pl.select((x == float("inf")) | (y == float("inf")), float("inf"), root)
    return pl._narrow(length, a + b)


@pl.theme("elementwise")
def logaddexp(a: pl.Tile, b: pl.Tile):
    """log(exp(a) + exp(b)) of floats, without overflow"""
    x, y = pl._wide(a), pl._wide(b)
    apart = pl.maximum(x, y) + pl.log1p(pl.exp(-pl.abs(x - y)))
    # The difference of infinities is no number.
    return pl._narrow(pl.select(x == y, x + 0.6931471805599453, apart), a + b)


@pl.theme("reductions")
def var(x: pl.Tile, axis=None, keepdims=True, ddof=0):
    """the variance along an axis, or a tuple of them, which stays with extent 1 unless `keepdims` is False; along all if
    none is given. The sum of squares is divided by the count less `ddof`"""
    axes = pl._axes(x, axis)
    wide = pl._wide(x)
    count = 1
    for i in pl.unroll(len(axes)):
        count = count * pl.dim(x, axes[i])
    away = wide - pl.mean(wide, axis=axis)
    squares = pl.sum(away * away, axis=axis, keepdims=keepdims)
    return pl._narrow(squares / pl.cast(count - ddof, wide.dtype), x)


@pl.theme("sort")
def argsort(x: pl.Tile, axis=-1, descending=False):
    """the indices that sort the elements along an axis (INT32); equal ones keep their order"""
    values, indices = pl.sort(x, axis=axis, descending=descending)
    return indices
