# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intermediates of a graph lie in one piece of memory, and share it where they are needed at different times."""

import re
import threading

import pytest

torch = pytest.importorskip("torch")

import tegula.torch  # noqa: E402


# Memory that holds nothing is spoilt there.
@pytest.fixture(autouse=True)
def without_gradients():
    """Calls that want gradients run in eager mode."""
    with torch.no_grad():
        yield


POISON = "cpu:poison"


class Chain(torch.nn.Module):
    """Each step reads what the last one gave, and cannot be computed with it."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(16, 16) for _ in range(steps))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.softmax(layer(x), -1)
        return x


def memory_of(model: torch.nn.Module, *inputs: torch.Tensor) -> tuple[int, ...]:
    """Tensors, slots, bytes, and bytes if nothing were shared, as explain tells."""
    text = tegula.torch.explain(model.eval(), inputs)
    line = next(line for line in text.splitlines() if line.startswith("intermediates: "))
    return tuple(int(number) for number in re.findall(r"\d+", line))


def test_a_long_chain_needs_no_more_slots_than_a_short_one():
    short, long = memory_of(Chain(8), torch.randn(50, 16)), memory_of(Chain(16), torch.randn(50, 16))
    assert long[0] > short[0]
    assert long[1] == short[1]
    assert long[2] == short[2] < long[3] / 2


def test_memory_is_that_of_the_sizes_asked_for():
    small, large = memory_of(Chain(8), torch.randn(64, 16)), memory_of(Chain(8), torch.randn(640, 16))
    assert large[:2] == small[:2]
    assert large[2] == 10 * small[2]


@pytest.mark.parametrize("size", [0, 1, 2, 7, 64, 257])
def test_values_are_right_where_memory_is_spoilt(size: int):
    model = Chain(6).eval()
    run = tegula.torch.compile(model, (torch.randn(5, 16),), dynamic=({0},), target=POISON)
    x = torch.randn(size, 16)
    with torch.no_grad():
        torch.testing.assert_close(run(x), model(x))


class Views(torch.nn.Module):
    """Views of intermediates, and changes of them, outlive what they are taken from."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        first = torch.softmax(x, -1)
        transposed = first.t()
        second = torch.cumsum(x, 0)
        second[0] = 1
        part = second[1:]
        third = torch.sort(x, -1)[0]
        flat = third.flatten()
        fourth = torch.cumsum(x * 2, 1)
        return transposed @ first, part + 1, flat.reshape(x.shape) + fourth, x, x[:1]


@pytest.mark.parametrize("size", [1, 2, 9, 130])
def test_views_keep_what_they_are_taken_from(size: int):
    model = Views().eval()
    run = tegula.torch.compile(model, (torch.randn(5, 16),), dynamic=({0},), target=POISON)
    x = torch.randn(size, 16)
    for found, expected in zip(run(x), model(x), strict=True):
        torch.testing.assert_close(found, expected)


def test_results_of_calls_do_not_share_memory():
    model = Chain(3).eval()
    run = tegula.torch.compile(model, (torch.randn(5, 16),), dynamic=({0},), target=POISON)
    inputs = [torch.randn(size, 16) for size in (3, 40, 3, 1)]
    results = [run(x) for x in inputs]
    with torch.no_grad():
        for found, x in zip(results, inputs, strict=True):
            torch.testing.assert_close(found, model(x))


def test_threads_have_memory_of_their_own():
    model = Chain(4).eval()
    run = tegula.torch.compile(model, (torch.randn(5, 16),), dynamic=({0},), target=POISON)
    run(torch.randn(5, 16))
    wrong = []

    def call(size: int) -> None:
        x = torch.randn(size, 16)
        with torch.no_grad():
            expected = model(x)
            for _ in range(50):
                if not torch.allclose(run(x), expected, atol=1e-5):
                    wrong.append(size)

    threads = [threading.Thread(target=call, args=(size,)) for size in (1, 17, 100, 333)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
