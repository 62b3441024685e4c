# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What layers of models are made of, and the functions that lose no digits near 0. See prelude.py for what may stand
here."""

import tegula.language as pl


@pl.theme("elementwise")
def log1p(x: pl.Tile):
    """log(1 + x), as exact near 0 as elsewhere"""
    wide = pl._wide(x)
    sum = wide + 1.0
    # What is lost when 1 is added is in the quotient, too.
    log = pl.log(sum) * (wide / (sum - 1.0))
    return pl._narrow(pl.select(sum == 1.0, wide, pl.select(sum == float("inf"), sum, log)), x)


@pl.theme("elementwise")
def expm1(x: pl.Tile):
    """exp(x) - 1, as exact near 0 as elsewhere"""
    wide = pl._wide(x)
    power = pl.exp(wide)
    less = power - 1.0
    # The error of the power is in its logarithm, too.
    near = pl.select(power == 1.0, wide, less * (wide / pl.log(power)))
    return pl._narrow(pl.select((less == -1.0) | (power == float("inf")), less, near), x)


@pl.theme("elementwise")
def tan(x: pl.Tile):
    """the tangent of x in radians"""
    wide = pl._wide(x)
    return pl._narrow(pl.sin(wide) / pl.cos(wide), x)


def _polynomial(x, coefficients):
    """A polynomial, the coefficient of the highest power first."""
    value = coefficients[0]
    for i in pl.unroll(1, len(coefficients)):
        value = value * x + coefficients[i]
    return value


def _normal_density(x):
    """exp(-x * x / 2), of the exact square."""
    if x.dtype == pl.FP64:
        high = pl.cast(pl.cast(x, pl.FP32), pl.FP64)
    else:
        high = pl.cast(pl.cast(x, pl.BF16), pl.FP32)
    return pl.exp(high * high * -0.5) * pl.exp((x - high) * (x + high) * -0.5)


def _normal_tail(x):
    """How probable a normally distributed number above x is, for x from 0 on: the density times a function that a
    polynomial in (x - k) / (x + k) follows to the last bit."""
    if x.dtype == pl.FP64:
        x = pl.minimum(x, 40.0)
        # fmt: off
        ratio = pl._polynomial((x - 5.0) / (x + 5.0), [
            7.719462671584014e-10, 4.037645813495844e-09, 3.528157289739585e-10, -3.208575497095596e-08,
            -2.195811538892318e-08, 1.9896232929933335e-07, 1.2471420099248941e-07, -1.3100089700228854e-06,
            -6.89568345120625e-08, 9.061205795397122e-06, -9.89646889628134e-06, -5.360803814501582e-05,
            0.00018233420251531396, 7.791691200143757e-06, -0.0016760723488506491, 0.006522000656244846,
            -0.015170415402485999, 0.024536963244459763, -0.026401042966294957, 0.01000235238520508,
            0.03103036842596323, -0.0915522818340088, 0.46151582985003775])
        # fmt: on
    else:
        x = pl.minimum(x, 15.0)
        # fmt: off
        ratio = pl._polynomial((x - 4.0) / (x + 4.0), [
            -7.341340565e-5, -6.448406998e-5, 6.917958321e-4, -3.011153126e-4, -5.003000057e-3, 0.01793962901,
            -0.03219762573, 0.02860002623, 0.01399962355, -0.09670346799, 0.4720532065])
        # fmt: on
    return pl._normal_density(x) * (ratio / (x + 1.0))


@pl.theme("elementwise")
def gelu(x: pl.Tile, approximate="none"):
    """x times how probable a normally distributed number below x is; with `approximate="tanh"` x times
    sigmoid(1.5957691 * (x + 0.044715 * x ** 3)), which is what others write with tanh"""
    pl.static_assert(approximate in ("none", "tanh"), f"'{__name__}' is exact ('none') or made with 'tanh'")
    wide = pl._wide(x)
    if approximate == "tanh":
        inner = wide * (wide * wide * 0.07135481627260025 + 1.5957691216057308)
        power = pl.exp(-pl.abs(inner))
        return pl._narrow(wide * (pl.select(inner < 0.0, power, 1.0) / (1.0 + power)), x)
    tail = pl._normal_tail(pl.abs(wide))
    return pl._narrow(wide * pl.select(wide < 0.0, tail, 1.0 - tail), x)


@pl.theme("reductions")
def logsumexp(x: pl.Tile, axis=None, keepdims=True):
    """log(sum(exp(x))) along an axis, or a tuple of them, without overflow; the axis stays with extent 1 unless
    `keepdims` is False; along all if none is given"""
    wide = pl._wide(x)
    largest = pl.max(wide, axis=axis)
    shift = pl.select(pl.abs(largest) == float("inf"), 0.0, largest)
    # The largest are counted: what the others add to them is not lost.
    is_largest = wide == largest
    rest = pl.sum(pl.select(is_largest, 0.0, pl.exp(wide - shift)), axis=axis, keepdims=keepdims)
    count = pl.sum(pl.cast(is_largest, wide.dtype), axis=axis, keepdims=keepdims)
    top = pl.max(largest, axis=axis, keepdims=keepdims)
    return pl._narrow(pl.log1p(rest / pl.maximum(count, 1.0)) + pl.log(count) + top, x)


@pl.theme("reductions")
def layer_norm(x: pl.Tile, weight=None, bias=None, axis=-1, eps=1e-5):
    """(x - mean) / sqrt(var + eps) along an axis, or a tuple of them, times `weight`, plus `bias`; computed in FP32 at
    least, in the type of x"""
    wide = pl._wide(x)
    away = wide - pl.mean(wide, axis=axis)
    normal = away * pl.rsqrt(pl.mean(away * away, axis=axis) + eps)
    scaled = normal if weight is None else normal * weight
    return pl._narrow(scaled if bias is None else scaled + bias, x)


@pl.theme("reductions")
def rms_norm(x: pl.Tile, weight=None, axis=-1, eps=1e-6):
    """x / sqrt(mean(x * x) + eps) along an axis, or a tuple of them, times `weight`; computed in FP32 at least, in the
    type of x"""
    wide = pl._wide(x)
    normal = wide * pl.rsqrt(pl.mean(wide * wide, axis=axis) + eps)
    return pl._narrow(normal if weight is None else normal * weight, x)


def _random_words(x, seed, counter):
    """A random word for each element of x, in UINT64."""
    count = 1
    for i in pl.unroll(x.ndim):
        count = count * pl.dim(x, i)
    shape = x.shape if x.ndim == 1 or x.ndim == 2 else [1, count]
    words = pl.random(seed, pl._high(seed), 0, 0, counter, pl._high(counter), shape)
    return pl.cast(words if x.ndim == 1 or x.ndim == 2 else pl.reshape(words, x.shape), pl.UINT64)


def _high(number):
    """The upper 32 bits of an integer of 64."""
    pl.static_assert(pl._is_integer(number), f"'{__name__}' takes integers for seed and counter, got {number}")
    return number >> 32 if pl._is_known(number) else pl.cast(number, pl.INT64) >> 32


@pl.theme("elementwise")
def dropout(x: pl.Tile, p, seed, counter=0):
    """0 with probability `p`, elsewhere x / (1 - p). The same `seed` and `counter` drop the same elements, on every
    target (`pl.random`); each window of a loop needs a `counter` of its own"""
    if pl._is_known(p):
        pl.static_assert(p >= 0 and p <= 1, f"'{__name__}' takes a probability from 0 to 1, got {p}")
        border = pl.const(int(p * 4294967296.0), pl.UINT64)
    else:
        border = pl.cast(pl.cast(p, pl.FP64) * 4294967296.0, pl.UINT64)
    wide = pl._wide(x)
    return pl._narrow(pl.select(pl._random_words(x, seed, counter) >= border, wide / (1.0 - p), 0.0), x)


def _with_axis(x, axis):
    """x with a further axis of extent 1, counted in what comes out."""
    pl.static_assert(axis >= -x.ndim - 1 and axis <= x.ndim, f"'{__name__}' has no axis {axis} of {x.ndim + 1}")
    at = axis if axis >= 0 else axis + x.ndim + 1
    shape = []
    for i in pl.unroll(x.ndim + 1):
        if i == at:
            shape = shape + [1]
        if i < x.ndim:
            shape = shape + [pl.dim(x, i)]
    return pl.reshape(x, shape)


@pl.theme("shapes")
def stack(tiles: pl.Sizes, axis=0):
    """a list of tiles of one shape, joined along a further axis"""
    return pl.concat([pl._with_axis(x, axis) for x in tiles], axis=axis)


@pl.theme("shapes")
def repeat(x: pl.Tile, repeats, axis=None):
    """each element `repeats` times in a row along an axis; of all elements, in row-major order, if no axis is given"""
    pl.static_assert(pl._is_integer(repeats), f"'{__name__}' repeats by an integer, got {repeats}")
    if axis is None:
        return pl.repeat(pl.reshape(x, [-1]), repeats, 0)
    if pl._is_known(repeats) and repeats == 1:
        return x
    along = pl._axes(x, axis)[0]
    last = x.ndim - 1
    # The shape that comes out, with the axis at the end.
    shape = []
    for i in pl.unroll(x.ndim):
        other = along if i == last else last if i == along else i
        shape = shape + [pl.dim(x, other) * repeats if other == along else pl.dim(x, other)]
    index = pl.transpose(pl.arange(0, shape, dtype=pl.INT64), along, -1)
    return pl.gather(x, along, index // pl.cast(repeats, pl.INT64))
