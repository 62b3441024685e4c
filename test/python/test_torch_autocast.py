# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models under autocast, and with regions of it: types and values as in eager mode."""

import threading
import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional

import tegula.torch
from tegula.torch import FallbackWarning

BF16, FP16 = torch.bfloat16, torch.float16


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad():
        yield


class Model(nn.Module):
    """A function of a linear layer, a buffer and what is given."""

    def __init__(self, function):
        super().__init__()
        self.function, self.linear = function, nn.Linear(8, 8)
        self.register_buffer("shift", torch.randn(8))

    def forward(self, *inputs):
        return self.function(self, *inputs)


def region(dtype=None):
    """Without torch's cache of weights, which gives those of another type if regions are nested."""
    return torch.autocast("cpu", dtype=dtype or BF16, enabled=dtype is not None, cache_enabled=False)


def compare(model, *inputs, state=None, falls_back=False):
    """Through both entry points, with as many kernels as there are graphs."""
    compiled = [
        lambda: torch.compile(model, backend="tegula", dynamic=True),
        lambda: tegula.torch.compile(model, inputs),
    ]
    with region(state), warnings.catch_warnings():
        warnings.simplefilter("ignore" if falls_back else "error", FallbackWarning)
        expected = model(*inputs)
        for make in compiled:
            torch.testing.assert_close(make()(*inputs), expected, rtol=1.6e-2, atol=1.6e-2)
    assert not torch.is_autocast_enabled("cpu") and torch.is_autocast_cache_enabled()


def nested(model, x):
    with region(BF16):
        first = model.linear(x)
        with region(FP16):
            second = model.linear(x)
            with region(None):
                third = model.linear(x)
            fourth = model.linear(third)
        fifth = model.linear(x) * model.shift
    return first, second, third, fourth, fifth, model.linear(x)


def disabled(model, x):
    with region(None):
        exact = model.linear(x)
    return model.linear(x), exact


FUNCTIONS = {
    "linear": lambda model, x: model.linear(x),
    "chain": lambda model, x: functional.softmax(functional.gelu(model.linear(x)) + model.shift, -1),
    "disabled": disabled,
    "nested": nested,
    "promoted": lambda model, x: torch.cat([model.linear(x), x]),
    "to FP32": lambda model, x: functional.mse_loss(model.linear(x), x),
    "FP64": lambda model, x: x.double() @ model.linear.weight.double(),
    "integers": lambda model, x: (x > 0).long() @ (x > 0).long().t(),
    "type of a result": lambda model, x: model.shift.to(model.linear(x).dtype) + model.linear(x),
    "parts": lambda model, x: torch.einsum("ij,kj->ik", x, x),
    "attention": lambda model, x: functional.scaled_dot_product_attention(*[x.view(1, 1, -1, 8)] * 3),
    "in place": lambda model, x: model.linear(x).add_(1.0).relu_(),
    "the state": lambda model, x: x * (2 if torch.is_autocast_enabled("cpu") else 3),
}


@pytest.mark.parametrize(
    "name, state",
    [(name, BF16) for name in FUNCTIONS]
    + [("nested", None), ("nested", FP16), ("linear", FP16), ("promoted", FP16), ("the state", None)],
)
def test_as_in_eager_mode(name, state):
    compare(Model(FUNCTIONS[name]), torch.randn(6, 8), state=state)


def test_kernels_round_where_eager_mode_does():
    # Multiplied as FP32 and rounded once, it would be 1 / 512 off.
    model = nn.Linear(2, 1, bias=False)
    model.weight.copy_(torch.tensor([[1.0 + 1 / 256, 1.0]]))
    x = torch.tensor([[1.0 + 1 / 256, -1.0], [1.0, 0.0]])
    with region(BF16):
        exported, compiled = tegula.torch.compile(model, (x,)), torch.compile(model, backend="tegula", dynamic=True)
        for found in (exported(x), compiled(x)):
            torch.testing.assert_close(found, model(x), rtol=0, atol=0)


def test_a_convolution_with_buffers():
    model = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)).eval()
    compare(model, torch.randn(2, 3, 8, 8), state=BF16)


def test_operations_that_stay_in_eager_mode_know_their_state():
    def pinv(model, x):
        with region(None):
            exact = torch.linalg.pinv(model.linear(x))
        return exact, functional.bilinear(x, x, model.linear.weight.view(1, 8, 8)), model.linear(x)

    compare(Model(pinv), torch.randn(6, 8), state=BF16, falls_back=True)


def test_an_operation_that_gives_other_elements_than_torch_says():
    model = Model(lambda model, x: model.linear(torch.linalg.pinv(model.linear(x).float()).t()))
    compare(model, torch.randn(6, 8), state=BF16, falls_back=True)


def test_under_inference_mode():
    with torch.inference_mode():
        compare(Model(FUNCTIONS["chain"]), torch.randn(6, 8), state=BF16)


@pytest.mark.parametrize("dynamic", [True, None])
def test_one_compiled_model_in_several_states(dynamic):
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    run = torch.compile(model, backend="tegula", dynamic=dynamic)
    failed = []

    def call(states):
        try:
            with torch.no_grad():
                for size in (5, 1, 0, 9, 64):
                    for state in states:
                        x = torch.randn(size, 8)
                        with region(state):
                            torch.testing.assert_close(run(x), model(x), rtol=1.6e-2, atol=1.6e-2)
        except AssertionError as problem:
            failed.append(problem)

    call([None, BF16, FP16, None, BF16])
    threads = [threading.Thread(target=call, args=([state],)) for state in (None, BF16, FP16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


@pytest.mark.parametrize("state", [None, BF16, FP16])
def test_a_model_that_was_exported_in_another_state(state):
    model, x = nn.Linear(8, 4), torch.randn(5, 8)
    plain = tegula.torch.compile(model, (x,))
    with region(BF16):
        cast = tegula.torch.compile(model, (x,))
    with region(state), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for run in (plain, cast):
            torch.testing.assert_close(run(x), model(x), rtol=1.6e-2, atol=1.6e-2)
    warned = [str(warning.message) for warning in warned]
    assert any("calls without torch.autocast" in text for text in warned) == (state is not None)
    assert any("calls under torch.autocast('cpu', torch.bfloat16)" in text for text in warned) == (state is not BF16)
