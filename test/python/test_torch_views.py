# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outputs that are memory of an input or of each other are so in a compiled graph, too: what is written into one of
them is seen in the others, and the steps along their axes are those of eager mode."""

import warnings

import pytest
import torch

import tegula.torch
from tegula.torch import FallbackWarning


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        yield


def several(x):
    y = x * 2
    q, k, v = y.chunk(3, 1)
    return q, k[:, 1], v.t(), torch.relu(y)


def middle(x):
    """The memory that is shared does not come out itself."""
    y = x + 1
    return y.t()[1:], y.reshape(-1)[3:], y.expand_as(y)


def changed(x):
    y = x.clone()
    v = y[0]
    v.mul_(3)
    return y, v, y.view(-1)


SHARED = {
    "a row of an input": lambda x: x[0],
    "an input transposed": lambda x: x.t(),
    "an input, and views of views of it": lambda x: (x, x.t()[1:], x.view(-1)[2:], x.unbind(1)[2], x * 2),
    "as it is": lambda x: (x.contiguous(), x.float(), torch.dropout(x, 0.5, False)),
    "a result and a row of it": lambda x: (x + 1, (lambda y: (y, y[0]))(x + 1))[1],
    "twice the same": lambda x: (lambda y: (y, y))(x + 1),
    "parts of a result": several,
    "views of what stays inside": middle,
    "changed in place": changed,
    "repeated": lambda x: (x[:1].expand(5, 6), x[:1].expand_as(x)),
    "several results, none shared": lambda x: (*torch.topk(x, 2), x.t() + 1),
    "sizes": lambda x: (x[: x.shape[0] - 1], x.view(-1)[: x.shape[1]], (x + 1).view(2 * x.shape[0], 3)),
}


def find_steps(x):
    """Along axes with a second element."""
    return [stride for stride, size in zip(x.stride(), x.shape, strict=True) if size > 1 and x.numel()]


def watch(function, x):
    """Results, and what is in all of them, and in the input, after each has been written."""
    results = function(x)
    results = results if isinstance(results, tuple) else (results,)
    found = [(part.clone(), find_steps(part)) for part in results]
    for number, part in enumerate(results):
        if 0 not in part.stride():
            part.fill_(number + 10)
        found += [(other.clone(), ()) for other in (x, *results)]
    return found


def is_same(found, expected):
    torch.testing.assert_close([value for value, _ in found], [value for value, _ in expected])
    return [stride for _, stride in found] == [stride for _, stride in expected]


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("dynamic", [True, False])
def test_writes_are_seen(name, dynamic):
    run = torch.compile(SHARED[name], backend="tegula", dynamic=dynamic)
    for rows in (4, 6) if dynamic else (4,):
        x = torch.randn(rows, 6)
        assert is_same(watch(run, x.clone()), watch(SHARED[name], x.clone()))


def test_through_the_other_door():
    class Views(torch.nn.Module):
        def forward(self, x):
            return several(x)[:3] + (x[1:],)

    model = Views()
    run = tegula.torch.compile(model, (torch.randn(4, 6),), dynamic=({0, 1},))
    for rows in (2, 5, 32):
        x = torch.randn(rows, 9)
        assert is_same(watch(run, x.clone()), watch(model, x.clone()))


class Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def add_into(x):
    y = x.contiguous()
    y.add_(1)
    return y * 2


# What is copied, or not, depends on how the elements of the input lie in memory.
COPIES = {
    "contiguous": lambda x: x.contiguous(),
    "flatten": lambda x: x.flatten(),
    "reshape": lambda x: x.t().reshape(-1),
    "a view of it": lambda x: x.contiguous().view(-1)[1:],
    "written": add_into,
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_inputs(name):
    warnings.simplefilter("ignore", FallbackWarning)
    model = Model(COPIES[name])
    inputs = (torch.randn(4, 6), torch.randn(6, 4).t(), torch.randn(4, 12)[:, ::2])
    for example in inputs:
        run = tegula.torch.compile(model, (example,))
        for x in inputs:
            # With the steps that they have.
            mine, other = (torch.empty_strided(x.shape, x.stride()).copy_(x) for _ in range(2))
            assert is_same(watch(run, mine), watch(model, other))


def test_results_have_no_gradients_unless_they_are_wanted():
    def function(x):
        return x, x[0], x.t()[1:], torch.relu(x)

    x = torch.randn(4, 6, requires_grad=True)
    run = tegula.torch.compile(Model(function), (x,))
    found = run(x)
    warnings.simplefilter("ignore", FallbackWarning)
    invert = tegula.torch.compile(Model(lambda x: (x, torch.linalg.inv(x[:, :4]))), (x,))
    inverse = invert(x)
    with torch.enable_grad():
        assert all(part.requires_grad for part in (*run(x), *invert(x)))
    assert not any(part.requires_grad for part in (*found, *inverse))
    # They are the input's memory all the same.
    assert found[0].data_ptr() == found[1].data_ptr() == x.data_ptr()
    x = torch.randn(4, 6)
    assert tegula.torch.compile(Model(function), (x,))(x)[0] is x


def test_after_a_break():
    def function(x):
        a = x + 1
        v, w = a.view(-1), x[0]
        torch._dynamo.graph_break()
        v.add_(1)
        w.add_(3)
        return a, x * 1

    # What comes after the break writes into its inputs.
    warnings.simplefilter("ignore", FallbackWarning)
    x = torch.zeros(2, 3)
    expected = function(x.clone())
    torch.testing.assert_close(torch.compile(function, backend="tegula", dynamic=True)(x.clone()), expected)


def test_between_parts_that_run_in_eager_mode():
    def function(x):
        a = x + 1
        v = a[1:]
        b = torch.linalg.det(a[:2, :2])
        return a, v, v.t(), b + x[0]

    warnings.simplefilter("ignore", FallbackWarning)
    run = torch.compile(function, backend="tegula", dynamic=True)
    x = torch.randn(4, 4)
    assert is_same(watch(run, x.clone()), watch(function, x.clone()))


STEPS = {
    "channels last": (lambda x: x + 1, torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)),
    "transposed": (lambda x: (x.t() * 2, x.t().contiguous(), (x + 1).t()), torch.randn(4, 5)),
    "axes in any order": (lambda x: torch.relu(x.permute(2, 0, 1)) * 3, torch.randn(3, 4, 5)),
    "one element": (lambda x: x.t() + 1, torch.randn(1, 5)),
    "none": (lambda x: x.permute(2, 0, 1) + 1, torch.randn(3, 0, 5)),
}


@pytest.mark.parametrize("name", STEPS)
def test_axes_are_laid_out_as_in_eager_mode(name):
    function, x = STEPS[name]
    for dynamic in (False, True):
        torch._dynamo.reset()
        assert is_same(watch(torch.compile(function, backend="tegula", dynamic=dynamic), x), watch(function, x))


def test_a_library_gives_tensors_of_their_own(tmp_path):
    class Both(torch.nn.Module):
        def forward(self, x):
            y = x * 2
            return y, y.t()

    tegula.torch.export(Both(), (torch.randn(2, 3),), tmp_path / "both.so", dynamic=({0},))
    header = (tmp_path / "both.h").read_text()
    assert "result1: Out[Tensor[[3, " in header
