# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What eager mode refuses at some sizes, and for some elements, is refused by a kernel that was compiled for others."""

import warnings

import pytest
import torch
from torch.nn import functional

import tegula.torch
from tegula.torch import FallbackWarning

X = torch.randn(5, 4)
WINDOW = torch.ones(2, 2, 3, 3)
IMAGE, SMALL = torch.randn(1, 2, 6, 6), torch.randn(1, 2, 6, 2)
# A function, inputs that are right, and inputs that are not.
CASES = {
    "max": (lambda x: x.max(1), (X,), (X[:, :0],)),
    "max of all": (lambda x: x.max(), (X,), (X[:0],)),
    "min": (lambda x: x.min(0), (X,), (X[:0],)),
    "amax": (lambda x: x.amax((0, 1)), (X,), (X[:, :0],)),
    "amin of nothing, in rows of nothing": (lambda x: x.amin(1), (X,), (X[:0, :0],)),
    "argmax": (lambda x: x.argmax(1), (X,), (X[:, :0],)),
    "argmin of all": (lambda x: x.argmin(), (X,), (X[:0],)),
    "largest of absolute values": (lambda x: torch.linalg.vector_norm(x, float("inf"), 1), (X,), (X[:, :0],)),
    "//": (lambda x, y: x // y.shape[0], (torch.arange(6), X), (torch.arange(6), X[:0])),
    "%": (lambda x, y: x % y.shape[0], (torch.arange(6), X), (torch.arange(6), X[:0])),
    "probabilities": (functional.binary_cross_entropy, (X.sigmoid(), X.sigmoid()), (X.sigmoid() + 1, X.sigmoid())),
    "probabilities of labels": (functional.binary_cross_entropy, (X.sigmoid(), X * 0), (X.sigmoid(), X * float("nan"))),
    "mirrored": (lambda x: functional.pad(x, (3, 3), mode="reflect"), (X,), (X[:, :3],)),
    "continued": (lambda x: functional.pad(x, (3, 3), mode="replicate"), (X,), (X[:, :0],)),
    "conv2d": (lambda x: functional.conv2d(x, WINDOW), (IMAGE,), (SMALL,)),
    "max_pool2d": (lambda x: functional.max_pool2d(x, 3), (IMAGE,), (SMALL,)),
    "avg_pool2d": (lambda x: functional.avg_pool2d(x, 3), (IMAGE,), (SMALL,)),
}


class Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        yield


@pytest.mark.parametrize("name", CASES)
def test_refused_by_a_model_that_is_served(name):
    function, good, bad = CASES[name]
    run = tegula.torch.compile(Model(function), good)
    torch.testing.assert_close(run(*good), function(*good))
    with pytest.raises((RuntimeError, IndexError)):
        function(*bad)
    with pytest.raises(tegula.RunError, match=r"^\w+: [^:]*, at .*test_torch_refusals.py:\d+$"):
        run(*bad)
    torch.testing.assert_close(run(*good), function(*good))


@pytest.mark.parametrize("name", ["max", "min", "max of all", "probabilities"])
def test_refused_through_dynamo(name):
    function, good, bad = CASES[name]
    run = torch.compile(function, backend="tegula", dynamic=True)
    torch.testing.assert_close(run(*good), function(*good))
    warnings.simplefilter("ignore", FallbackWarning)
    with pytest.raises((RuntimeError, IndexError, tegula.RunError)):
        run(*bad)


def test_nothing_where_eager_mode_has_an_answer():
    functions = (lambda x: x.logsumexp(1), lambda x: x.softmax(1), lambda x: x.any(1))
    for function in functions:
        run = tegula.torch.compile(Model(function), (X,))
        for x in (X, X[:, :0], X[:0], X[:0, :0], X * float("inf")):
            torch.testing.assert_close(run(x), function(x), equal_nan=True)
    run = tegula.torch.compile(Model(lambda x: x.long() // x.shape[1]), (X,))
    assert run(X[:, :0]).shape == (5, 0)


def test_integers_to_negative_powers():
    warnings.simplefilter("ignore", FallbackWarning)
    with pytest.raises(RuntimeError, match="negative integer powers"):
        torch.compile(lambda x: x**-1, backend="tegula", dynamic=True)(torch.arange(4))


def test_users_do_not_see_what_they_did_not_write():
    def function(x, y):
        # Nobody asks for the indices.
        return torch.cat([x, y], 1).max(1)[0]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of a kernel that was written by hand, what may not have been meant would be an error here.
        with tegula.config(strict=True, cache="off"):
            run = torch.compile(function, backend="tegula", dynamic=True)
            torch.testing.assert_close(run(X, X), function(X, X))
