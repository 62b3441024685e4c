# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatter-add of FP32, as GPUs compute it, on this processor: rounded once, whatever their order, with
special numbers, zeros of both signs, few bins and many."""

import functools
import math

import numpy as np
import pytest
from tegula_library import Kernel, KernelError

SOURCE = """import tegula.language as pl

N = pl.dynamic("N")
M = pl.dynamic("M")
W = pl.dynamic("W")


@pl.jit
def scatter(x: pl.Tensor[[N], pl.FP32], i: pl.Tensor[[N], pl.{0}], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    pl.mscatter(x, i, y, atomic=pl.AtomicType.Add)


@pl.jit
def segments(x: pl.Tensor[[N, W], pl.FP32], i: pl.Tensor[[N], pl.{0}], y: pl.Out[pl.Tensor[[M, W], pl.FP32]]):
    y[:] = pl.segment_sum(x, i, M)
"""
INDICES = {"INT32": np.int32, "INT64": np.int64}
TARGET = "cuda:emulate"
ROUNDED = [(4096, 100), (5000, 20000)]


@functools.cache
def find_kernel(folder, name, index):
    path = folder / f"sums_{index}.py"
    if not path.exists():
        path.write_text(SOURCE.format(index))
    return Kernel(path, name=name, target=TARGET)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return functools.partial(find_kernel, tmp_path_factory.mktemp("sums"))


def wide_range(random, count):
    """Numbers of very different sizes."""
    return (random.standard_normal(count) * np.exp2(random.integers(-100, 90, count))).astype(np.float32)


def exact_sums(x, indices, before):
    """Sums as if nothing had been rounded before."""
    terms = [[float(number)] for number in before]
    for number, index in zip(x, indices, strict=True):
        terms[index].append(float(number))
    return np.array([math.fsum(of) for of in terms])


def assert_rounded_once(found, wanted):
    """Or twice: by way of FP64, which may end on the other side of a middle."""
    nearest = wanted.astype(np.float32)
    assert (np.abs(found - wanted) <= np.spacing(np.abs(nearest)) * 0.5000001).all()


# From where on all blocks add, with sums of their own for few indices and without; indices that few elements go to. Few
# elements, and many indices, are added up in another way.
@pytest.mark.parametrize("count, bins", [(4097, 1), (4097, 7), (9000, 300), (20000, 3000), (5000, 6001), *ROUNDED])
@pytest.mark.parametrize("index", INDICES)
def test_sums_are_rounded_once(kernels, index, count, bins):
    random = np.random.default_rng(count)
    x, y = wide_range(random, 2 * count)[::2], wide_range(random, bins)
    i = random.integers(0, bins, count).astype(INDICES[index])
    wanted, found, again = exact_sums(x, i, y), y.copy(), y.copy()
    kernels("scatter", index)(x, i, found)
    kernels("scatter", index)(x, i, again)
    np.testing.assert_array_equal(found.view(np.uint32), again.view(np.uint32))
    if (count, bins) in ROUNDED:
        sizes = exact_sums(np.abs(x), i, np.abs(y))
        assert (np.abs(found - wanted) <= 1e-5 * sizes).all()
    else:
        assert_rounded_once(found, wanted)


def test_order_does_not_matter(kernels):
    random = np.random.default_rng(3)
    x, i = wide_range(random, 6000), random.integers(0, 50, 6000).astype(np.int32)
    found = []
    for order in (np.arange(6000), random.permutation(6000), random.permutation(6000)):
        y = np.zeros(50, np.float32)
        kernels("scatter", "INT32")(x[order].copy(), i[order].copy(), y)
        found.append(y.view(np.uint32))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_what_cancels_leaves_the_rest(kernels):
    """Of either sign, at all distances, and of the smallest numbers there are."""
    rest = np.array([1, -1, 1e-30, -1e-30, 1e-45, -1e-45, 0, 3e38], np.float32)
    count = 5000
    x, i = np.full(count, -0.0, np.float32), np.arange(count, dtype=np.int32) % len(rest)
    for index, number in enumerate(rest):
        x[index::8][:7] = [3e38, number, 1e20, -3e38, 5, -1e20, -5]
    y = np.zeros(len(rest), np.float32)
    kernels("scatter", "INT32")(x, i, y)
    np.testing.assert_array_equal(y, rest)


def test_special_numbers_and_zeros(kernels):
    count, bins = 5000, 10
    x, i = np.full(count, -0.0, np.float32), (np.arange(count) % bins).astype(np.int32)
    y = np.full(bins, -0.0, np.float32)
    added = {1: [np.inf], 2: [-np.inf], 3: [np.nan], 4: [np.inf, -np.inf], 5: [0.0], 6: [3e38, 3e38], 7: [1, -1]}
    added[8], y[8], y[9] = [np.inf, 1], -np.inf, np.nan
    for index, numbers in added.items():
        x[index::bins][: len(numbers)] = numbers
    kernels("scatter", "INT32")(x, i, y)
    wanted = np.array([-0.0, np.inf, -np.inf, np.nan, np.nan, 0.0, np.inf, 0.0, np.nan, np.nan], np.float32)
    np.testing.assert_array_equal(y, wanted)
    np.testing.assert_array_equal(np.signbit(y[[0, 5, 7]]), [True, False, False])


@pytest.mark.parametrize("count, width, bins", [(65, 64, 9), (5000, 1, 11), (1000, 33, 70), (130, 40, 100)])
def test_scatter_add_of_rows(kernels, count, width, bins):
    random = np.random.default_rng(width)
    x, i = (
        wide_range(random, count * width).reshape(count, width),
        random.integers(-2, bins + 2, count).astype(np.int32),
    )
    y = np.full((bins, width), 7, np.float32)
    kernels("segments", "INT32")(x, i, y)
    # What belongs nowhere is left out.
    kept = (i >= 0) & (i < bins)
    for column in range(width):
        assert_rounded_once(y[:, column], exact_sums(x[kept, column], i[kept], np.zeros(bins)))


def test_indices_out_of_range_are_named(kernels):
    x, i, y = np.ones(6000, np.float32), np.zeros(6000, np.int32), np.zeros(5, np.float32)
    i[4321] = 5
    with pytest.raises(KernelError, match="5"):
        kernels("scatter", "INT32")(x, i, y)
