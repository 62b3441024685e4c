# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call does never depends on the calls before it, in this process or, through the disk, in another one."""

import itertools

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
# One is square, one has an extent of 1, one differs from both in every axis.
SHAPES = [(3, 4), (5, 5), (1, 4), (4, 3)]


@pl.jit.incore
def rows(t):
    t.bind_dynamic(0, M)
    return t * 2.0


@pl.jit.incore
def columns(t):
    t.bind_dynamic(1, N)
    return t * 2.0


@pl.jit.incore
def same(t: pl.Tensor[[M, N], pl.FP32], u: pl.Tensor[[M, N], pl.FP32]):
    return t + u


@pl.jit.inline
def through(t, u):
    v = rows(t)
    return v + u


@pl.jit.inline
def store(t, u: pl.Out[pl.Tensor]):
    u[:] = t


def bound(x, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, M)
    out[:] = x + x


def bound_both(x, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, M)
    out.bind_dynamic(0, M)
    out[:] = x + x


def bound_columns(x, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(1, N)
    out[:] = x + x


def bound_output(x, out: pl.Out[pl.Tensor]):
    out.bind_dynamic(0, M)
    out[:] = x + x


def helper(x, out: pl.Out[pl.Tensor]):
    out[:] = rows(x)


def two_helpers(x, out: pl.Out[pl.Tensor]):
    out[:] = columns(rows(x)) * 0.5


def stored_by_helper(x, out: pl.Out[pl.Tensor]):
    store(rows(x), out)


def declared_helper(x, y, out: pl.Out[pl.Tensor]):
    out[:] = same(x, y)


def added(x, y, out: pl.Out[pl.Tensor]):
    out[:] = rows(x) + y


def added_first(x, y, out: pl.Out[pl.Tensor]):
    out[:] = y + rows(x)


def added_inside(x, y, out: pl.Out[pl.Tensor]):
    out[:] = through(x, y)


def added_twice(x, y, out: pl.InOut[pl.Tensor]):
    z = rows(x) + out * 0.0
    out[:] = z + y


def in_rows(x, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, M)
    for i in pl.range(0, M, 2):
        out[i : i + 2, :] = x[i : i + 2, :] + x[i : i + 2, :]


def unrolled(x, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, M)
    for j in pl.unroll(x.shape[1]):
        out[:, j : j + 1] = x[:, j : j + 1] * 2.0


def branched(x, y, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, M)
    out[:] = x * 2.0
    if M > 3:
        out[:] = x + y


def unannotated(x, out: pl.Out[pl.Tensor]):
    out[:] = x + x


def declared(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor]):
    out[:] = x + x


def transposed(x, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, M)
    out[:] = pl.transpose(x, 0, 1)


ONE = [bound, bound_both, bound_columns, bound_output, helper, two_helpers, stored_by_helper, in_rows, unrolled]
ONE += [unannotated, declared, transposed]
TWO = [declared_helper, added, added_first, added_inside, added_twice, branched]
CASES = [(function, False) for function in ONE + TWO] + [
    (function, True) for function in (bound, helper, added, added_twice, unrolled, unannotated, transposed)
]


def arguments_of(function, shape, other):
    x = np.random.default_rng(shape[0]).standard_normal(shape, dtype=np.float32)
    tensors = [x]
    if function in TWO:
        tensors.append(np.full(other, 2, np.float32))
    return [*tensors, np.zeros(shape[::-1] if function is transposed else shape, np.float32)]


def outcome_of(kernel, arguments):
    """What a call gives: the output, or that it is refused."""
    arguments = [argument.copy() for argument in arguments]
    try:
        kernel(*arguments)
    except tegula.CallError:
        return "refused"
    return arguments[-1].tolist()


def calls_of(function):
    calls = [arguments_of(function, shape, shape) for shape in SHAPES]
    if function in TWO:
        calls += [arguments_of(function, (3, 4), (1, 4)), arguments_of(function, (3, 4), (3, 1))]
        calls += [arguments_of(function, (3, 4), (5, 4))]
    return calls


def name_of(case):
    return case[0].__name__ + (" dynamic" if case[1] else "")


@pytest.mark.parametrize("case", CASES, ids=name_of)
@pytest.mark.parametrize("where", ["memory", "disk"])
def test_calls_in_any_order(case, where, tmp_path):
    function, is_dynamic = case
    kernel = pl.jit(dynamic=True)(function) if is_dynamic else pl.jit(function)
    calls = calls_of(function)
    alone = []
    with tegula.config(cache="off"):
        for call in calls:
            kernel.clear()
            alone.append(outcome_of(kernel, call))
    orders = list(itertools.permutations(range(3)))
    if where == "memory":
        orders += [order for last in range(3, len(calls)) for order in ((0, last, 0), (last, 0, last))]
    for number, order in enumerate(orders):
        settings = {"cache": "off"} if where == "memory" else {"cache_dir": str(tmp_path / str(number))}
        with tegula.config(**settings):
            kernel.clear()
            for index in order:
                assert outcome_of(kernel, calls[index]) == alone[index], (order, index, kernel.variants)
                if where == "disk":
                    kernel.clear()


@pytest.mark.parametrize("function", [*ONE, added, added_inside], ids=lambda function: function.__name__)
def test_calls_alone_are_right(function):
    kernel = pl.jit(function)
    for call in calls_of(function)[: len(SHAPES)]:
        out = call[-1]
        kernel(*call)
        x = call[0]
        wanted = x.T if function is transposed else 2 * x if function in ONE else 2 * x + call[1]
        np.testing.assert_allclose(out, wanted, rtol=1e-6)
