# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes of 0 and 1, at which operations do something else than at others, and sizes that are arithmetic."""

import warnings

import pytest
import torch
from torch.nn import functional

import tegula.torch
from tegula.torch import FallbackWarning

X = torch.randn(5, 4)


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


# A function, inputs that it is compiled for, and others.
LEFT_TO_EAGER = {
    "less than no rows": (lambda x: x.diff(dim=0), X, X[:0]),
    "windows of nothing": (lambda x: functional.local_response_norm(x, 2), torch.randn(2, 3, 4), torch.randn(2, 3, 0)),
    "between no points": (lambda x: torch.trapezoid(x, dim=0), X, X[:0]),
    "divided by a size": (lambda x: x + 1 if 12 % x.shape[0] > 1 else x - 1, X, X[:0]),
}


@pytest.mark.parametrize("name", ["less than no rows", "windows of nothing", "between no points"])
def test_what_a_kernel_does_not_take(name):
    function, example, x = LEFT_TO_EAGER[name]
    run = tegula.torch.compile(Model(function), (example,))
    torch.testing.assert_close(run(example), function(example))
    with pytest.warns(FallbackWarning, match="of shape|a size is 0 or 1"):
        found = run(x)
    torch.testing.assert_close(found, function(x))


def test_conditions_that_divide_by_a_size():
    run = tegula.torch.compile(Model(LEFT_TO_EAGER["divided by a size"][0]), (X,), dynamic=({0},))
    assert torch.equal(run(X), X + 1)
    with pytest.raises(tegula.CallError, match="it was compiled for .* the model itself says: .*zero"):
        run(X[:0])


def test_other_errors_are_not_tried_again():
    run = tegula.torch.compile(Model(lambda x: x + 1), (X,), dynamic=({0},))
    with pytest.raises(tegula.CallError, match="FP32 is wanted"):
        run(X[:1].double())


@pytest.mark.parametrize("name", ["windows of nothing", "between no points"])
def test_through_dynamo(name):
    function, example, x = LEFT_TO_EAGER[name]
    run = torch.compile(function, backend="tegula", dynamic=True)
    torch.testing.assert_close(run(example), function(example))
    warnings.simplefilter("ignore", FallbackWarning)
    torch.testing.assert_close(run(x), function(x))


def test_kernels_of_others_at_no_rows():
    """Whether they serve is asked of sizes that they divide by."""
    roll = torch.compile(lambda x: x.roll(1, 0) + 1, backend="tegula", dynamic=True)
    for x in (X, X[:0], X[:1]):
        torch.testing.assert_close(roll(x), x.roll(1, 0) + 1)


def test_nothing_next_to_something():
    run = tegula.torch.compile(Model(lambda x: (x[:, None] + 1, x.sum(1))), (torch.randn(2, 3, 4),))
    x = torch.randn(2, 0, 4)
    torch.testing.assert_close(run(x), (x[:, None] + 1, x.sum(1)))


def test_no_rows_are_added():
    run = tegula.torch.compile(Model(lambda x, i, y: x.index_add(0, i, y)), (X, torch.tensor([1, 2, 3]), X[:3]))
    assert torch.equal(run(X, torch.zeros(0, dtype=torch.int64), X[:0]), X)


SELECTIONS = {
    "the first row": (lambda x: x[0] + 1, 0),
    "the last row but one": (lambda x: x[-2] + 1, 1),
    "a row of what was computed": (lambda x: (x * 2)[2] + x.sum(), 2),
    "a row of rows": (lambda x: x.t()[:, 1] - 1, 1),
    "in the middle": (lambda x: x[:, None, :][1, 0].view(2, 2) * 3, 1),
    "and another": (lambda x: torch.stack([x[0], x[1]]).softmax(0), 1),
    "of a list": (lambda x: x.sum(1)[1] * 2, 1),
    "through a window": (lambda x: functional.conv1d(x[:, None].unsqueeze(0)[0, :, 0][0].view(1, 1, 4), KERNEL), 0),
}
KERNEL = torch.ones(1, 1, 2)


@pytest.mark.parametrize("name", SELECTIONS)
def test_selections_from_an_axis_that_varies(name):
    function, index = SELECTIONS[name]
    run = tegula.torch.compile(Model(function), (X,), dynamic=({0},))
    for rows in (5, 2 + index, 1 + index, 40):
        x = torch.randn(rows, 4)
        torch.testing.assert_close(run(x), function(x))
    warnings.simplefilter("ignore", FallbackWarning)
    for rows in range(1 + index - (name == "and another")):
        with pytest.raises((IndexError, tegula.CallError, tegula.RunError)):
            run(torch.randn(rows, 4))


def test_windows_over_what_was_transposed():
    images, kernel = torch.randn(9, 2, 4), torch.randn(3, 4, 2)
    functions = (
        lambda x: functional.conv1d(x[:, 0].t()[None], kernel),
        lambda x: functional.conv1d(x.permute(1, 2, 0), kernel),
        lambda x: functional.max_pool1d(x.flip(1).transpose(1, 2), 2),
        lambda x: functional.conv1d(functional.pad(x.transpose(1, 2), (1, 2)), kernel),
        lambda x: functional.max_pool1d(x[::2, :1].expand(-1, 6, 4), 2),
    )
    for function in functions:
        run = tegula.torch.compile(Model(function), (images,), dynamic=({0},))
        x = torch.randn(11, 2, 4)
        torch.testing.assert_close(run(x), function(x), rtol=1e-4, atol=1e-5)


def test_reshapes_to_rows():
    for function in (lambda x: (x + 1).reshape(-1, 2), lambda x: (x + 1).reshape(2, -1)):
        run = torch.compile(function, backend="tegula", dynamic=True)
        for shape in ((3, 4, 6), (3, 5, 6), (7, 2, 3)):
            x = torch.randn(shape)
            torch.testing.assert_close(run(x), function(x))


INDICES = torch.tensor([1, 2, 0, 1])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x + 1).index_select(1, INDICES),
        lambda x: (x + 1).t().index_select(0, INDICES),
        lambda x: (x > 0)[::2],
    ],
)
def test_indices_of_what_is_computed(function):
    run = tegula.torch.compile(Model(function), (X,), dynamic=({0},))
    for rows in (5, 0, 1, 8):
        x = torch.randn(rows, 4)
        assert torch.equal(run(x), function(x))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.roll(1, 0),
        lambda x: (x > 0).roll(-7, 1),
        lambda x: x.tril()[:, :1].roll((2, -1), (0, 1)),
        lambda x: (x + 1).roll(3) * 2,
        lambda x: x.roll(x.shape[0] // 2, 0),
    ],
)
def test_rolled(function):
    run = tegula.torch.compile(Model(function), (X,), dynamic=({0},))
    for rows in (5, 0, 1, 8):
        x = torch.randn(rows, 4)
        assert torch.equal(run(x), function(x))
