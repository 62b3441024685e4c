# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""4-bit elements from Python: bytes that hold two, arrays that have a byte for each, results."""

import ml_dtypes
import numpy as np
import pytest
import torch

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def widen(x: pl.Tensor[[M, N], pl.INT4], out: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    out[:] = pl.cast(x, pl.INT32)


@pl.jit
def narrow(x: pl.Tensor[[M, N], pl.INT32], out: pl.Out[pl.Tensor[[M, N], pl.UINT4]]):
    out[:] = pl.cast(x, pl.UINT4)


@pl.jit
def negate(x: pl.Tensor[[M, N], pl.INT4], out: pl.Out[pl.Tensor[[M, N], pl.INT4]]):
    out[:] = -x


@pl.jit
def shift(x: pl.Tensor[[N], pl.UINT4], n: pl.Scalar[pl.INDEX], out: pl.InOut[pl.Tensor[[N], pl.UINT4]]):
    for i in pl.parallel(0, N, 3):
        out[i + n : i + n + 3] = x[i : i + 3]


@pl.jit
def five(x: pl.Tensor[[5], pl.INT4], out: pl.Out[pl.Tensor[[5], pl.INT32]]):
    for i in pl.range(5):
        out[i] = pl.cast(x[4 - i], pl.INT32)


def pack(values):
    bits = np.asarray(values).astype(np.uint8) & 15
    bits = np.concatenate([bits, np.zeros((*bits.shape[:-1], bits.shape[-1] % 2), np.uint8)], -1)
    return bits[..., ::2] | bits[..., 1::2] << 4


def unpack(packed, columns):
    pairs = np.stack([packed & 15, packed >> 4], -1)
    return pairs.reshape(*packed.shape[:-1], 2 * packed.shape[-1])[..., :columns]


def numbers(*shape):
    return np.random.default_rng(sum(shape)).integers(-8, 8, shape)


SIZES = [(0, 3), (3, 0), (1, 1), (3, 2), (5, 7), (17, 33), (64, 257)]


@pytest.mark.parametrize("target", ["cpu", "interpreter"])
@pytest.mark.parametrize("m, n", SIZES)
def test_bytes_hold_two_elements(m, n, target):
    x = numbers(m, n)
    with tegula.config(target=target):
        for packed in (pack(x), pack(x).view(np.int8), torch.from_numpy(pack(x))):
            out = np.zeros((m, n), np.int32)
            widen(packed, out)
            np.testing.assert_array_equal(out, x)
        packed = np.full((m, (n + 1) // 2), 0xA5, np.uint8)
        narrow(x.astype(np.int32), packed)
        np.testing.assert_array_equal(unpack(packed, n), x & 15)
        # What is behind an odd row stays.
        if n % 2:
            assert (packed[:, -1] >> 4 == 10).all()


@pytest.mark.parametrize("m, n", SIZES)
def test_arrays_with_a_byte_for_each_are_copied(m, n):
    x = numbers(m, n).astype(ml_dtypes.int4)
    out = np.zeros((m, n), ml_dtypes.int4)
    negate(x, out)
    np.testing.assert_array_equal(out.astype(np.int8), (-x.astype(np.int8)).astype(ml_dtypes.int4).astype(np.int8))
    whole = np.zeros((2 * m, 3 * n), ml_dtypes.int4)
    negate(x[::-1, ::-1], whole[1::2, ::3])
    np.testing.assert_array_equal(whole[1::2, ::3], out[::-1, ::-1])
    assert not whole[::2].astype(np.int8).any()


def test_results_are_bytes():
    x = numbers(3, 5)
    result = narrow(x.astype(np.int32))
    assert result.dtype == np.uint8 and result.shape == (3, 3)
    np.testing.assert_array_equal(unpack(result, 5), x & 15)
    result = narrow(torch.from_numpy(x.astype(np.int32)))
    assert result.dtype == torch.uint8
    np.testing.assert_array_equal(unpack(result.numpy(), 5), x & 15)
    # Bytes alone are an even number of columns.
    result = negate(pack(x))
    assert result.shape == (3, 3)
    np.testing.assert_array_equal(unpack(result, 5), -x & 15)
    assert widen(pack(x)).shape == (3, 6)


def test_rows_may_be_strided():
    x = numbers(6, 8)
    wide = np.zeros((6, 9), np.uint8)
    wide[:, 2:6] = pack(x)
    out = np.zeros((3, 8), np.int32)
    widen(wide[::-2, 2:6], out)
    np.testing.assert_array_equal(out, x[::-2])


@pytest.mark.parametrize("n", [0, 1, 3, 100, 1001])
@pytest.mark.parametrize("by", [0, 1, 2, 3])
def test_windows_start_anywhere(n, by):
    x, before = numbers(n) & 15, numbers(n)[::-1] & 15
    wanted = np.concatenate([before[:by], x])[:n]
    out = before.astype(ml_dtypes.uint4)
    shift(x.astype(ml_dtypes.uint4), by, out)
    np.testing.assert_array_equal(out.astype(np.uint8), wanted)
    if n % 2 == 0:
        out = pack(before)
        shift(pack(x), by, out)
        np.testing.assert_array_equal(unpack(out, n), wanted)


def test_a_declared_number_of_columns():
    x = numbers(5)
    np.testing.assert_array_equal(five(pack(x)), x[::-1])
    with pytest.raises(tegula.CallError, match="argument 'x': axis 0 is 4, but 5 is wanted"):
        five(pack(x[:4]))


def test_what_cannot_be_is_refused():
    x = pack(numbers(4, 6))
    with pytest.raises(tegula.CallError, match="two to a byte, so the stride along axis 1 must be 1"):
        widen(np.asfortranarray(x))
    with pytest.raises(tegula.CallError, match="'x': axis 1 is 6, but N is 7"):
        widen(x, np.zeros((4, 7), np.int32))
    with pytest.raises(tegula.CallError, match="'x': INT4 is wanted, got INT16"):
        widen(x.astype(np.int16))
    with pytest.raises(tegula.CallError, match="'out' is written and shares memory with argument 'x'"):
        negate(x, x)
    each = numbers(4, 6).astype(ml_dtypes.int4)
    with pytest.raises(tegula.CallError, match="'out' is written and shares memory with argument 'x'"):
        negate(each, each)
    each.flags.writeable = False
    with pytest.raises(tegula.CallError, match="'out': it is read-only"):
        negate(numbers(4, 6).astype(ml_dtypes.int4), each)
