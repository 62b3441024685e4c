# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that are combined by what they belong to, and counts of elements. See prelude.py for what may stand here."""

import tegula.language as pl


def _inside(index, size):
    """Indices below `size` as they are, and others at `size`."""
    size = pl.cast(size, index.dtype)
    return pl.select((index >= 0) & (index < size), index, size)


def _segment_rows(x, ids, num_segments):
    """`x`, which must be rows of numbers, each with an entry in `ids`."""
    pl.static_assert(pl._is_integer(num_segments), f"'{__name__}' makes a number of rows, got {num_segments}")
    pl.static_assert(x.ndim > 0 and x.dtype != pl.BOOL, f"'{__name__}' combines rows of numbers, got {x}")
    pl.static_assert(ids.ndim == 1, f"'{__name__}' takes one entry for each row, got {ids}")
    return x


def _counted(x):
    """Booleans as the INT32 that are counted with; others as they are."""
    return pl.cast(x, pl.INT32) if x.dtype == pl.BOOL else x


def _segment_shape(x, num_segments):
    """The shape of rows like those of `x`, one for each segment."""
    shape = [num_segments]
    for i in pl.unroll(1, x.ndim):
        shape = shape + [pl.dim(x, i)]
    return shape


@pl.theme("scatter")
def segment_sum(x: pl.Tile, ids: pl.Tile, num_segments):
    """row s is the sum of the rows of `x` whose entry in the list `ids` is s, for s below `num_segments`; rows with other
    entries are left out; of booleans it is how many are true, in INT32"""
    numbers = pl._counted(x)
    wide = pl._wide(pl._segment_rows(numbers, ids, num_segments))
    sums = pl.create_tensor(pl._segment_shape(x, num_segments + 1), wide.dtype, init_value=0)
    pl.mscatter(wide, pl._inside(pl.cast(ids, pl.INT64), num_segments), sums, coalesce="row", atomic=pl.AtomicType.Add)
    return pl.cast(sums[0:num_segments], numbers.dtype, mode="rint")


def _segment_extremes(x, ids, num_segments, start, is_max):
    """The largest or smallest of the rows of each segment, row after row."""
    rows = pl.create_tensor(x.shape, x.dtype)
    rows[:] = pl._segment_rows(x, ids, num_segments)
    found = pl.create_tensor(pl._segment_shape(x, num_segments + 1), x.dtype, init_value=start)
    indices = pl.create_tensor(ids.shape, pl.INT64)
    indices[:] = pl._inside(pl.cast(ids, pl.INT64), num_segments)
    for i in pl.range(min(pl.dim(x, 0), pl.dim(ids, 0))):
        s = indices[i]
        old, new = found[s : s + 1], rows[i : i + 1]
        found[s : s + 1] = pl.maximum(old, new) if is_max else pl.minimum(old, new)
    return pl.load(found[0:num_segments])


@pl.theme("scatter")
def segment_max(x: pl.Tile, ids: pl.Tile, num_segments):
    """row s is the largest of the rows of `x`, element by element, whose entry in the list `ids` is s, for s below
    `num_segments`; the lowest value if there is none"""
    return pl._segment_extremes(x, ids, num_segments, pl.PadValue.min, True)


@pl.theme("scatter")
def segment_min(x: pl.Tile, ids: pl.Tile, num_segments):
    """row s is the smallest of the rows of `x`, element by element, whose entry in the list `ids` is s, for s below
    `num_segments`; the highest value if there is none"""
    return pl._segment_extremes(x, ids, num_segments, pl.PadValue.max, False)


def _bins(x, bins, low, high):
    """The bin of each element, counted from 0; -1 for those in none."""
    if x.dtype not in (pl.FP8E4M3FN, pl.FP8E5M2, pl.FP16, pl.BF16, pl.FP32, pl.FP64):
        pl.static_assert(low is None and high is None, f"'{__name__}' takes no bounds for integers, got {x}")
        return x if x.dtype == pl.INT32 and pl._is_known(bins) and bins < 2**31 else pl.cast(x, pl.INT64)
    pl.static_assert(low is not None and high is not None, f"'{__name__}' of floats needs 'low' and 'high', got {x}")
    wide = pl._wide(x)
    is_inside = (wide >= low) & (wide <= high)
    index = (pl.select(is_inside, wide, low) - low) * (pl.cast(bins, wide.dtype) / (high - low))
    return pl.select(is_inside, pl.minimum(pl.cast(pl.floor(index), pl.INT64), pl.cast(bins, pl.INT64) - 1), -1)


@pl.theme("scatter")
def histogram(x: pl.Tile, bins, low=None, high=None):
    """a list of INT32: how many elements are 0, 1 and so on below `bins`; of floats, how many are in each of that many
    equal parts from `low` to `high`, which is in the last"""
    pl.static_assert(pl._is_integer(bins), f"'{__name__}' makes a number of bins, got {bins}")
    counts = pl.create_tensor([bins + 1], pl.INT32, init_value=0)
    step = 4096 if x.ndim == 1 else 16
    for i in pl.range(0, pl.dim(x, 0), step):
        index = pl._inside(pl._bins(x[i : i + step], bins, low, high), bins)
        pl.mscatter(pl.full(index.shape, pl.INT32, 1), index, counts, atomic=pl.AtomicType.Add)
    return pl.load(counts, [0], [bins])
