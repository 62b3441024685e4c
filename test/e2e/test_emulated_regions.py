# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of a GPU whose tiles are in registers, but for what one op takes and makes, or that read what they write."""

import functools

import numpy as np
import pytest
from tegula_library import ROOT, Kernel

TARGETS = ["cuda:emulate", "cuda:emulate,whole-blocks"]
SIZES = [0, 1, 15, 16, 17, 37]


@functools.cache
def find_kernel(name, target):
    return Kernel(ROOT / "test/e2e/Inputs/tile_regions.py", name=name, target=target)


def make(rows, columns):
    return np.random.default_rng(rows + columns).standard_normal((rows, columns)).astype(np.float32)


def assert_close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", SIZES)
@pytest.mark.parametrize("n", [0, 1, 31, 33, 67])
def test_residual(target, m, n):
    x, y = make(m, n), make(m, n) + 1
    wanted = y.copy()
    for j in range(0, n, 32):
        t = x[:, j : j + 32]
        wanted[:, j : j + 32] += np.exp(t) * t.sum(axis=1, keepdims=True)
    find_kernel("residual", target)(x, y)
    assert_close(y, wanted)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 67])
def test_running_state(target, n):
    """Each iteration reads, from other threads, what the one before has written."""
    x, y = make(32, n), make(32, 16)
    wanted = y.copy()
    for i in range(0, 32, 16):
        for j in range(0, n, 16):
            t = np.zeros((16, 16), np.float32)
            t[:, : min(16, n - j)] = x[i : i + 16, j : j + 16]
            wanted[i : i + 16] = np.maximum(wanted[i : i + 16].T * 0.125, t)
    find_kernel("running", target)(x, y)
    assert_close(y, wanted)


def halves(x):
    t = np.exp(x)
    left, right = t[:, :32], t[:, 32:]
    return np.concatenate([left - right, left * right], axis=1) + t.max(axis=1, keepdims=True)


def sums(x):
    t = np.exp(x)
    return t.cumsum(axis=1) / t.sum(axis=1, keepdims=True)


def element(x):
    t = np.exp(x)
    return t * np.repeat(t[::16, 3], 16)[: len(t), None]


def halving(x):
    t = np.exp(x)
    for _ in range(3):
        t = t * np.float32(0.5) + t.max(axis=1, keepdims=True)
    return t - 1


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", SIZES)
@pytest.mark.parametrize("change", [halves, sums, element, halving])
def test_op_without_rule(change, m, target):
    x, y = make(m, 64), make(m, 64)
    find_kernel(change.__name__, target)(x, y)
    assert_close(y, change(x) if m else y)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", SIZES)
@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 64, 65, 97, 131])
def test_parts_of_tensors(m, n, target):
    """Windows of what is loaded, and a tile that is put together and stored, as far as its parts fit."""
    x, y = make(m, n), make(m, n)
    wanted = y.copy()
    for j in range(0, n, 64):
        left, right = x[:, j : j + 32], x[:, j + 32 : j + 64]
        t = np.concatenate([np.exp(left), right - 1, left * 2], axis=1)[:, : n - j]
        wanted[:, j : min(j + 64, j + t.shape[1])] = t[:, :64]
    find_kernel("rotated", target)(x, y)
    assert_close(y, wanted)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", SIZES)
def test_tiles_from_outside(m, target):
    x, b, y = make(m, 64), make(1, 64), make(m, 64)
    find_kernel("outside", target)(x, b, y)
    assert_close(y, np.exp(x) * np.exp(b) * 0.5 + b.sum())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", SIZES)
def test_extents_that_are_data(m, target):
    x, y = make(m, 64), make(m, 64)
    counts = np.arange(m, dtype=np.int32) * 5 % 70
    find_kernel("lengths", target)(x, counts, y)
    wanted = np.zeros((m, 64), np.float32)
    for i, count in enumerate(counts):
        length = min(int(count) ** 3, 64)
        wanted[i, :length] = np.exp(x[i, :length]) * 2
    assert_close(y, wanted)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m", SIZES)
def test_gathered_columns(m, target):
    x, y = make(m, 64), make(m, 8)
    at = np.random.default_rng(m).integers(0, 64, (m, 8)).astype(np.int32)
    find_kernel("gathered", target)(x, at, y)
    t = np.exp(x)
    assert_close(y, np.take_along_axis(t / t.sum(axis=1, keepdims=True), at, axis=1) * 2)
