# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compiled model is given, and what it is made of, is looked at in each call, to the type and the sign."""

import warnings

import pytest
import torch
from torch import nn

import tegula.torch
from tegula.torch import FallbackWarning


@pytest.fixture(autouse=True)
def without_gradients():
    """Calls that want gradients run in eager mode."""
    with torch.no_grad():
        yield


class Model(nn.Module):
    def __init__(self, function, **attributes):
        super().__init__()
        self.function = function
        vars(self).update(attributes)

    def forward(self, *inputs):
        return self.function(self, *inputs)


def compile_with_fallback(function, *example, dynamic=None):
    """Of such a model, torch itself computes the inverse."""
    with pytest.warns(FallbackWarning, match="linalg_inv"):
        return tegula.torch.compile(Model(function), example, dynamic=dynamic)


SQUARE = torch.eye(3) * 2


def test_axes_that_do_not_vary_between_kernels():
    run = compile_with_fallback(
        lambda self, x, y: torch.linalg.inv(x) * y.shape[0], SQUARE, torch.ones(5), dynamic=(None, None)
    )
    torch.testing.assert_close(run(SQUARE, torch.ones(5)), torch.linalg.inv(SQUARE) * 5)
    with pytest.warns(FallbackWarning, match=r"inputs_1\.shape\[0\] == 5"):
        torch.testing.assert_close(run(SQUARE, torch.ones(7)), torch.linalg.inv(SQUARE) * 7)


def test_elements_between_kernels():
    run = compile_with_fallback(
        lambda self, x, y: torch.linalg.inv(x) * torch.finfo(y.dtype).eps, SQUARE, torch.ones(5)
    )
    with pytest.warns(FallbackWarning, match=r"inputs_1\.dtype == torch\.float32"):
        found = run(SQUARE, torch.ones(5, dtype=torch.float64))
    torch.testing.assert_close(found, torch.linalg.inv(SQUARE) * torch.finfo(torch.float64).eps)
    with pytest.warns(FallbackWarning, match=r"inputs_0\.dim\(\) == 2"):
        run(SQUARE[None], torch.ones(5))


def test_parameters_between_kernels():
    class Counts(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(4))

        def forward(self, x):
            return torch.linalg.inv(x) * self.weight.shape[0]

    model = Counts()
    with pytest.warns(FallbackWarning, match="linalg_inv"):
        run = tegula.torch.compile(model, (SQUARE,))
    model.weight.data = torch.ones(6)
    with pytest.warns(FallbackWarning, match="'weight' was"):
        torch.testing.assert_close(run(SQUARE), model(SQUARE).detach())


def add_all(self, x):
    for value in self.values.values() if isinstance(self.values, dict) else self.values:
        x = x + value
    return x


# What the model computes, its attribute `values`, and what changes it.
CHANGES = {
    "a float": (lambda self, x: x * self.values, 2, lambda m: setattr(m, "values", 2.0)),
    "another sign": (lambda self, x: torch.atan2(x * 0 + self.values, x), 0.0, lambda m: setattr(m, "values", -0.0)),
    "a float in a list": (lambda self, x: x * self.values[0], [2], lambda m: m.values.__setitem__(0, 2.0)),
    "a truth": (lambda self, x: x * self.values, 1, lambda m: setattr(m, "values", True)),
    "a filled table": (add_all, {}, lambda m: m.values.update(a=3)),
    "a filled list": (add_all, [], lambda m: m.values.append(3)),
    "a table of tensors": (add_all, {"a": torch.tensor(1)}, lambda m: m.values.update(b=torch.tensor(2))),
    "a list of tensors": (add_all, [torch.tensor(1)], lambda m: m.values.__setitem__(0, torch.tensor(2))),
    "a list in a table": (lambda self, x: x * self.values["a"][0], {"a": [2]}, lambda m: m.values["a"].insert(0, 3)),
    "a set": (add_all, {1}, lambda m: m.values.add(2)),
    "a tensor that is equal": (
        lambda self, x: x * self.values,
        torch.tensor(2),
        lambda m: setattr(m, "values", torch.tensor(2.0)),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_attributes(name):
    function, values, change = CHANGES[name]
    x = torch.tensor([1, 2, -3])
    model = Model(function, values=values)
    run = tegula.torch.compile(model, (x,))
    assert torch.equal(run(x), model(x))
    change(model)
    with pytest.warns(FallbackWarning, match="the attribute 'values' is another"):
        found = run(x)
    torch.testing.assert_close(found, model(x), rtol=0, atol=0)


def test_attributes_that_are_set_again():
    x = torch.ones(3)
    model = Model(lambda self, x: x * self.scale + self.more["a"][0], scale=2.5, more={"a": [1.5]})
    run = tegula.torch.compile(model, (x,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            model.scale, model.more = float("2.5"), {"a": [float("1.5")]}
            assert torch.equal(run(x), model(x))
    # What was put there is looked at, too.
    model.more["a"][0] = 7.0
    with pytest.warns(FallbackWarning, match="the attribute 'more' is another"):
        assert torch.equal(run(x), model(x))


def test_modules_in_another_order():
    model = nn.Sequential(nn.ReLU(), nn.Tanh())
    run = tegula.torch.compile(model, (torch.ones(3),))
    model._modules["0"] = model._modules.pop("0")
    x = torch.tensor([-1.0, 2.0, 3.0])
    with pytest.warns(FallbackWarning, match="the modules 0, 1 are in another order"):
        assert torch.equal(run(x), model(x))


def test_what_torch_compile_leaves_in_a_model():
    model = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
    x = torch.randn(5, 4)
    run = tegula.torch.compile(model, (x,))
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        torch.testing.assert_close(torch.compile(model, backend="eager")(x), run(x))
        model.compile(backend="eager")
        torch.testing.assert_close(model(x), run(x))
        assert run.state.is_same()
    model.factor = 2
    with pytest.warns(FallbackWarning, match="the attribute 'factor' is another"):
        run(x)
