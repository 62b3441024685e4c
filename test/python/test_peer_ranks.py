# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every function of ranks, in the forms that programs elsewhere are written in, on real ranks and against NumPy."""

import importlib
import pathlib
import sys

import numpy as np
import pytest

import tegula

INPUTS = pathlib.Path(__file__).parents[1] / "tools" / "Inputs"
RANKS = [1, 2, 3, 4]


def load(name: str, kernel: str):
    if str(INPUTS) not in sys.path:
        sys.path.insert(0, str(INPUTS))
    return getattr(importlib.import_module(name), kernel)


@pytest.fixture(scope="module", params=RANKS)
def group(request):
    with tegula.ranks(request.param) as started:
        yield started


def small(*shape: int) -> np.ndarray:
    """Numbers of which sums and products are exact."""
    return np.random.default_rng(len(shape)).integers(-2, 3, shape).astype(np.float32)


def test_ranks_know_their_numbers(group):
    x = small(group.count, 70)
    y = np.zeros_like(x)
    load("host_ops", "identity")(x, y)
    numbers = 3 * np.arange(group.count, dtype=np.float32)[:, None] * group.count**2
    np.testing.assert_array_equal(y, x + numbers)


def test_signals(group):
    x = small(group.count, 70)
    y = np.zeros_like(x)
    load("host_ops", "signals")(x, y)
    np.testing.assert_array_equal(y, np.roll(x, 1, axis=0))


def test_parts_move(group):
    x = small(group.count, 64, 64)
    y = np.zeros_like(x)
    load("host_ops", "moves")(x, y)
    got = x.copy()
    got[:, :32] = x[:, 32:]
    wanted = 4 * x + got + 2 * x
    wanted[:, :, :20] += 3 * x[:, :, 32:52]
    np.testing.assert_array_equal(y, wanted)


def test_collectives_on_hosts(group):
    ranks = group.count
    x, y = small(ranks, ranks, 70), small(ranks, ranks, 70)
    before = y.copy()
    load("host_ops", "on_hosts")(x, y)
    total = x.sum(axis=0)
    scattered = np.broadcast_to(ranks * total, x.shape).copy()
    for r in range(ranks):
        scattered[r, r] *= ranks
    gathered = np.broadcast_to(scattered[:, 0], x.shape)
    np.testing.assert_array_equal(y, before + scattered.swapaxes(0, 1) + gathered)


def test_collectives_in_cores(group):
    ranks = group.count
    x = small(ranks, ranks, 70)
    counts = np.random.default_rng(3).integers(0, 5, (ranks, ranks)).astype(np.int32)
    y = np.zeros_like(x)
    load("host_ops", "in_cores")(x, counts, y)
    product = np.broadcast_to(x[:, 0] ** ranks, x.shape)
    is_sent = (counts.T % 2 == 1)[:, :, None]
    came = np.where(is_sent, x.swapaxes(0, 1), product)
    np.testing.assert_array_equal(y, product + 2 * came)


def test_a_class_of_functions(group):
    x = small(group.count, 70)
    y = np.zeros_like(x)
    load("host_program", "Program")(x, y)
    np.testing.assert_array_equal(y, 4 * x)
