# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations whose results are as exact as torch's own: near zero, at powers, and in FP64."""

import warnings

import pytest
import torch
from torch.nn import functional

import tegula.torch
from tegula.torch import FallbackWarning

INF, NAN = float("inf"), float("nan")
SPECIAL = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 1e-8, -1e-8, 3.0, -3.0, 100.0, -100.0, 0.5, -0.5])
SMALL = torch.cat([10.0 ** torch.arange(-30, 0), -(10.0 ** torch.arange(-30, 0))])
WIDE = {torch.float32: 1e-6, torch.float64: 1e-15}


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        yield


def compare(function, *inputs, relative):
    run = torch.compile(function, backend="tegula", dynamic=True)
    torch.testing.assert_close(run(*inputs), function(*inputs), rtol=relative, atol=0, equal_nan=True)


@pytest.mark.parametrize("dtype", WIDE)
def test_expm1(dtype):
    for x in (SPECIAL, SMALL, torch.linspace(-1, 1, 40001), torch.linspace(-40, 88, 10007)):
        compare(torch.expm1, x.to(dtype), relative=WIDE[dtype])
    found = torch.compile(torch.expm1, backend="tegula")(torch.tensor([0.0, -0.0], dtype=dtype))
    assert torch.equal(torch.signbit(found), torch.tensor([False, True]))


@pytest.mark.parametrize("function", [functional.elu, functional.selu, torch.log1p])
@pytest.mark.parametrize("dtype", WIDE)
def test_near_zero(function, dtype):
    compare(function, SMALL.to(dtype), relative=2 * WIDE[dtype])
    compare(function, torch.tensor([1e20, 3e38, 1.0, INF], dtype=dtype), relative=WIDE[dtype])


@pytest.mark.parametrize("dtype", WIDE)
def test_powers_of_two(dtype):
    powers = torch.arange(-120, 120).to(dtype)
    compare(torch.exp2, powers, relative=0)
    compare(lambda x: (torch.log2(x), torch.floor(torch.log2(x))), torch.exp2(powers), relative=0)
    compare(torch.exp2, torch.linspace(-120, 120, 10007, dtype=dtype), relative=WIDE[dtype])
    compare(torch.log2, SPECIAL.to(dtype), relative=WIDE[dtype])


@pytest.mark.parametrize("dtype", WIDE)
def test_powers_of_ten(dtype):
    compare(lambda x: torch.floor(torch.log10(x)), 10.0 ** torch.arange(0, 38).to(dtype), relative=0)
    compare(torch.log10, torch.linspace(2, 1000, 10007, dtype=dtype), relative=WIDE[dtype])
    compare(torch.log10, SPECIAL.to(dtype), relative=WIDE[dtype])


@pytest.mark.parametrize("scale", [None, 0.3])
def test_attention_in_fp64(scale):
    q, k, v = (torch.randn(2, 3, 70, 8, dtype=torch.float64) for _ in range(3))
    mask = torch.randn(70, 70, dtype=torch.float64)
    attend = functional.scaled_dot_product_attention

    def close(function, *inputs):
        run = torch.compile(function, backend="tegula", dynamic=True)
        torch.testing.assert_close(run(*inputs), function(*inputs), rtol=1e-11, atol=1e-12)

    close(lambda q, k, v: attend(q, k, v, scale=scale), q, k, v)
    close(lambda q, k, v: attend(q, k, v, scale=scale, is_causal=True), q, k, v)
    close(lambda q, k, v, m: attend(q, k, v, attn_mask=m, scale=scale), q, k, v, mask)


def test_attention_with_other_values():
    """Values of one batch for all, and of more heads than keys have."""
    warnings.simplefilter("ignore", FallbackWarning)
    attend = functional.scaled_dot_product_attention
    q, k = torch.randn(2, 4, 5, 8), torch.randn(2, 4, 6, 8)
    compare(attend, q, k, torch.randn(1, 4, 6, 8), relative=1e-4)
    shared = lambda q, k, v: attend(q, k, v, enable_gqa=True)  # noqa: E731
    compare(shared, q, k[:, :2], torch.randn(2, 4, 6, 8), relative=1e-4)


def test_truths_along_no_axis():
    x = torch.tensor([[True, False], [True, True]])
    compare(lambda x: (torch.any(x, dim=()), torch.all(x, dim=()), torch.any(x, dim=(0, 1))), x, relative=0)
