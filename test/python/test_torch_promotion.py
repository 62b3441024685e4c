# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands of other types than the result: what is rounded before it is used, what loses bits, what torch refuses."""

import warnings

import pytest
import torch
from torch.nn import functional

import tegula.torch
from tegula.torch import FallbackWarning

NARROW = [torch.float16, torch.bfloat16]


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    tegula.torch.forget()
    torch.manual_seed(0)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        yield


def compare(function, *inputs):
    found = torch.compile(function, backend="tegula", dynamic=True)(*inputs)
    torch.testing.assert_close(found, function(*inputs), rtol=0, atol=0, equal_nan=True)


# Torch rounds a number to the elements' type before it uses it, but not where it multiplies or divides by it.
WITH_A_NUMBER = {
    "add": lambda x, s: (x + s, s + x),
    "sub": lambda x, s: (x - s, s - x, torch.rsub(x, s)),
    "mul": lambda x, s: x * s,
    "div": lambda x, s: (x / s, x // s, torch.div(x, s, rounding_mode="trunc")),
    "remainder": lambda x, s: (x % s, torch.fmod(x, s)),
    "pow": lambda x, s: (x.abs() ** s, s**x),
    "compare": lambda x, s: (x == s, x != s, x < s, x <= s, x > s, x >= s),
    "choose": lambda x, s: (x.clamp(min=s), x.clamp(max=s), x.masked_fill(x > 0, s), torch.where(x > 0, x, s)),
}


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("name", WITH_A_NUMBER)
def test_numbers_and_narrow_floats(name, dtype):
    function = WITH_A_NUMBER[name]
    numbers = (0.1, 0.7, 1 / 3, 257.0)
    x = torch.cat([torch.randn(2000) * 3, torch.tensor(numbers)]).to(dtype)
    compare(lambda x: [function(x, number) for number in numbers], x)


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("name", WITH_A_NUMBER)
def test_single_elements_and_narrow_floats(name, dtype):
    function = WITH_A_NUMBER[name]
    x = torch.cat([torch.randn(2000) * 3, torch.tensor([0.1, 0.7, 257])]).to(dtype)
    ones = [torch.tensor(0.7), torch.tensor(0.1, dtype=torch.float64), torch.tensor(257)]
    if name != "choose":
        compare(lambda x, *ones: [function(x, one) for one in ones], x, *ones)
    compare(lambda x, one: (one * x, one / x), x, ones[0])


@pytest.mark.parametrize("dtype", NARROW)
def test_integers_and_narrow_floats(dtype):
    x, y = (torch.randn(2000) * 3).to(dtype), torch.randint(-3000, 3000, (2000,))
    compare(lambda x, y: (x + y, y - x, x * y, x / y, y / x, x % y, x < y, torch.maximum(x, y)), x, y)


@pytest.mark.parametrize("dtype", NARROW)
def test_quotients_of_narrow_floats(dtype):
    # Whole vectors of torch's, which rounds the elements after them in another way.
    x, y = (torch.randn(4096) * 20).to(dtype), (torch.randn(4096) * 3).to(dtype)
    compare(lambda x, y: (x // y, torch.div(x, y, rounding_mode="floor"), x / y), x, y)


@pytest.mark.parametrize("dtype", NARROW)
def test_a_scale_is_rounded(dtype):
    # Sums of what is exact: torch rounds the product, too, at the end of a row.
    x, y = torch.zeros(100, dtype=dtype), torch.arange(100).to(dtype)
    compare(lambda x, y: (torch.add(x, y, alpha=0.1), torch.sub(x, y, alpha=0.7), torch.rsub(y, x, alpha=0.3)), x, y)


@pytest.mark.parametrize("source", [torch.float32, torch.float64, *NARROW])
@pytest.mark.parametrize("target", [torch.int8, torch.uint8, torch.int16])
def test_floats_as_small_integers_lose_bits(source, target):
    x = torch.tensor([0.0, 1.5, -1.5, 127.9, 128.0, 255.7, 256.0, 300.0, -1.0, -129.0, 40000.0, -60000.0, float("nan")])
    compare(lambda x: x.to(target), x.to(source))


def test_truths_are_reduced_as_truths():
    x = torch.ones(256)
    compare(lambda x: (x.sum(dtype=torch.bool), (x * 0.5).prod(dtype=torch.bool), (x * 0).sum(dtype=torch.bool)), x)
    compare(lambda x: (x.sum(0, dtype=torch.bool), x.prod(0, dtype=torch.bool)), torch.zeros(0, 3))


def test_all_of_no_bytes():
    compare(lambda x: (torch.all(x), torch.any(x)), torch.zeros(0, dtype=torch.uint8))
    compare(lambda x: (torch.all(x, 0), torch.any(x, 0)), torch.zeros(0, 3, dtype=torch.uint8))


def test_truths_between_truths():
    x = torch.tensor([True, False, True, False])
    compare(lambda x, y: x.clamp(min=y), x, torch.tensor([True, True, False, False]))


X, TRUTHS = torch.randn(5).sigmoid(), torch.tensor([True, False, True, False, True])
# What eager mode refuses.
REFUSED = {
    "sub": (lambda x, y: x - y, X, TRUTHS),
    "rsub": (lambda x, y: torch.rsub(x, y), X, TRUTHS),
    "sub of True": (lambda x: x - True, X),
    "subtracted truths": (lambda x: 1 - x, TRUTHS),
    "remainder": (lambda x: x % True, TRUTHS),
    "floor_divide": (lambda x: x // True, TRUTHS),
    "pow": (lambda x, y: x**y, TRUTHS, TRUTHS),
    "cumsum": (lambda x: x.cumsum(0, dtype=torch.bool), X),
    "clamp": (lambda x: x.clamp(min=True), TRUTHS),
    "half of an integer": (lambda x: torch.add(x, x, alpha=0.5), torch.arange(5)),
    "one_hot": (lambda x: functional.one_hot(x, 3), torch.zeros(5, dtype=torch.int32)),
    "labels": (lambda x, y: functional.binary_cross_entropy(x, y), X, X.double()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    function, *inputs = REFUSED[name]
    warnings.simplefilter("ignore", FallbackWarning)
    with pytest.raises((RuntimeError, NotImplementedError)):
        function(*inputs)
    with pytest.raises((RuntimeError, NotImplementedError)):
        torch.compile(function, backend="tegula", dynamic=True)(*inputs)


def test_left_to_torch():
    warnings.simplefilter("ignore", FallbackWarning)
    compare(lambda x: x**True, TRUTHS)
    compare(lambda x, w: functional.binary_cross_entropy(x, x, w, reduction="none"), X, X.double())
