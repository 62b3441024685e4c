# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations at the edges of what they are defined for, as kernels, against eager mode: mixed element types, what
is not finite, what is empty, halves, axes from the end."""

import warnings

import pytest
import torch
from torch.nn import functional

import tegula.torch
from tegula.torch import FallbackWarning

INF, NAN = float("inf"), float("nan")
torch.manual_seed(3)
X = torch.randn(5, 7)
N = X.clone()
N[1, 3], N[2, 2], N[3, 1] = NAN, INF, -INF
I64 = torch.randint(-20, 20, (5, 7))
I8 = torch.randint(-128, 127, (5, 7)).to(torch.int8)
U8 = torch.randint(0, 255, (5, 7)).to(torch.uint8)
BOOL = X > 0
BF16 = X.bfloat16()
NONE = torch.zeros(0, 7)
HEADS = torch.randn(2, 5, 8)
FEW = torch.tensor([1.0, 0.3, -0.3, 1e8, INF, -INF, NAN, 0.7])


def change(x):
    y = x.clone()
    y[1:3, 2] = 7.0
    y[:, 0] += 1
    y.mul_(2)
    return y, x


def slices(x):
    parts = (x[:, -3:], x[:, 5:100], x[:, 9:], x[::2, 1::3], x[:-1, -100:3], x[-1])
    return tuple(part + 1 for part in parts)


def change_a_view(x):
    y = x + 1
    y[0].add_(5)
    return y * 2


def residual(x, w, v):
    """What a convolution is computed with: all that comes after it, on both ways around."""
    y = functional.batch_norm(functional.conv2d(x, w, padding=1), v - 1, v, v * 2, v - 0.5)
    y = functional.relu(y + x)
    z = functional.batch_norm(functional.conv2d(y, w, v, padding=1), v, v)
    return functional.relu(y + z) + functional.relu(functional.conv2d(y, w, v, padding=1) + 1)


def used_twice(x, w, v):
    """Results in the middle that are needed by others, too, or come out."""
    y = functional.conv2d(x, w, padding=1)
    z = functional.batch_norm(y, v - 1, v)
    u = functional.relu(z + z)
    return y, functional.relu(u + z), functional.relu(functional.conv2d(x, w, padding=1).add(x, alpha=2))


CASES = {
    "log1p": (torch.log1p, N.abs()),
    "scaled before it is added": (
        lambda x, y: (torch.add(x, y, alpha=3), torch.sub(x, y, alpha=2), torch.rsub(x, y, alpha=4), 3 - x),
        *(X, X.flip(0)),
    ),
    "truths times": (lambda x: x * x, BOOL),
    "largest truth": (lambda x: (x.amax(1), x.amin(1)), BOOL),
    "truths repeated": (lambda x: x[:1].expand(3, 7) & x[1:4], BOOL),
    "zero keeps its sign": (lambda x: 1 / x.expand(3, 2), torch.tensor([[0.0, -0.0]])),
    "floor of quotients": (lambda x: torch.div(x, 0.1, rounding_mode="floor"), FEW),
    "floor of quotients by zero": (lambda x: torch.div(x, 0.0, rounding_mode="floor"), FEW),
    "floor_divide": (lambda x: torch.floor_divide(x, -0.1), FEW),
    "integers cut off": (lambda x: torch.div(x, -3, rounding_mode="trunc"), I64),
    "integers divided down": (lambda x: torch.div(x, -3, rounding_mode="floor"), I64),
    "large integers and floats": (lambda x: x == 16777217.0, torch.tensor([16777216, 16777217])),
    "integers that do not fit": (lambda x: (x == -1, x < 300), U8),
    "integers to halves": (lambda x: x.half(), I64 * 1000 + 8),
    "any of nothing": (lambda x: (x.any(0), x.all(0), x.sum(0), x.prod(0), x.mean(0)), NONE),
    "rms norm": (lambda x: functional.rms_norm(x, (7,)), X * 1e-4),
    "rms norm, bf16": (lambda x: functional.rms_norm(x, (7,)), BF16 * 0.01),
    "rms norm, f64": (lambda x: functional.rms_norm(x, (7,)), X.double() * 1e-9),
    "no keys": (functional.scaled_dot_product_attention, *(torch.randn(1, 2, n, 8) for n in (5, 0, 0))),
    "low scores": (lambda q: functional.scaled_dot_product_attention(q, q, q, scale=-1e31), torch.rand(1, 2, 5, 8)),
    "no heads": (
        lambda q, m: functional.scaled_dot_product_attention(q, q, q, attn_mask=m),
        HEADS,
        HEADS @ HEADS.mT > 0,
    ),
    "no heads, causal": (lambda q: functional.scaled_dot_product_attention(q, q, q, is_causal=True), HEADS),
    "grouped and masked": (
        lambda q, k, m: functional.scaled_dot_product_attention(q, k, k, attn_mask=m, enable_gqa=True),
        *(torch.randn(2, 4, 5, 8), torch.randn(2, 2, 6, 8), torch.rand(5, 6) > 0.3),
    ),
    "largest with NaN": (lambda x: (x.max(1), x.argmax(1), x.amax(0), torch.maximum(x, x.flip(0))), N),
    "pools of NaN": (lambda x: functional.max_pool2d(x, 2), N[None, :4, :4]),
    "ties": (lambda x: (x.argmax(1), x.argmin(), x.sort(1, descending=True)), I64 // 10),
    "halves": (torch.round, torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, 1e10])),
    "wide and narrow integers": (lambda x, y: (x + y, x * 3, y + 200, x.sum(), y.prod(1)), I8, U8),
    "floats of integers": (lambda x: (x * 2.5, x + 0.5, x / 3, x**2.0, x.float().mean()), I64),
    "no axes": (lambda x, y: (x * y, x < y, x + y), BF16, torch.tensor(0.1)),
    "no axes, other kinds": (lambda x, y: (x * y, x / y), I64, torch.tensor(1.5, dtype=torch.float64)),
    "powers": (lambda x: (x**0, x**3, x**0.5, x**-1, 2**x), N),
    "remainders": (lambda x: (torch.remainder(x, -0.7), torch.fmod(x, 0.7), torch.remainder(x, INF)), N),
    "conversions": (lambda x: ((x * 10).to(torch.int8), (x * 10).long(), x.bool(), (x * 1e5).half()), X),
    "sums of other types": (lambda x: (x.sum(1, dtype=torch.float64), x.sum(()), x.cumsum(1, dtype=torch.int32)), I8),
    "few degrees of freedom": (lambda x: (x.var(1, correction=7), x.var(), x.std(0, unbiased=False)), X),
    "one element's variance": (lambda x: torch.var_mean(x, 1), torch.randn(5, 1)),
    "softmax of other types": (lambda x: functional.softmax(x, 0, dtype=torch.float64), I64),
    "softmax of nothing but -inf": (lambda x: functional.softmax(x, 1), torch.full((3, 4), -INF)),
    "cat of other types": (lambda x, y: torch.cat([x, y, x[:0]], -2), X, I64),
    "cat with a list of nothing": (lambda x, y: torch.cat([x, y], 1), X, torch.zeros(0)),
    "cat of many": (lambda x: torch.cat([x] * 10, 1), X),
    "slices": (slices, X),
    "gather": (lambda x, i: (x[i], x[:, i], x[i, i], x.gather(0, i.abs()[None])), X, torch.tensor([-1, 0, -4])),
    "scatter": (lambda x, i: (x.scatter(1, i, 1.5), x.scatter_add(1, i, x * 2), x.scatter(0, i % 5, x)), X, I64 % 7),
    "index_put": (lambda x, i, v: (x.index_put((i,), v), x.index_put((i,), v, True)), X, torch.tensor([1, 1]), X[:1]),
    "index_add": (lambda x, i: x.index_add(1, i, x[:, :3], alpha=2), X, torch.tensor([0, 6, 6])),
    "chosen by truths": (lambda x: x.index_put((x > 0,), torch.tensor(5.0)), X),
    "changed in place": (change, X),
    "a view changed in place": (change_a_view, X),
    "conv1d": (lambda x, w: functional.conv1d(x, w, stride=2, padding=1), torch.randn(2, 3, 9), torch.randn(4, 3, 3)),
    "conv2d, same": (
        lambda x, w: functional.conv2d(x, w, padding="same"),
        torch.randn(3, 8, 9),
        torch.randn(4, 3, 2, 3),
    ),
    "conv2d, norm, sum and relu": (residual, torch.randn(2, 4, 9, 8), torch.randn(4, 4, 3, 3), torch.rand(4) + 0.5),
    "conv2d, used twice": (used_twice, torch.randn(2, 4, 9, 8), torch.randn(4, 4, 3, 3), torch.rand(4) + 0.5),
    "conv2d, steps beyond the window": (
        lambda x, w: (functional.conv2d(x, w, stride=(3, 2)), functional.conv2d(x.abs(), w, stride=4, padding=1)),
        torch.randn(2, 3, 11, 10),
        torch.randn(4, 3, 2, 1),
    ),
    "conv2d, groups, wide and stretched": (
        lambda x, w, b: functional.conv2d(x, w, b, stride=2, padding=3, dilation=(2, 3), groups=2),
        *(torch.randn(2, 6, 13, 12), torch.randn(4, 3, 3, 3), torch.randn(4)),
    ),
    "conv2d, many rows": (
        lambda x, w: functional.conv2d(x, w, stride=(2, 1), padding=1),
        torch.randn(1, 2, 70, 40),
        torch.randn(3, 2, 3, 3),
    ),
    "conv2d, no images": (
        lambda x, w: functional.conv2d(x, w, padding=1),
        torch.randn(0, 2, 7, 4),
        torch.randn(3, 2, 3, 3),
    ),
    "conv2d, bf16": (
        lambda x, w: functional.relu(functional.conv2d(x, w)),
        torch.randn(2, 3, 6, 5).bfloat16(),
        torch.randn(2, 3, 3, 3).bfloat16(),
    ),
    "largest of wide windows": (
        lambda x: functional.max_pool2d(x, (4, 3), (3, 2), (2, 1), dilation=(2, 1)),
        torch.randn(2, 19, 13, 12),
    ),
    "means of windows": (lambda x: functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False), torch.randn(2, 3, 9, 8)),
    "means beyond the edge": (lambda x: functional.avg_pool2d(x, 2, ceil_mode=True), torch.randn(2, 3, 9, 8)),
    "means of rows": (lambda x: functional.avg_pool1d(x, 3, 2, 1), torch.randn(3, 9)),
    "largest beyond the edge": (lambda x: functional.max_pool2d(x, 2, ceil_mode=True), torch.randn(2, 3, 9, 9)),
    "largest of rows": (lambda x: functional.max_pool1d(x, 3, 2, 1), torch.randint(-9, 9, (2, 3, 9)).float()),
    "means of parts": (lambda x: functional.adaptive_avg_pool2d(x, (3, 2)), torch.randn(2, 3, 9, 8)),
    "pads": (lambda x: (functional.pad(x, (1, 2, 0, 1), value=3.0), functional.pad(x[None], (1, 2), "reflect")), X),
    "bits": (lambda x: (x & 5, x ^ 3, ~x, x << 2, x >> 1), I64),
    "taken apart by torch": (lambda x: (functional.elu(x), x.roll(2, 1), x.logsumexp(1), x.repeat(2, 3), x.frac()), X),
}


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad(), warnings.catch_warnings():
        # A warning that something is left to eager mode fails the test.
        warnings.simplefilter("error", FallbackWarning)
        yield


def agree(found, expected):
    narrow = {"rtol": 8e-3, "atol": 1e-3}
    wide = {"rtol": 2e-5, "atol": 1e-5}
    found = found if isinstance(found, tuple) else (found,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for left, right in zip(found, expected, strict=True):
        is_narrow = isinstance(right, torch.Tensor) and right.dtype is torch.bfloat16
        torch.testing.assert_close(left, right, equal_nan=True, **(narrow if is_narrow else wide))


# Pads by index need sizes that are numbers, and windows sizes that divide.
FIXED = {"means of parts", "integers that do not fit", "conv1d", "conv2d, same", "pads"}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:var\\(\\)", "ignore:std\\(\\)")
def test_edge(name):
    function, *inputs = CASES[name]
    if name == "integers that do not fit":
        warnings.simplefilter("ignore", FallbackWarning)
    for value in inputs[1:] if name.startswith("conv2d") else ():
        # As parameters are.
        torch._dynamo.mark_static(value)
    for dynamic in (False,) if name in FIXED else (False, True):
        run = torch.compile(function, backend="tegula", dynamic=dynamic)
        agree(run(*inputs), function(*inputs))


@pytest.mark.parametrize("shape", [(3, 4), (1,), (4,), ()])
def test_inputs_that_are_negated_when_read(shape):
    compiled = torch.compile(lambda x: x * 2 + 1, backend="tegula")
    torch.testing.assert_close(compiled(torch.ones(shape)), torch.full(shape, 3.0))
    torch.testing.assert_close(compiled(torch._neg_view(torch.ones(shape))), torch.full(shape, -1.0))
    values = torch.complex(torch.ones(shape), torch.ones(shape)).conj().imag.unsqueeze(-1)
    torch.testing.assert_close(compiled(values), torch.full((*shape, 1), -1.0))
