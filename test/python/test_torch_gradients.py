# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels compute no gradients: a call that would lose one is refused, or runs in eager mode and has them."""

import warnings

import pytest
import torch
from torch import nn

import tegula
import tegula.language as pl
import tegula.torch
from tegula.torch import FallbackWarning

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    z[:] = x + y


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    tegula.torch.forget()


def tensors():
    return [torch.ones(3, 4) for _ in range(3)]


@pytest.mark.parametrize("position, name", list(enumerate("xyz")))
@pytest.mark.parametrize("calls_before", [0, 4])
def test_a_kernel_refuses_what_requires_gradients(position, name, calls_before):
    # Earlier calls are in the call cache.
    for _ in range(calls_before):
        add(*tensors())
    wanted = f"argument '{name}': the tensor requires gradients"
    for make in (nn.Parameter, lambda x: x.requires_grad_(), lambda x: x.requires_grad_() * 1.0):
        given = tensors()
        given[position] = make(given[position])
        with pytest.raises(tegula.CallError, match=wanted):
            add(*given)
        given[position] = given[position].detach()
        add(*given)


def test_a_kernel_that_makes_its_output():
    x, y, _ = tensors()
    for _ in range(4):
        add(x, y)
    with pytest.raises(tegula.CallError, match="argument 'y': the tensor requires gradients"):
        add(x, y.requires_grad_())


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_gradients_every_tensor_is_taken(mode):
    x, y, z = nn.Parameter(torch.ones(3, 4)), torch.ones(3, 4, requires_grad=True), torch.empty(3, 4)
    for _ in range(4):
        with mode():
            add(x, y, z)
        assert (z == 2).all()
        with pytest.raises(tegula.CallError, match="requires gradients"):
            add(x, y, z)


def test_more_axes_than_a_tensor_holds_itself():
    @pl.jit
    def double(x: pl.Tensor[[M, 1, 1, 1, 1, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 1, 1, 1, 1, N], pl.FP32]]):
        y[:] = x + x

    x, y = torch.ones(2, 1, 1, 1, 1, 3), torch.empty(2, 1, 1, 1, 1, 3)
    for _ in range(4):
        double(x, y)
    with pytest.raises(tegula.CallError, match="requires gradients"):
        double(x.requires_grad_(), y)


def compile_both(model, example):
    return {
        "dynamo": torch.compile(model, backend="tegula", dynamic=True),
        "export": tegula.torch.compile(model, (example,)),
    }


@pytest.mark.parametrize("door", ["dynamo", "export"])
@pytest.mark.parametrize("is_frozen", [False, True])
@pytest.mark.parametrize("layout", ["row-major", "column-major"])
def test_gradients_are_those_of_eager_mode(door, is_frozen, layout):
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4)).requires_grad_(not is_frozen)
    x = torch.randn(5, 8) if layout == "row-major" else torch.randn(8, 5).t()
    run = compile_both(model, x)[door]
    found = {}
    for name, function in (("eager", model), ("compiled", run)):
        given = x.clone().requires_grad_()
        model.zero_grad()
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            for _ in range(2):
                function(given).square().sum().backward()
        found[name] = [given.grad, *(p.grad for p in model.parameters() if not is_frozen)]
    torch.testing.assert_close(found["compiled"], found["eager"])
    assert [w.category for w in warned] == [FallbackWarning] and "gradients are wanted" in str(warned[0].message)
    with torch.no_grad():
        assert not run(x).requires_grad


@pytest.mark.parametrize("door", ["dynamo", "export"])
def test_no_gradient_is_wanted_of_frozen_models(door):
    model, x = nn.Linear(8, 4).requires_grad_(False), torch.randn(5, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        run = compile_both(model, x)[door]
        for _ in range(2):
            torch.testing.assert_close(run(x), model(x))


def test_views_and_parts_in_eager_mode():
    class Transposed(nn.Module):
        def forward(self, x):
            return x.t()

    class Partly(nn.Module):
        def forward(self, x):
            return torch.erfinv(torch.tanh(x) * 0.5) * 2.0

    for model in (Transposed(), Partly()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            for run in compile_both(model, torch.randn(5, 8)).values():
                x = torch.randn(5, 8, requires_grad=True)
                (found,) = torch.autograd.grad(run(x).square().sum(), x)
                (wanted,) = torch.autograd.grad(model(x).square().sum(), x)
                torch.testing.assert_close(found, wanted)


def test_gradients_within_a_model():
    def slope(x):
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            return torch.autograd.grad((x**3).sum(), x)[0]

    def linear(x):
        with torch.enable_grad():
            return model(x)

    model, x = nn.Linear(8, 4), torch.randn(5, 8)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        torch.testing.assert_close(torch.compile(slope, backend="tegula", dynamic=True)(x), 3 * x**2)
        assert torch.compile(linear, backend="tegula", dynamic=True)(x).requires_grad


def test_kernels_within_transforms_are_refused():
    x, y, _ = tensors()
    for transform in (torch.vmap(add), torch.func.grad(lambda x, y: add(x, y).sum())):
        with pytest.raises(tegula.CallError, match="within torch.vmap or torch.func"):
            transform(x[None] if transform is torch.vmap else x, y)


@pytest.mark.parametrize("door", ["dynamo", "export"])
def test_transforms_of_a_compiled_model(door):
    model, x = nn.Sequential(nn.Linear(8, 8), nn.Tanh()), torch.randn(3, 5, 8)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        run = compile_both(model, x[0])[door]
        torch.testing.assert_close(torch.vmap(run)(x), torch.vmap(model)(x))
        torch.testing.assert_close(torch.func.jacrev(run)(x[0]), torch.func.jacrev(model)(x[0]))
        torch.testing.assert_close(run(x[0]), model(x[0]))


def test_a_model_with_transforms():
    model, x = nn.Linear(8, 4), torch.randn(3, 5, 8)
    for function in (torch.vmap(model), lambda x: torch.vmap(lambda row: model(row) * row.sum())(x)):
        with torch.no_grad(), pytest.warns(FallbackWarning, match="it has torch.vmap or torch.func in it"):
            found = torch.compile(function, backend="tegula", dynamic=True)(x)
        assert type(found) is torch.Tensor
        torch.testing.assert_close(found, function(x).detach())


def test_an_exported_model_with_transforms():
    class Rows(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(8, 4)

        def forward(self, x):
            return torch.vmap(lambda row: self.linear(row) * row.sum())(x)

    model, x = Rows(), torch.randn(5, 8)
    with torch.no_grad(), pytest.warns(FallbackWarning, match="it has torch.vmap or torch.func in it"):
        run = tegula.torch.compile(model, (x,))
        torch.testing.assert_close(run(x), model(x))


def test_tensors_without_elements(tmp_path):
    model, x = nn.Linear(8, 4, device="meta"), torch.randn(5, 8, device="meta")
    run = tegula.torch.compile(model, (x,))
    with torch.no_grad(), pytest.warns(FallbackWarning, match="a tensor is on meta"):
        assert run(x).shape == (5, 4) and run(x).device.type == "meta"
    with pytest.raises(ValueError, match="one of them is on meta"):
        tegula.torch.export(model, (x,), tmp_path / "model.so")
