# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that are data: on their axes they are what eager mode makes of them, and elsewhere an error, never another
element."""

import inspect
import warnings

import pytest
import torch
from torch.nn import functional

import tegula.torch
from tegula.torch import FallbackWarning

W = torch.randn(5, 4)
ROWS = torch.arange(8.0).reshape(2, 4)


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        yield


def put(w, i):
    return w.index_put((i,), ROWS)


# What is taken, indices that are on the axis, and indices that are not.
CASES = {
    "embedding": (lambda w, i: functional.embedding(i, w), [0, 4], [[0, 5], [0, 7], [-1, 0]]),
    "index_select": (lambda w, i: torch.index_select(w, 0, i), [4, 0], [[0, 5], [0, -1]]),
    "index_select, last axis": (lambda w, i: torch.index_select(w, 1, i), [3, 3], [[0, 4], [-1, 0]]),
    "index": (lambda w, i: w[i], [-5, 4], [[0, 5], [-6, 0], [0, 2**40]]),
    "index, last axis": (lambda w, i: w[:, i], [-4, 3], [[0, 4], [-5, 0]]),
    "index, first of two": (lambda w, i: w[i, i.abs() % 4], [-5, 4], [[0, 5], [-6, 0]]),
    "index, second of two": (lambda w, i: w[i.abs() % 5, i], [-4, 3], [[0, 4], [-5, 0]]),
    "index, broadcast": (lambda w, i: w[i[:, None], i[None]], [-4, 3], [[0, 4], [-5, 0]]),
    "index_put": (put, [-5, 4], [[0, 5], [-6, 0]]),
    "index_put, added": (lambda w, i: w.index_put((i,), ROWS, True), [1, 1], [[0, 5], [-6, 0]]),
    "gather": (lambda w, i: torch.gather(w, 0, i[None]), [0, 4], [[0, 5], [-1, 0]]),
    "gather, last axis": (lambda w, i: torch.gather(w, 1, i.expand(5, 2)), [0, 3], [[0, 4], [-1, 0], [2**32, 0]]),
    "scatter": (lambda w, i: torch.scatter(w, 1, i[None], 5.0), [0, 3], [[0, 4], [-1, 0]]),
    "index_add": (lambda w, i: w.index_add(0, i, ROWS, alpha=2), [4, 4], [[0, 5], [-1, 0]]),
    "index_add, last axis": (lambda w, i: w.index_add(1, i, w[:, :2]), [3, 3], [[0, 4], [-1, 0]]),
    "index_copy": (lambda w, i: w.index_copy(0, i, ROWS), [4, 0], [[0, 5], [-1, 0]]),
    "index_fill": (lambda w, i: w.index_fill(1, i, 2.5), [-4, 3], [[0, 4], [-5, 0]]),
    "one_hot": (lambda w, i: functional.one_hot(i, 4), [0, 3], [[0, 4], [-1, 0]]),
    "take": (lambda w, i: torch.take(w, i), [-20, 19], [[0, 20], [-21, 0]]),
    "nll_loss": (lambda w, i: functional.nll_loss(w[:2], i), [0, 3], [[0, 4], [-1, 0]]),
    "scatter_add": (lambda w, i: torch.scatter_add(w, 0, i[:, None], ROWS[:, :1]), [4, 4], [[0, 5], [-1, 0]]),
}


@pytest.mark.parametrize("name", CASES)
def test_indices(name):
    function, good, bad = CASES[name]
    run = torch.compile(function, backend="tegula", dynamic=True)
    torch.testing.assert_close(run(W, torch.tensor(good)), function(W, torch.tensor(good)))
    for indices in bad:
        with pytest.raises((IndexError, RuntimeError)):
            function(W, torch.tensor(indices))
        with pytest.raises(tegula.RunError, match=rf"^{name.split(',')[0]}.*: .*out of range.*, at .*indices.py:\d+$"):
            run(W, torch.tensor(indices))
    torch.testing.assert_close(run(W, torch.tensor(good)), function(W, torch.tensor(good)))


def test_the_message_names_the_line_of_the_model():
    def function(w, i):
        y = w + 1
        return functional.embedding(i, y) * 2

    line = inspect.getsourcelines(function)[1] + 2
    run = torch.compile(function, backend="tegula", dynamic=True)
    with pytest.raises(
        tegula.RunError, match=rf"^embedding: an index is out of range, at .*test_torch_indices\.py:{line}"
    ):
        run(W, torch.tensor([1, 5]))


def test_many_indices_and_none():
    run = torch.compile(lambda w, i: w[i], backend="tegula", dynamic=True)
    for count in (2, 0, 1, 1023, 1024, 1025, 3001):
        indices = torch.randint(-5, 5, (count,), dtype=torch.int32)
        torch.testing.assert_close(run(W, indices), W[indices])
        if count > 1:
            indices[-1] = 5
            with pytest.raises(tegula.RunError, match="out of range"):
                run(W, indices)


DIVISIONS = {
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "fmod": torch.fmod,
    "cut off": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
}


@pytest.mark.parametrize("name", DIVISIONS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8])
def test_integers_are_not_divided_by_zero(name, dtype):
    function = DIVISIONS[name]
    run = torch.compile(function, backend="tegula", dynamic=True)
    a, b = torch.randint(1, 90, (5, 7)).to(dtype), torch.randint(1, 9, (7,)).to(dtype)
    torch.testing.assert_close(run(a, b), function(a, b))
    b[6] = 0
    with pytest.raises(RuntimeError, match="ZeroDivision"):
        function(a, b)
    with pytest.raises(tegula.RunError, match="divided by zero"):
        run(a, b)
    # Nothing is divided.
    assert run(a[:0], b).shape == (0, 7)
