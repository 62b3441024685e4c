# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations whose corners PyTorch's own samples do not reach, as kernels against eager mode."""

import warnings

import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional  # noqa: E402

import tegula.torch  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad():
        yield


def compare(function, *inputs):
    """The same as in eager mode, and nothing is left to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", tegula.torch.FallbackWarning)
        found = torch.compile(function, backend="tegula", dynamic=True, fullgraph=True)(*inputs)
    torch.testing.assert_close(found, function(*inputs), equal_nan=True)


def test_tangents():
    compare(torch.tan, torch.linspace(-50, 50, 2001))
    compare(torch.tan, torch.linspace(-50, 50, 2001, dtype=torch.float64))
    compare(torch.tan, torch.arange(20))


def test_ranges_of_fractions():
    compare(lambda x: x + torch.arange(0.5, 4.0, 0.5), torch.randn(7))
    compare(lambda x: x + torch.arange(-1, 2.0, 0.3, dtype=torch.bfloat16), torch.randn(10).bfloat16())
    compare(lambda x: x + torch.arange(0.5, 7.5, dtype=torch.int64), torch.randn(7))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 51])
def test_steps_from_end_to_end(count):
    compare(lambda x: x.sum() + torch.linspace(-2.3, 10, count), torch.randn(3))
    compare(lambda x: x + torch.linspace(0, 1, x.shape[-1], dtype=torch.float64), torch.randn(3, count))


def image(*shape):
    made = torch.randn(shape)
    made[..., 2:4, 3:5] = float("nan")
    made[:1] = float("-inf")
    return made


@pytest.mark.parametrize(
    "made, window",
    [
        (image(3, 2, 9, 11), {"kernel_size": 3, "stride": 2, "padding": 1}),
        (image(3, 2, 9, 11), {"kernel_size": (2, 3), "stride": (1, 2), "padding": 1, "dilation": (2, 1)}),
        (image(3, 2, 8, 8).bfloat16(), {"kernel_size": 3, "stride": 2, "padding": 1, "ceil_mode": True}),
        (torch.randint(0, 3, (3, 9, 11)).float(), {"kernel_size": 3, "stride": 1, "padding": 1}),
        (torch.randint(-5, 3, (1, 3, 8, 8)), {"kernel_size": 2}),
        (torch.randn(2, 40, 5, 5), {"kernel_size": 2}),
    ],
)
def test_indices_of_the_largest(made, window):
    compare(lambda x: functional.max_pool2d(x, **window, return_indices=True), made)


def test_indices_of_the_largest_along_one_axis():
    compare(lambda x: functional.max_pool1d(x, 3, 2, 1, return_indices=True), torch.randn(2, 3, 17))


class Noisy(torch.nn.Module):
    def forward(self, x):
        return torch.softmax(x, -1) + torch.rand(x.shape) * torch.randn(x.shape[-1])


def test_random_numbers_do_not_cut_a_kernel():
    run = tegula.torch.compile(Noisy(), (torch.randn(5, 7),), dynamic=({0, 1},))
    assert len(run.runner.list_kernels()) == 1
    for shape in [(5, 7), (1, 1), (0, 4), (3, 65)]:
        x = torch.randn(shape)
        torch.manual_seed(3)
        found = run(x)
        torch.manual_seed(3)
        torch.testing.assert_close(found, Noisy()(x))


def test_weights_of_convolutions_that_are_given_are_constants():
    def run(x, weight, bias):
        return functional.conv2d(x, weight, bias, stride=2, padding=1)

    torch._dynamo.reset()
    tegula.torch.forget()
    compiled = torch.compile(run, backend="tegula", dynamic=True)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", tegula.torch.FallbackWarning)
        for images, extent, window, channels in ((2, 7, 3, 4), (3, 9, 3, 4), (1, 8, 3, 4), (2, 11, 5, 6), (2, 7, 1, 2)):
            x = torch.randn(images, 3, extent, extent + 2)
            weight, bias = torch.randn(channels, 3, window, window), torch.randn(channels)
            torch.testing.assert_close(compiled(x, weight, bias), run(x, weight, bias), rtol=1e-4, atol=1e-4)
