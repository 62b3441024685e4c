# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the language that are made of others. The compiler has this text in it, reads a function when it is
first called, and puts its body in the place of the call; a mistake is reported where the call is. `__name__` is what
the author called. What annotates a parameter is declared in Builtin.td; pl.Scratch, pl.Place and the like, which are
there for other machines, in ForOtherMachines.td. The names in brackets are other names of a parameter. Only what is
known while compiling decides between statements here, but for loops and branches without a result. A function with an
effect says so, because its result need not be used."""

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
def axpy(src: pl.Tile, scalar, dst: pl.Tile):
    """dst + src * scalar, in the type of dst"""
    return dst + pl._narrow(src, dst) * scalar


@pl.theme("elementwise")
def maxs(lhs, rhs):
    """as `pl.maximum`, with a scalar"""
    return pl.maximum(lhs, rhs)


@pl.theme("elementwise")
def mins(lhs, rhs):
    """as `pl.minimum`, with a scalar"""
    return pl.minimum(lhs, rhs)


@pl.theme("elementwise")
def lrelu(x: pl.TileSubject, slope):
    """x where it is above 0, elsewhere slope * x"""
    pl.static_assert(x.dtype != pl.BOOL, f"'{__name__}' takes numbers, got {x}")
    return pl.select(x > 0, x, x * slope)


@pl.theme("elementwise")
def prelu(x: pl.TileSubject, slope, tmp: pl.Scratch = None):
    """as `pl.lrelu`, with a slope for each element"""
    pl.static_assert(x.dtype != pl.BOOL, f"'{__name__}' takes numbers, got {x}")
    return pl.select(x > 0, x, x * slope)


def _holds_integers(x):
    """Whether this is an integer, or a tile of them."""
    if pl._is_integer(x):
        return True
    if not pl._is_tile(x):
        return False
    signed = x.dtype in (pl.INT8, pl.INT16, pl.INT32, pl.INT64)
    return signed or x.dtype in (pl.UINT8, pl.UINT16, pl.UINT32, pl.UINT64)


@pl.theme("elementwise")
def cdiv(lhs, rhs):
    """the quotient of two integers, or of tiles of them, rounded up"""
    pl.static_assert(pl._holds_integers(lhs), f"'{__name__}' takes integers, got {lhs}")
    pl.static_assert(pl._holds_integers(rhs), f"'{__name__}' takes integers, got {rhs}")
    # What is computed between must not leave the type.
    if pl._is_index(lhs) and pl._is_index(rhs):
        return (lhs + (rhs - 1)) // rhs if pl._is_known(rhs) and rhs > 0 else -(-lhs // rhs)
    down = lhs // rhs
    return down + (pl.cast(lhs % rhs != 0, down.dtype) if pl._is_tile(down) else lhs % rhs != 0)


@pl.theme("elementwise")
def sels(mask, lhs: pl.Any["src"], rhs: pl.Any["tmp"], scalar=None):
    """`lhs` where the mask holds, the scalar elsewhere"""
    return pl.select(mask, lhs, rhs if scalar is None else scalar)


@pl.theme("elementwise")
def clip(x: pl.Tile, low=None, high=None):
    """x, but no less than `low` and no more than `high`, of which either may be left out"""
    least = x if low is None else pl.maximum(x, low)
    return least if high is None else pl.minimum(least, high)


def _wide(x):
    """Narrow floats as FP32, so that what is computed of them is rounded once; booleans as well."""
    if x.dtype in (pl.FP16, pl.BF16, pl.FP8E4M3FN, pl.FP8E5M2, pl.BOOL):
        return pl.cast(x, pl.FP32)
    return x


def _as_float(x):
    """As FP32 or FP64, which have infinities: FP8E4M3FN has none, nor do integers."""
    return x if x.dtype == pl.FP64 else pl.cast(x, pl.FP32)


def _narrow(result, x):
    """What was computed of `_wide(x)` in the type of x; of booleans it stays as it is."""
    return result if x.dtype == pl.BOOL else pl.cast(result, x.dtype, mode="rint")


@pl.theme("elementwise")
def sigmoid(x: pl.Tile):
    """1 / (1 + exp(-x))"""
    return pl._narrow(1.0 / (1.0 + pl.exp(-pl._wide(x))), x)


@pl.theme("elementwise")
def silu(x: pl.Tile):
    """x * sigmoid(x)"""
    wide = pl._wide(x)
    return pl._narrow(wide / (1.0 + pl.exp(-wide)), x)


@pl.theme("elementwise")
def softplus(x: pl.Tile):
    """log(1 + exp(x)), exact where x is far from 0"""
    wide = pl._wide(x)
    small = pl.exp(-pl.abs(wide))
    sum = small + 1.0
    # log(1 + small), with what the sum lost
    log = pl.select(sum == 1.0, small, pl.log(sum) * (small / (sum - 1.0)))
    return pl._narrow(pl.relu(wide) + log, x)


@pl.theme("creation")
def zeros(shape: pl.Sizes, dtype=None):
    """a tile of zeros; `FP32` unless `dtype` says otherwise"""
    return pl.full(shape, pl.FP32 if dtype is None else dtype, 0)


@pl.theme("creation")
def ones(shape: pl.Sizes, dtype=None):
    """a tile of ones; `FP32` unless `dtype` says otherwise"""
    return pl.full(shape, pl.FP32 if dtype is None else dtype, True if dtype == pl.BOOL else 1)


def _row_and_column(shape):
    """The row numbers [R, 1] and the column numbers [1, C] of a tile; a single axis is a row."""
    rank = len(shape)
    pl.static_assert(0 < rank and rank < 3, f"'{__name__}' makes a tile of one or two axes, got {rank}")
    rows = pl.arange(0, [1, shape[0] if rank == 2 else 1], dtype=pl.INT64)
    return pl.transpose(rows), pl.arange(0, [1, shape[-1]], dtype=pl.INT64)


def _narrowed(tile, shape, valid_shape):
    """A tile in the shape it was asked for, of which `valid_shape` is valid."""
    shaped = pl.reshape(tile, shape) if len(shape) == 1 else tile
    return shaped if valid_shape is None else pl.set_validshape(shaped, valid_shape)


@pl.theme("creation")
def tri(diagonal, shape: pl.Sizes, valid_shape=None, dtype=None, upper=False):
    """1 where column <= row + diagonal, or >= with `upper`, and 0 elsewhere; `INT32` unless `dtype` says otherwise"""
    pl.static_assert(pl._is_integer(diagonal), f"the diagonal is an integer, got {diagonal}")
    rows, columns = pl._row_and_column(shape)
    border = rows + pl.cast(diagonal, pl.INT64)
    mask = columns >= border if upper else columns <= border
    return pl._narrowed(pl.cast(mask, pl.INT32 if dtype is None else dtype), shape, valid_shape)


def _word(x):
    """An integer as a word of 32 bits, in UINT64."""
    pl.static_assert(pl._is_integer(x), f"keys and counters are integers, got {x}")
    return pl.const(x & 0xFFFFFFFF, pl.UINT64) if pl._is_known(x) else pl.cast(x, pl.UINT64) & 0xFFFFFFFF


def _philox(x0, x1, x2, x3, key0, key1, rounds):
    """Philox 4x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3") on words of 32 bits in UINT64."""
    for _ in pl.unroll(rounds):
        first = x0 * 0xD2511F53
        second = x2 * 0xCD9E8D57
        x0 = (second >> 32) ^ x1 ^ key0
        x1 = second & 0xFFFFFFFF
        x2 = (first >> 32) ^ x3 ^ key1
        x3 = first & 0xFFFFFFFF
        key0 = (key0 + 0x9E3779B9) & 0xFFFFFFFF
        key1 = (key1 + 0xBB67AE85) & 0xFFFFFFFF
    return x0, x1, x2, x3


@pl.theme("creation")
def random(
    key0,
    key1,
    counter0: pl.Any["c0"],
    counter1: pl.Any["c1"],
    counter2: pl.Any["c2"],
    counter3: pl.Any["c3"],
    shape: pl.Sizes,
    valid_shape=None,
    dtype=None,
    rounds=None,
):
    """random bits (Philox 4x32) as UINT32 or INT32: element e in row-major order is word e % 4 at the 128-bit counter
    plus e // 4, `counter0` its lowest word; `rounds` is 10 or 7"""
    element = pl.UINT32 if dtype is None else dtype
    number = 10 if rounds is None else rounds
    is_known = element in (pl.INT32, pl.UINT32) and number in (7, 10)
    pl.static_assert(is_known, f"'{__name__}' makes INT32 or UINT32 in 7 or 10 rounds")
    rows, columns = pl._row_and_column(shape)
    index = pl.cast(rows * pl.cast(shape[-1], pl.INT64) + columns, pl.UINT64)
    block = index >> 2
    # The counter plus the block, word by word.
    sum0 = (block & 0xFFFFFFFF) + pl._word(counter0)
    sum1 = (sum0 >> 32) + (block >> 32) + pl._word(counter1)
    sum2 = (sum1 >> 32) + pl._word(counter2)
    sum3 = (sum2 >> 32) + pl._word(counter3)
    x0, x1, x2, x3 = pl._philox(
        sum0 & 0xFFFFFFFF,
        sum1 & 0xFFFFFFFF,
        sum2 & 0xFFFFFFFF,
        sum3 & 0xFFFFFFFF,
        pl._word(key0),
        pl._word(key1),
        number,
    )
    lane = index & 3
    bits = pl.select(lane == 0, x0, pl.select(lane == 1, x1, pl.select(lane == 2, x2, x3)))
    return pl._narrowed(pl.cast(bits, element), shape, valid_shape)


@pl.theme("shapes")
def extract(
    src: pl.Tile, row: pl.Any["index_row"], col: pl.Any["index_col"], shape: pl.Sizes, target_memory: pl.Memory = None
):
    """a window of a tile"""
    pl.static_assert(src.ndim == 2, f"'{__name__}' takes a tile of two axes, got {src}")
    return pl.slice(src, shape, [row, col])


@pl.theme("shapes")
def transpose_view(x: pl.TileSubject):
    """the last two axes exchanged"""
    pl.static_assert(x.ndim >= 2, f"'{__name__}' needs two axes, got {x}")
    return pl.transpose(x, -2, -1)


def _counting(x, axis, start):
    """The numbers from `start` on along an axis that is not known to have the extent 1, in the shape of `x`."""
    return pl.transpose(pl.arange(start, pl.transpose(x, axis, -1).shape, dtype=pl.INT64), axis, -1)


def _flipped(x, axis):
    """x back to front along one axis."""
    if pl._is_unit(x, axis):
        return x
    last = pl.cast(pl.dim(x, axis), pl.INT64) - 1
    return pl.gather(x, axis, last - pl._counting(x, axis, 0))


@pl.theme("shapes")
def flip(x: pl.Tile, axis=None):
    """x back to front along an axis, or a tuple of them; along all if none is given"""
    axes = pl._axes(x, axis)
    result = x
    for i in pl.unroll(len(axes)):
        result = pl._flipped(result, axes[i])
    return result


def _rolled(x, shift, axis):
    """x moved along one axis."""
    if pl._is_unit(x, axis):
        return x
    size = pl.cast(pl.max(pl.dim(x, axis), 1), pl.INT64)
    index = pl._counting(x, axis, -pl.cast(shift, pl.INT64) % size)
    return pl.gather(x, axis, pl.select(index < size, index, index - size))


@pl.theme("shapes")
def roll(x: pl.Tile, shift, axis=None):
    """x shifted along an axis by `shift` elements, with wraparound; in row-major order if no axis is given"""
    pl.static_assert(pl._is_integer(shift), f"'{__name__}' moves by an integer, got {shift}")
    if axis is None:
        return pl.reshape(pl._rolled(pl.reshape(x, [-1]), shift, 0), x.shape)
    return pl._rolled(x, shift, axis)


def _element_bytes(x):
    """How many bytes an integer of `x` takes."""
    return 8 if x.dtype in (pl.INT64, pl.UINT64) else 4 if x.dtype in (pl.INT32, pl.UINT32) else 2


@pl.theme("shapes")
def concat_idx(src0: pl.Tile, src1: pl.Tile, src0_idx: pl.Tile["idx0"], src1_idx: pl.Tile["idx1"], dst: pl.Tile):
    """each row of `dst` begun anew: with as many elements of `src0` as the first column of `src0_idx` says, then with
    those of `src1`, both counted in bytes of the index"""
    is_matrix = src0.ndim == 2 and src1.ndim == 2 and dst.ndim == 2
    has_wide = src0_idx.dtype in (pl.INT16, pl.UINT16, pl.INT32, pl.UINT32, pl.INT64, pl.UINT64)
    pl.static_assert(is_matrix and has_wide, f"'{__name__}' joins rows of matrices, counted by INT16, INT32 or INT64")
    first = pl.cast(src0_idx[:, 0:1], pl.INT32) // pl._element_bytes(src0_idx)
    second = pl.cast(src1_idx[:, 0:1], pl.INT32) // pl._element_bytes(src1_idx)
    index = pl.expand_clone(pl.arange(0, [1, pl.dim(dst, 1)]), dst)
    rest = index - first
    begin = pl.gather(src0, -1, pl.clip(index, 0, pl.cast(pl.dim(src0, 1) - 1, pl.INT32)))
    end = pl.gather(src1, -1, pl.clip(rest, 0, pl.cast(pl.dim(src1, 1) - 1, pl.INT32)))
    return pl.select(index < first, begin, pl.select(rest < second, end, dst))


@pl.theme("gather")
def gather_mask(src: pl.Tile, mask_pattern, output_dtype=None):
    """every 2nd or 4th column of a tile, as `pl.gather` with `mask_pattern`"""
    return pl.gather(src, mask_pattern=mask_pattern, output_dtype=output_dtype)


@pl.theme("gather")
def gather_compare(
    src: pl.Tile, kvalue, tmp: pl.Scratch = None, cmp_mode=None, offset=None, out_cols=None, count_dtype=None
):
    """the indices in each row that compare with `kvalue`, and how many there are"""
    return pl.gather(src, kvalue=kvalue, cmp_mode=cmp_mode, out_cols=out_cols, offset=offset, count_dtype=count_dtype)


@pl.theme("scatter")
def scatter_mask(dst: pl.Tile, src: pl.Tile, mask_pattern):
    """`dst` with its every 2nd or 4th column replaced"""
    return pl.scatter(src, mask_pattern=mask_pattern, dst=dst)


def _plus_row(product, bias):
    """A row of N numbers, [1, N] or [N], added to every row of a product."""
    is_row = bias.ndim == 1 or bias.ndim == 2 and pl._is_unit(bias, 0)
    is_float = bias.dtype in (pl.FP8E4M3FN, pl.FP8E5M2, pl.FP16, pl.BF16, pl.FP32, pl.FP64)
    wants_float = product.dtype in (pl.FP8E4M3FN, pl.FP8E5M2, pl.FP16, pl.BF16, pl.FP32, pl.FP64)
    pl.static_assert(
        is_row and is_float == wants_float, f"'{__name__}' takes a bias [1, N] of {product.dtype}, got {bias}"
    )
    return product + pl.cast(bias, product.dtype, mode="rint")


@pl.theme("matmul")
def matmul_bias(a: pl.Left, b: pl.Right, bias: pl.Tile, a_trans=False, b_trans=False, precision=None):
    """the matmul plus a row `[1, N]`"""
    return pl._plus_row(pl.matmul(a, b, a_trans=a_trans, b_trans=b_trans, precision=precision), bias)


@pl.theme("matmul")
def dot(a: pl.Tile, b: pl.Tile):
    """matrix multiplication, also of batches, as `@`; of two vectors their dot product, with extent 1"""
    if a.ndim == 1 and b.ndim == 1:
        if a.dtype == pl.BOOL and b.dtype == pl.BOOL:
            return pl.sum(a & b, axis=0)
        return pl._narrow(pl.sum(pl._wide(a) * pl._wide(b), axis=0), a * b)
    return pl.matmul(a, b)


def _one_row(a):
    """`a`, which must be one row: [1, K] or [K]."""
    is_row = a.ndim == 1 or a.ndim == 2 and pl._is_unit(a, 0)
    pl.static_assert(is_row, f"'{__name__}' multiplies one row [1, K], got {a}; use pl.matmul")
    return a


@pl.theme("matmul")
def gemv(a: pl.Shaped["lhs"], b: pl.Right, acc_phase: pl.Schedule = None, precision=None):
    """one row `[1, K]` times a matrix"""
    return pl.matmul(pl._one_row(a), b, precision=precision)


@pl.theme("matmul")
def gemv_acc(
    acc: pl.Tile, a: pl.Shaped["lhs"], b: pl.Right, acc_phase: pl.Schedule = None, init_cond=None, precision=None
):
    """`acc` plus one row times a matrix; without `acc` where `init_cond` holds"""
    return pl.matmul_acc(acc, pl._one_row(a), b, init_cond=init_cond, precision=precision)


@pl.theme("matmul")
def gemv_bias(a: pl.Shaped["lhs"], b: pl.Right, bias: pl.Tile, acc_phase: pl.Schedule = None, precision=None):
    """one row times a matrix, plus a row `[1, N]`"""
    return pl._plus_row(pl.matmul(pl._one_row(a), b, precision=precision), bias)


@pl.theme("reductions")
def mean(x: pl.Tile, axis=None, keepdims=True):
    """the mean along an axis, or a tuple of them, which stays with extent 1 unless `keepdims` is False; along all if none is
    given. The mean of BOOL is FP32"""
    axes = pl._axes(x, axis)
    count = 1
    for i in pl.unroll(len(axes)):
        count = count * pl.dim(x, axes[i])
    if x.dtype == pl.BOOL:
        return pl.cast(pl.sum(x, axis=axis, keepdims=keepdims), pl.FP32, mode="rint") / pl.cast(count, pl.FP32)
    wide = pl._wide(x)
    return pl._narrow(pl.sum(wide, axis=axis, keepdims=keepdims) / pl.cast(count, wide.dtype), x)


def _holds(x):
    """Where x is not 0, as 0 and 1."""
    return pl.cast(x if x.dtype == pl.BOOL else x != 0, pl.INT32)


@pl.theme("reductions")
def any(x: pl.Tile, axis=None, keepdims=True):
    """whether an element along an axis is not 0, or any if no axis is given"""
    return pl.max(pl._holds(x), axis=axis, keepdims=keepdims) > 0


@pl.theme("reductions")
def all(x: pl.Tile, axis=None, keepdims=True):
    """whether no element along an axis is 0, or none if no axis is given"""
    return pl.min(pl._holds(x), axis=axis, keepdims=keepdims) > 0


@pl.theme("reductions")
def softmax(x: pl.Tile, axis=-1):
    """exp(x) along an axis, the last if none is given, divided by its sum"""
    wide = pl._wide(x)
    powers = pl.exp(wide - pl.max(wide, axis=axis))
    return pl._narrow(powers / pl.sum(powers, axis=axis), x)


def _matrix(x):
    """A list as a matrix of one row."""
    pl.static_assert(x.ndim > 0, f"'{__name__}' takes a matrix, got {x}")
    return pl.reshape(x, [1, pl.dim(x, 0)]) if x.ndim == 1 else x


def _column(v):
    """A number for each row, as a column."""
    if v.ndim == 1:
        return pl.reshape(v, [pl.dim(v, 0), 1])
    pl.static_assert(v.ndim > 0 and pl._is_unit(v, -1), f"'{__name__}' takes a column [M, 1], got {v}")
    return v


def _row(v):
    """A number for each column, as a row."""
    pl.static_assert(v.ndim < 2 or pl._is_unit(v, -2), f"'{__name__}' takes a row [1, N], got {v}")
    return v


@pl.theme("reductions")
def row_expand(x: pl.Whole, v: pl.Column):
    """the column `v` in the shape of `x`"""
    return pl.expand_clone(pl._column(v), pl._matrix(x))


@pl.theme("reductions")
def row_expand_add(x: pl.Whole, v: pl.Column, tmp: pl.Scratch = None):
    """`x + v`, where the column `v` has a value for each row"""
    return pl._matrix(x) + pl._column(v)


@pl.theme("reductions")
def row_expand_sub(x: pl.Whole, v: pl.Column, tmp: pl.Scratch = None):
    """`x - v` by row"""
    return pl._matrix(x) - pl._column(v)


@pl.theme("reductions")
def row_expand_mul(x: pl.Whole, v: pl.Column, tmp: pl.Scratch = None):
    """`x * v` by row"""
    return pl._matrix(x) * pl._column(v)


@pl.theme("reductions")
def row_expand_div(x: pl.Whole, v: pl.Column, tmp: pl.Scratch = None):
    """`x / v` by row"""
    return pl._matrix(x) / pl._column(v)


@pl.theme("reductions")
def row_expand_max(x: pl.Whole, v: pl.Column, tmp: pl.Scratch = None):
    """the larger of `x` and `v` by row"""
    return pl.maximum(pl._matrix(x), pl._column(v))


@pl.theme("reductions")
def row_expand_min(x: pl.Whole, v: pl.Column, tmp: pl.Scratch = None):
    """the smaller of `x` and `v` by row"""
    return pl.minimum(pl._matrix(x), pl._column(v))


@pl.theme("reductions")
def row_expand_expdif(x: pl.Whole, v: pl.Column, tmp: pl.Scratch = None):
    """`exp(x - v)` by row"""
    return pl.exp(pl._matrix(x) - pl._column(v))


@pl.theme("reductions")
def col_expand(x: pl.Whole, v: pl.Row):
    """the row `v` in the shape of `x`"""
    return pl.expand_clone(pl._row(v), pl._matrix(x))


@pl.theme("reductions")
def col_expand_add(x: pl.Whole, v: pl.Row, tmp: pl.Scratch = None):
    """`x + v`, where the row `v` has a value for each column"""
    return pl._matrix(x) + pl._row(v)


@pl.theme("reductions")
def col_expand_sub(x: pl.Whole, v: pl.Row, tmp: pl.Scratch = None):
    """`x - v` by column"""
    return pl._matrix(x) - pl._row(v)


@pl.theme("reductions")
def col_expand_mul(x: pl.Whole, v: pl.Row, tmp: pl.Scratch = None):
    """`x * v` by column"""
    return pl._matrix(x) * pl._row(v)


@pl.theme("reductions")
def col_expand_div(x: pl.Whole, v: pl.Row, tmp: pl.Scratch = None):
    """`x / v` by column"""
    return pl._matrix(x) / pl._row(v)


@pl.theme("reductions")
def col_expand_max(x: pl.Whole, v: pl.Row, tmp: pl.Scratch = None):
    """the larger of `x` and `v` by column"""
    return pl.maximum(pl._matrix(x), pl._row(v))


@pl.theme("reductions")
def col_expand_min(x: pl.Whole, v: pl.Row, tmp: pl.Scratch = None):
    """the smaller of `x` and `v` by column"""
    return pl.minimum(pl._matrix(x), pl._row(v))


@pl.theme("reductions")
def col_expand_expdif(x: pl.Whole, v: pl.Row, tmp: pl.Scratch = None):
    """`exp(x - v)` by column"""
    return pl.exp(pl._matrix(x) - pl._row(v))
