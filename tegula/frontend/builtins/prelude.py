# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the language that are made of others. The compiler has this text in it, reads a function when it is
first called, and puts its body in the place of the call; a mistake is reported where the call is. `__name__` is what
the author called. pl.Scratch is there for other machines, and the names in brackets are other names of a
parameter. Only what is known while compiling decides between statements here."""

import tegula.language as pl


@pl.theme("elementwise")
def addc(lhs, rhs, rhs2):
    """lhs + rhs + rhs2"""
    return lhs + rhs + rhs2


@pl.theme("elementwise")
def addsc(lhs, rhs, rhs2):
    """lhs + rhs + rhs2, of which rhs is a scalar"""
    return lhs + rhs + rhs2


@pl.theme("elementwise")
def subc(lhs, rhs, rhs2):
    """lhs - rhs - rhs2"""
    return lhs - rhs - rhs2


@pl.theme("elementwise")
def subsc(lhs, rhs, rhs2):
    """lhs - rhs - rhs2, of which rhs is a scalar"""
    return lhs - rhs - rhs2


@pl.theme("elementwise")
def lrelu(x: pl.Tile["tile"], slope):
    """x where it is above 0, elsewhere slope * x"""
    pl.static_assert(x.dtype != pl.BOOL, f"'{__name__}' takes numbers, got {x}")
    return pl.select(x > 0, x, x * slope)


@pl.theme("elementwise")
def prelu(x: pl.Tile["tile"], slope, tmp: pl.Scratch = None):
    """as `pl.lrelu`, with a slope for each element"""
    pl.static_assert(x.dtype != pl.BOOL, f"'{__name__}' takes numbers, got {x}")
    return pl.select(x > 0, x, x * slope)


def _column(x, v):
    """A number for each row, as a column."""
    pl.static_assert(x.ndim >= 2, f"'{__name__}' needs at least two axes, got {x}")
    if v.ndim == 1:
        return pl.reshape(v, [pl.dim(v, 0), 1])
    pl.static_assert(v.ndim > 0 and pl._is_one(v, -1), f"'{__name__}' takes a column [M, 1], got {v}")
    return v


def _row(x, v):
    """A number for each column, as a row."""
    pl.static_assert(x.ndim >= 2, f"'{__name__}' needs at least two axes, got {x}")
    pl.static_assert(v.ndim < 2 or pl._is_one(v, -2), f"'{__name__}' takes a row [1, N], got {v}")
    return v


@pl.theme("reductions")
def row_expand(x: pl.Tile, v: pl.Tile):
    """the column `v` in the shape of `x`"""
    return pl.expand_clone(pl._column(x, v), x)


@pl.theme("reductions")
def row_expand_add(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x + v`, where the column `v` has a number for each row"""
    return x + pl._column(x, v)


@pl.theme("reductions")
def row_expand_sub(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x - v` by row"""
    return x - pl._column(x, v)


@pl.theme("reductions")
def row_expand_mul(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x * v` by row"""
    return x * pl._column(x, v)


@pl.theme("reductions")
def row_expand_div(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x / v` by row"""
    return x / pl._column(x, v)


@pl.theme("reductions")
def row_expand_max(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """the larger of `x` and `v` by row"""
    return pl.maximum(x, pl._column(x, v))


@pl.theme("reductions")
def row_expand_min(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """the smaller of `x` and `v` by row"""
    return pl.minimum(x, pl._column(x, v))


@pl.theme("reductions")
def row_expand_expdif(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`exp(x - v)` by row"""
    return pl.exp(x - pl._column(x, v))


@pl.theme("reductions")
def col_expand(x: pl.Tile, v: pl.Tile):
    """the row `v` in the shape of `x`"""
    return pl.expand_clone(pl._row(x, v), x)


@pl.theme("reductions")
def col_expand_add(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x + v`, where the row `v` has a number for each column"""
    return x + pl._row(x, v)


@pl.theme("reductions")
def col_expand_sub(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x - v` by column"""
    return x - pl._row(x, v)


@pl.theme("reductions")
def col_expand_mul(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x * v` by column"""
    return x * pl._row(x, v)


@pl.theme("reductions")
def col_expand_div(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`x / v` by column"""
    return x / pl._row(x, v)


@pl.theme("reductions")
def col_expand_max(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """the larger of `x` and `v` by column"""
    return pl.maximum(x, pl._row(x, v))


@pl.theme("reductions")
def col_expand_min(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """the smaller of `x` and `v` by column"""
    return pl.minimum(x, pl._row(x, v))


@pl.theme("reductions")
def col_expand_expdif(x: pl.Tile, v: pl.Tile, tmp: pl.Scratch = None):
    """`exp(x - v)` by column"""
    return pl.exp(x - pl._row(x, v))
