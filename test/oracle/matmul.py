# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix multiplication: docs/ops/matmul.md."""

from __future__ import annotations

import numpy as np

from .bounds import Bound, accumulator, rounded, tidy, ulp
from .bounds import lowest_bit as lowest
from .dtypes import FP32, INT32, DType, as_dtype
from .elementwise import binary, cast
from .extents import fit, join
from .operands import tile_of
from .operators import TABLE
from .problems import Refused
from .reduce import add_up
from .rounding import narrow, wrap
from .shapes import transpose
from .value import Value


def accumulated(dtype: DType) -> DType:
    """The type of the accumulator and, unless another is given, of the result."""
    if dtype.is_float:
        return FP32 if dtype.bits < 32 else dtype
    return INT32 if dtype.bits <= 8 else dtype


def _inner(a: Value, b: Value) -> int:
    """How many terms each sum has: those valid in both operands."""
    left, right = a.bounds[-1], b.bounds[-2]
    if isinstance(left, int) and isinstance(right, int) and left != right:
        raise Refused(f"{left} columns times {right} rows")
    if left is None and right is None and a.extents[-1] != b.extents[-2]:
        raise Refused("inner extents must be equal")
    return min(a.extents[-1], b.extents[-2])


def _batches(a: Value, b: Value) -> tuple[tuple, tuple[int, ...]]:
    outer = [Value(np.zeros(v.extents[:-2]), FP32, v.bounds[:-2]) for v in (a, b)]
    return join(outer) if max(v.rank for v in outer) else ((), ())


def _errors(a: np.ndarray, b: np.ndarray, ea: Bound, eb: Bound, extra: np.ndarray | None, dtype: DType) -> Bound:
    """Of matmuls in any order; `extra` is one more term."""
    wide = accumulator(dtype)
    x, y = (np.where(np.isfinite(v), np.abs(v), 0.0) for v in (a, b))
    total, count = x @ y, a.shape[-1]
    bits = lowest(a).min(axis=-1, initial=1 << 20)[..., :, None] + lowest(b).min(axis=-2, initial=1 << 20)[..., None, :]
    if extra is not None:
        size = np.where(np.isfinite(extra), np.abs(extra), 0.0)
        total, count, bits = total + size, count + 1, np.minimum(bits, lowest(extra))
    bits = np.minimum(bits, 1000)
    least = wide.least_exponent - wide.precision + 1
    fits = (total <= np.ldexp(1.0, np.clip(bits + wide.precision, -1073, 1023))) & (bits >= least)
    unit = (count + 2) * 2.0**-wide.precision
    error = unit / (1 - unit) * total + count * np.ldexp(1.0, least) + ulp(total, wide)
    error = np.where(total * (1 + unit) > wide.greatest, np.inf, error)
    error = np.where(fits | (total == 0), 0.0, error)
    if ea is not None or eb is not None:
        ea, eb = (np.zeros(v.shape) if e is None else e for e, v in ((ea, a), (eb, b)))
        with np.errstate(all="ignore"):
            moved = x @ np.where(np.isinf(eb), 0, eb) + np.where(np.isinf(ea), 0, ea) @ (
                y + np.where(np.isinf(eb), 0, eb)
            )
            lost = np.isinf(ea).any(axis=-1)[..., :, None] | np.isinf(eb).any(axis=-2)[..., None, :]
        error = np.where(lost, np.inf, error + moved)
    return tidy(error)


def _multiply(a: Value, b: Value, acc: Value | None, sum_type: DType) -> Value:
    """The valid part of the product, plus an accumulator where that is valid."""
    count = _inner(a, b)
    batch_bounds, batch = _batches(a, b)
    x, y = (
        fit(v.data, (*batch, *v.extents[-2:]))[part]
        for v, part in ((a, np.s_[..., :count]), (b, np.s_[..., :count, :]))
    )
    bounds = (*batch_bounds, a.bounds[-2], b.bounds[-1])
    ea = None if a.error is None else fit(a.error, (*batch, *a.extents[-2:]))[..., :count]
    eb = None if b.error is None else fit(b.error, (*batch, *b.extents[-2:]))[..., :count, :]
    extra = None
    if acc is not None:
        shell = Value(np.zeros((*batch, x.shape[-2], y.shape[-1])), sum_type, bounds)
        bounds, extents = join([shell, acc])
        x, ea = (v if v is None else v[..., : extents[-2], :] for v in (x, ea))
        y, eb = (v if v is None else v[..., : extents[-1]] for v in (y, eb))
        x, y = (v[tuple(slice(0, e) for e in extents[:-2])] for v in (x, y))
        extra = Value(fit(acc.data, extents), sum_type, bounds, None if acc.error is None else fit(acc.error, extents))
    with np.errstate(all="ignore"):
        if not sum_type.is_float:
            return _integers(x, y, (ea, eb), extra, bounds, sum_type)
        kind = np.longdouble if sum_type.name == "FP64" else np.float64
        exact = np.matmul(x.astype(kind), y.astype(kind))
        error = _errors(
            x.astype(np.float64), y.astype(np.float64), ea, eb,
            None if extra is None else extra.data.astype(np.float64), sum_type,
        )  # fmt: skip
        if extra is not None:
            exact = exact + extra.data.astype(kind)
            if extra.error is not None:
                error = tidy((0.0 if error is None else error) + extra.error)
        result = narrow(exact.astype(sum_type.wide), sum_type)
        return Value(result, sum_type, bounds, rounded(result, error, sum_type), is_matmul=True)


def _integers(x: np.ndarray, y: np.ndarray, errors: tuple, extra: Value | None, bounds: tuple, dtype: DType) -> Value:
    kind = np.uint64 if dtype.kind == "uint" else np.int64
    total = wrap(np.matmul(x.astype(kind), y.astype(kind)), dtype)
    lost = np.zeros(total.shape, bool)
    for error, axis in zip(errors, (-1, -2), strict=True):
        if error is not None:
            lost = lost | np.expand_dims((error > 0).any(axis=axis), axis)
    result = Value(total, dtype, bounds, np.where(lost, np.inf, 0.0))
    return result if extra is None else binary("add", extra, result)


def _as_matrices(a: object, b: object, a_trans: bool, b_trans: bool) -> tuple[Value, Value]:
    lhs, rhs = tile_of(a), tile_of(b)
    if lhs.dtype is not rhs.dtype:
        raise Refused(f"{lhs.dtype} times {rhs.dtype}")
    if lhs.rank == 1:
        lhs = TABLE["get_item"](lhs, (None, slice(None)))
    if rhs.rank == 1:
        rhs = TABLE["get_item"](rhs, (slice(None), None))
    return transpose(lhs) if a_trans else lhs, transpose(rhs) if b_trans else rhs


def matmul(
    a: object, b: object, out_dtype: object = None, a_trans: bool = False, b_trans: bool = False, **_: object
) -> Value:
    """The product, also of batches."""
    lhs, rhs = _as_matrices(a, b, a_trans, b_trans)
    result = _multiply(lhs, rhs, None, accumulated(lhs.dtype))
    if out_dtype is None or as_dtype(out_dtype) is result.dtype:
        return result
    return cast(result, out_dtype, "none")


def matmul_acc(
    acc: object,
    a: object,
    b: object,
    a_trans: bool = False,
    b_trans: bool = False,
    init_cond: object = None,
    **_: object,
) -> Value:
    """`acc` plus the product; just the product where `init_cond` holds."""
    lhs, rhs = _as_matrices(a, b, a_trans, b_trans)
    start, sum_type = tile_of(acc), accumulated(lhs.dtype)
    if start.dtype is not sum_type:
        raise Refused(f"an accumulator of {start.dtype}, not {sum_type}")
    if init_cond is not None and bool(init_cond):
        start = Value(np.zeros(start.extents, sum_type.numpy), sum_type, start.bounds)
    return _multiply(lhs, rhs, start, sum_type)


def matmul_bias(a: object, b: object, bias: object, **options: object) -> Value:
    """The product plus a row."""
    return binary("add", matmul(a, b, **options), bias)


def dot(a: object, b: object) -> Value:
    """The product; of two vectors with extent 1."""
    lhs, rhs = tile_of(a), tile_of(b)
    result = matmul(lhs, rhs)
    return TABLE["reshape"](result, [1]) if lhs.rank == rhs.rank == 1 else result


def einsum(subscripts: str, a: object, b: object, **_: object) -> Value:
    """Products summed over the letters that the result does not have."""
    inputs, output = subscripts.replace(" ", "").split("->")
    letters = inputs.split(",")
    lhs, rhs = tile_of(a), tile_of(b)
    shared = [c for c in letters[0] if c in letters[1] and c in output]
    summed = [c for c in letters[0] if c in letters[1] and c not in output]
    free = [[c for c in own if c not in other] for own, other in (letters, letters[::-1])]
    if any(c not in output for own in free for c in own) or len(set(letters[0])) != lhs.rank:
        return _general(letters, output, lhs, rhs)
    flat = [_arranged(v, own, shared, order) for v, own, order in (
        (lhs, letters[0], (free[0], summed)), (rhs, letters[1], (summed, free[1])))]  # fmt: skip
    product = _multiply(*flat, None, accumulated(lhs.dtype))
    return _restored(product, shared, free, output, {**_sizes(lhs, letters[0]), **_sizes(rhs, letters[1])})


def _sizes(x: Value, letters: str) -> dict:
    return {c: (x.bounds[at], x.extents[at]) for at, c in enumerate(letters)}


def _arranged(x: Value, letters: str, batch: list[str], order: tuple[list[str], list[str]]) -> Value:
    """Batches, then rows and columns of a matrix."""
    axes = [letters.index(c) for c in (*batch, *order[0], *order[1])]
    sizes = _sizes(x, letters)
    shape = [sizes[c][1] for c in batch] + [int(np.prod([sizes[c][1] for c in part], dtype=int)) for part in order]
    bounds = tuple(sizes[c][0] for c in batch) + tuple(sizes[p[0]][0] if len(p) == 1 else None for p in order)
    error = None if x.error is None else x.error.transpose(axes).reshape(shape)
    return Value(x.data.transpose(axes).reshape(shape), x.dtype, bounds, error)


def _restored(product: Value, shared: list, free: list, output: str, sizes: dict) -> Value:
    names = [*shared, *free[0], *free[1]]
    shape = [*product.extents[: len(shared)], *(sizes[c][1] for c in (*free[0], *free[1]))]
    axes = [names.index(c) for c in output]
    error = None if product.error is None else product.error.reshape(shape).transpose(axes)
    bounds = tuple(sizes[c][0] for c in output)
    return Value(product.data.reshape(shape).transpose(axes), product.dtype, bounds, error, is_matmul=True)


def _general(letters: list[str], output: str, lhs: Value, rhs: Value) -> Value:
    """With letters that one operand alone has: products of all pairs, then one sum."""
    names = sorted(set(letters[0] + letters[1]), key=lambda c: (c not in output, output.find(c)))
    arrays = []
    for value, own in ((lhs, letters[0]), (rhs, letters[1])):
        if value.error is not None or len(set(own)) != len(own):
            raise Refused("an einsum of inexact operands, or with a letter twice")
        ordered = value.data.transpose([own.index(c) for c in names if c in own])
        arrays.append(ordered[tuple(slice(None) if c in own else None for c in names)])
    dtype = accumulated(lhs.dtype)
    products = arrays[0].astype(np.float64) * arrays[1].astype(np.float64)
    kept = products.shape[: len(output)]
    data, error = add_up(products.reshape((*kept, -1)), None, -1, dtype)
    sizes = {**_sizes(lhs, letters[0]), **_sizes(rhs, letters[1])}
    return Value(data, dtype, tuple(sizes[c][0] for c in output), error)


TABLE.update(matmul=matmul, matmul_acc=matmul_acc, batch_matmul=matmul, batch_matmul_acc=matmul_acc, dot=dot)
TABLE.update(matmul_bias=matmul_bias, gemv=matmul, gemv_acc=matmul_acc, gemv_bias=matmul_bias, einsum=einsum)
