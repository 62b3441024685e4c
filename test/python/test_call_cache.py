# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that look like one before: what is the same is not checked again, and whatever differs is."""

import contextlib
import threading

import numpy as np
import pytest
import torch
from exchanged import Exchanged, exchanged, failing

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


def make_add():
    @pl.jit
    def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        out[:] = x + y

    return add


def numbers(*shape, dtype=np.float32):
    return np.random.default_rng(len(shape)).integers(1, 100, shape).astype(dtype)


def warm(kernel, *arguments):
    """A call that is known afterwards."""
    for _ in range(4):
        kernel(*arguments)
    return kernel


@pytest.fixture
def add():
    return warm(make_add(), numbers(4, 6), numbers(4, 6), np.empty((4, 6), np.float32))


def check_add(add, x, y, out):
    out[:] = -1
    add(x, y, out)
    np.testing.assert_array_equal(out, np.asarray(x) + np.asarray(y))


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (24, 1), (1, 24), (0, 6), (4, 0), (3, 8), (4, 7), (5, 6), (4, 6)])
def test_other_sizes_are_seen(add, shape):
    for _ in range(3):
        check_add(add, numbers(*shape), numbers(*shape), np.empty(shape, np.float32))
    check_add(add, numbers(4, 6), numbers(4, 6), np.empty((4, 6), np.float32))


@pytest.mark.parametrize("index", [0, 1, 2])
def test_sizes_that_disagree_are_refused(add, index):
    arguments = [numbers(4, 6), numbers(4, 6), numbers(4, 6)]
    arguments[index] = numbers(4, 5)
    with pytest.raises(tegula.CallError, match="axis 1 is"):
        add(*arguments)
    arguments[index] = numbers(4, 6, 1)
    with pytest.raises(tegula.CallError, match="shape .* is wanted"):
        add(*arguments)


@pytest.mark.parametrize("index", [0, 1, 2])
@pytest.mark.parametrize(
    "view",
    [
        lambda: numbers(4, 12)[:, ::2],
        lambda: numbers(6, 4).T,
        lambda: numbers(4, 6)[::-1],
        lambda: numbers(4, 6)[:, ::-1],
        lambda: numbers(8, 9)[::2, 3:],
    ],
)
def test_other_strides_are_seen(add, index, view):
    for _ in range(3):
        arguments = [numbers(4, 6), numbers(4, 6) + 1, numbers(4, 6)]
        arguments[index] = view()
        check_add(add, *arguments)
        check_add(add, numbers(4, 6), numbers(4, 6), numbers(4, 6))


def test_a_row_that_repeats_may_be_read_and_not_written(add):
    repeated = np.lib.stride_tricks.as_strided(numbers(6), (4, 6), (0, 4))
    for _ in range(3):
        check_add(add, repeated, numbers(4, 6), numbers(4, 6))
    for _ in range(3):
        with pytest.raises(tegula.CallError, match="share memory"):
            add(numbers(4, 6), numbers(4, 6), repeated)


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.float16, ">f4"])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_other_elements_are_refused(add, dtype, index):
    arguments = [numbers(4, 6), numbers(4, 6), numbers(4, 6)]
    arguments[index] = numbers(4, 6).astype(dtype)
    for _ in range(2):
        with pytest.raises(tegula.CallError, match="FP32 is wanted|byte order"):
            add(*arguments)


def test_kernels_of_open_types_find_their_variants():
    @pl.jit
    def twice(x, out: pl.Out[pl.Tensor]):
        out[:] = x + x

    for dtype in [np.float32, np.int32, np.float64, np.int64] * 4:
        x, out = numbers(5, dtype=dtype), np.zeros(5, dtype)
        twice(x, out)
        np.testing.assert_array_equal(out, x + x)


def test_an_array_that_changes_in_place_is_seen(add):
    x, y, out = numbers(4, 6), numbers(4, 6), numbers(4, 6)
    warm(add, x, y, out)
    for array in (x, y, out):
        array.shape = (6, 4)
    check_add(add, x, y, out)
    out.shape = (24, 1)
    with pytest.raises(tegula.CallError, match="axis"):
        add(x, y, out)
    out.shape = (6, 4)
    x.dtype = np.int32
    with pytest.raises(tegula.CallError, match="FP32"):
        add(x, y, out)
    x.dtype = np.float32
    out.flags.writeable = False
    with pytest.raises(tegula.CallError, match="read-only"):
        add(x, y, out)


def test_read_only_arrays_may_be_read(add):
    x, y, out = numbers(4, 6), numbers(4, 6), numbers(4, 6)
    x.flags.writeable = False
    for _ in range(4):
        check_add(add, x, y, out)
    with pytest.raises(tegula.CallError, match="read-only"):
        add(y, y, x)


def test_memory_that_is_shared_is_refused(add):
    x, y = numbers(4, 6), numbers(4, 6)
    memory = numbers(9, 6)
    with pytest.raises(tegula.CallError, match="shares memory"):
        add(x, y, x)
    with pytest.raises(tegula.CallError, match="shares memory"):
        add(memory[3:7], y, memory[:4])
    check_add(add, memory[4:8], y, memory[:4])
    check_add(add, x, x, y)


def test_views_that_interleave_are_taken_each_time(add):
    memory = numbers(4, 12)
    for _ in range(5):
        x, out = memory[:, ::2], memory[:, 1::2]
        check_add(add, x, x, out)
    with pytest.raises(tegula.CallError, match="shares memory"):
        add(memory[:, ::2], numbers(4, 6), memory[:, :11:2])


def test_misaligned_memory_is_refused(add):
    memory = np.zeros(4 * 6 * 4 + 1, np.uint8)
    odd = memory[1:].view(np.float32).reshape(4, 6)
    for index in range(3):
        arguments = [numbers(4, 6), numbers(4, 6), numbers(4, 6)]
        arguments[index] = odd
        with pytest.raises(tegula.CallError, match="not a multiple of 4"):
            add(*arguments)


class Subclass(np.ndarray):
    pass


def test_other_types_are_read_as_they_are(add):
    x, y, out = numbers(4, 6), numbers(4, 6), numbers(4, 6)
    for _ in range(4):
        check_add(add, x.view(Subclass), y, out)
        check_add(add, x, torch.from_numpy(y), out)
        check_add(add, x, y, out)
    masked = np.ma.masked_array(x, x > 50)
    with pytest.raises(tegula.CallError, match="masked"):
        add(masked, y, out)
    for wrong in (None, "x", [1.0], 2.5):
        with pytest.raises(tegula.CallError):
            add(x, wrong, out)
    with pytest.raises(tegula.CallError, match="missing"):
        add(x)


def test_tensors_of_torch():
    add = make_add()
    x, y, out = (torch.rand(4, 6) for _ in range(3))
    warm(add, x, y, out)
    torch.testing.assert_close(out, x + y)
    for view in (torch.rand(6, 4).T, torch.rand(4, 12)[:, ::2], torch.rand(5, 7)[1:, 1:]):
        add(view, y, out)
        torch.testing.assert_close(out, view + y)
    y.resize_(6, 4)
    with pytest.raises(tegula.CallError, match="axis"):
        add(x, y, out)
    with pytest.raises(tegula.CallError, match="FP32"):
        add(x, torch.zeros(4, 6, dtype=torch.float64), out)
    with pytest.raises(tegula.CallError, match="shares memory"):
        add(x, x, x)


def test_views_that_are_negated_are_refused_each_time():
    add = make_add()
    x, out = torch.rand(4, 6), torch.empty(4, 6)
    plain = torch.rand(4, 12)[:, ::2]
    negated = torch.rand(4, 6, dtype=torch.complex64).conj().imag
    assert negated.stride() == plain.stride() and negated.is_neg()
    for _ in range(4):
        add(x, plain, out)
        with pytest.raises(tegula.CallError, match="negated"):
            add(x, negated, out)


def make_scale():
    @pl.jit
    def scale(x: pl.Tensor[[M], pl.FP32], factor: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * factor

    return scale


def test_other_numbers_are_seen():
    scale = make_scale()
    x, out = numbers(5), np.empty(5, np.float32)
    for factor in [2.0, 2.0, 2.0, 3.0, 2.0, 2, 2, 2, True, 1, 0.0, 0.0, 0.0, -0.0, np.float32(4), -1, -1, -1, 7]:
        scale(x, factor, out)
        np.testing.assert_array_equal(out, x * np.float32(factor))
        np.testing.assert_array_equal(np.signbit(out), np.signbit(x * np.float32(factor)))
    for _ in range(3):
        scale(x, float("nan"), out)
        assert np.isnan(out).all()
    for wrong in (1e300, 2**200, x):
        with pytest.raises(tegula.CallError):
            scale(x, wrong, out)


@pytest.mark.parametrize("large, negative", [(2**64 - 1, -1), (2**63, -(2**63))])
def test_large_numbers_are_not_negative_ones(large, negative):
    scale = make_scale()
    x, out = numbers(5), np.empty(5, np.float32)
    for factor in [large, large, large, large, negative, negative, negative, negative, large]:
        scale(x, factor, out)
        np.testing.assert_array_equal(out, x * np.float32(factor))
        np.testing.assert_array_equal(scale(x, factor), x * np.float32(factor))


@pytest.mark.parametrize("large, negative", [(2**64 - 1, -1), (2**63, -(2**63))])
def test_negative_numbers_are_refused_after_large_ones(large, negative):
    @pl.jit
    def add(x: pl.Tensor[[M], pl.UINT64], n: pl.Scalar[pl.UINT64], out: pl.Out[pl.Tensor[[M], pl.UINT64]]):
        out[:] = x + n

    x, out = numbers(5, dtype=np.uint64), np.empty(5, np.uint64)
    for _ in range(4):
        add(x, large, out)
        np.testing.assert_array_equal(out, x + np.uint64(large))
        np.testing.assert_array_equal(add(x, large), x + np.uint64(large))
    with pytest.raises(tegula.CallError, match="UINT64"):
        add(x, negative, out)
    with pytest.raises(tegula.CallError, match="UINT64"):
        add(x, negative)


def test_numbers_that_are_constants_find_their_variants():
    @pl.jit
    def first(x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.INT32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = pl.full([M], pl.FP32, 0.0)
        tile = pl.load(x, [0], [n])
        pl.store(tile, [0], out)

    x, out = numbers(16), np.empty(16, np.float32)
    for n in [2, 2, 2, 3, 2, 3, 3, 3, 5]:
        first(x, n, out)
        np.testing.assert_array_equal(out, np.where(np.arange(16) < n, x, 0))


def test_sizes_that_follow_from_others_are_checked():
    @pl.jit
    def halves(x: pl.Tensor[[2 * M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x[:M] + x[M:]

    x, out = numbers(12), np.empty(6, np.float32)
    warm(halves, x, out)
    np.testing.assert_array_equal(out, x[:6] + x[6:])
    halves(numbers(8), np.empty(4, np.float32))
    for wrong in (12, 5, 7):
        with pytest.raises(tegula.CallError):
            halves(numbers(wrong), np.empty(3, np.float32))


def test_many_threads_with_sizes_of_their_own():
    add = make_add()
    wrong = []

    def work(rows):
        x, y = numbers(rows, 6), numbers(rows, 6) + rows
        for iteration in range(300):
            out = np.zeros((rows, 6), np.float32)
            add(x, y, out) if iteration % 7 else add(x.T.copy().T, y, out)
            if not np.array_equal(out, x + y):
                wrong.append(rows)

    threads = [threading.Thread(target=work, args=(rows,)) for rows in (4, 5, 8, 9, 4, 12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_library_may_call_the_kernel_while_it_is_asked_about_a_tensor():
    add = make_add()
    x, y, out = exchanged(4, 6), exchanged(4, 6), exchanged(4, 6)
    other = [exchanged(20, 6), exchanged(20, 6), exchanged(20, 6)]
    warm(add, x, y, out)

    def call_others():
        y.on_query = lambda: None
        # Of sizes that share a slot, among others.
        for rows in range(1, 40):
            arrays = [numbers(rows, 6) for _ in range(3)]
            warm(add, *arrays)
            np.testing.assert_array_equal(arrays[2], arrays[0] + arrays[1])
        warm(add, *other)

    for _ in range(3):
        y.on_query = call_others
        out.array[:] = -1
        add(x, y, out)
        np.testing.assert_array_equal(out.array, x.array + y.array)
        np.testing.assert_array_equal(other[2].array, other[0].array + other[1].array)


def test_a_library_may_change_another_tensor_while_it_is_asked_about_one():
    add = make_add()
    x, y, out = exchanged(4, 6), exchanged(4, 6), exchanged(4, 6)
    warm(add, x, y, out)

    def change():
        x.array = numbers(5, 6)

    y.on_query = change
    # What was read before is what counts.
    before = x.array
    add(x, y, out)
    np.testing.assert_array_equal(out.array, before + y.array)
    with pytest.raises(tegula.CallError, match="axis 0"):
        add(x, y, out)


def test_tensors_that_move_are_seen():
    add = make_add()
    x, y, out = exchanged(4, 6), exchanged(4, 6), exchanged(4, 6)
    warm(add, x, y, out)
    x.offset = 64
    x.array = numbers(4, 6) + 5
    add(x, y, out)
    np.testing.assert_array_equal(out.array, x.array + y.array)
    y.device = (2, 0)
    with pytest.raises(tegula.CallError, match="cuda:0"):
        add(x, y, out)
    y.device = (10, 0)
    with pytest.raises(tegula.CallError, match="device of type 10"):
        add(x, y, out)
    y.device = (1, 0)
    y.array = numbers(4, 6, dtype=np.int32)
    with pytest.raises(tegula.CallError, match="FP32"):
        add(x, y, out)


@pytest.mark.parametrize("rank", [-1, -(2**31), 9, 2**31 - 1])
@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("is_known", [False, True])
def test_ranks_that_no_tensor_has_are_refused(rank, index, is_known):
    add = make_add()
    tensors = [exchanged(4, 6), exchanged(4, 6), exchanged(4, 6)]
    if is_known:
        warm(add, *tensors)
        warm(add, *tensors[:2])
    tensors[index].rank = rank
    with pytest.raises(tegula.CallError, match=f"at most 8 axes, got {rank}"):
        add(*tensors)
    with pytest.raises(tegula.CallError, match=f"at most 8 axes, got {rank}"):
        add(*tensors[:2])


@pytest.mark.parametrize("is_left_out", [False, True])
def test_a_library_that_is_interrupted_while_it_is_asked_about_a_tensor(is_left_out):
    add = make_add()
    x, y, out = exchanged(4, 6), exchanged(4, 6), exchanged(4, 6)
    arguments = (x, y) if is_left_out else (x, y, out)
    # The first is asked for several times in each call, by what compares it and by what reads it.
    for kernel, times in [(make_add(), 1), (make_add(), 100), (warm(add, x, y, out), 1), (warm(add, *arguments), 1)]:
        with failing(KeyboardInterrupt("stop"), times), pytest.raises(KeyboardInterrupt, match="stop"):
            kernel(*arguments)
        kernel(*arguments)
    # One that is asked later is interrupted as well.
    for iteration in range(8):
        asked = 0

        def fail_in_iteration(iteration=iteration):
            nonlocal asked
            asked += 1
            if asked == iteration + 1:
                scope.enter_context(failing(KeyboardInterrupt("stop")))

        for kernel in (add, make_add()):
            asked = 0
            with contextlib.ExitStack() as scope:
                x.on_query = y.on_query = fail_in_iteration
                try:
                    kernel(*arguments)
                except KeyboardInterrupt as interrupt:
                    assert interrupt.args == ("stop",) and interrupt.__cause__ is None
                else:
                    assert asked <= iteration + 1
                x.on_query = y.on_query = lambda: None


@pytest.mark.parametrize("is_left_out", [False, True])
def test_a_library_that_fails_when_asked_about_a_tensor(is_left_out):
    add = make_add()
    x, y, out = exchanged(4, 6), exchanged(4, 6), exchanged(4, 6)
    arguments = (x, y) if is_left_out else (x, y, out)
    warm(add, *arguments)
    with failing(ValueError("lost")):
        add(*arguments)
    with failing(ValueError("lost"), 100), pytest.raises(tegula.CallError, match="cannot be read: lost"):
        add(*arguments)
    add(*arguments)


def test_subclasses_of_a_librarys_tensors():
    class Special(Exchanged):
        pass

    add = make_add()
    x, y, out = exchanged(4, 6), exchanged(4, 6), exchanged(4, 6)
    warm(add, x, y, out)
    special = Special(numbers(4, 6))
    for _ in range(4):
        add(x, special, out)
        np.testing.assert_array_equal(out.array, x.array + special.array)


def test_a_kernel_is_forgotten_with_its_calls(add):
    x, y, out = numbers(4, 6), numbers(4, 6), numbers(4, 6)
    tegula._tegula.clear(add)
    check_add(add, x, y, out)
