# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models on a simulated NPU: values and cycles at any size from one compile; and reshapes of axes that are products."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional

import tegula.torch

EXAMPLES = Path(__file__).parents[2] / "examples/torch"


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad():
        yield


class Add(nn.Module):
    def forward(self, x, y):
        return x + y


class Sum(nn.Module):
    def forward(self, x):
        return x.sum()


def read_bytes(simulation):
    """Found wherever the report has it."""
    (report,) = simulation.reports
    return int(re.search(r'"bytes_read": (\d+)', json.dumps(report.data))[1])


def test_add_and_sum():
    add, total = Add(), Sum()
    before = tegula.torch.count_kernels()
    loaded = {}
    for size in (1024, 1000, 100, 1536, 2048):
        x, y = torch.randn(size), torch.randn(size)
        sum_of_two = tegula.torch.simulate(add, (x, y), npu="tpuv3", dynamic=({0}, {0}))
        sum_of_all = tegula.torch.simulate(total, (x,), npu="tpuv3", dynamic=({0},))
        torch.testing.assert_close(sum_of_two.results, x + y, rtol=0, atol=0)
        torch.testing.assert_close(sum_of_all.results, x.sum(), rtol=1e-3, atol=1e-3)
        assert sum_of_two.cycles > 0 and sum_of_all.cycles > 0
        loaded[size] = read_bytes(sum_of_two)
    assert tegula.torch.count_kernels() == before + 2
    assert loaded[2048] == 2 * loaded[1024]


class Attention(nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal

    def forward(self, q, k, v):
        return functional.scaled_dot_product_attention(q, k, v, is_causal=self.causal, enable_gqa=True)


@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_any_heads_and_lengths(causal):
    model = Attention(causal)
    before = tegula.torch.count_kernels()
    # Batch, heads, heads that share keys, queries, keys.
    for batch, shared, group, queries, keys in [
        (2, 2, 3, 5, 7),
        (1, 1, 5, 128, 128),
        (2, 4, 2, 1, 200),
        (1, 8, 1, 65, 65),
    ]:
        q = torch.randn(batch, shared * group, queries, 64)
        k, v = torch.randn(2, batch, shared, keys, 64).unbind(0)
        axes = ({0, 2}, {0, 2}, {0, 2})
        simulation = tegula.torch.simulate(
            Attention(causal) if group != 3 else model, (q, k, v), npu="tpuv3", dynamic=axes
        )
        torch.testing.assert_close(simulation.results, model(q, k, v), rtol=1e-4, atol=1e-4)
        assert simulation.cycles > 0
    # Heads are numbers of a model, batch and lengths are not.
    assert tegula.torch.count_kernels() == before + 4


# Heads that have keys of their own, and how many share those of each.
HEADS = [(1, 1), (4, 1), (8, 1), (1, 2), (1, 4), (1, 5), (1, 8), (1, 16), (2, 8), (4, 3), (4, 8), (8, 8)]
# Queries and keys: all of a text at once, and one more word of it.
LENGTHS = [(128, 128), (1, 128), (1, 512), (37, 256)]


@pytest.mark.parametrize("width", [64, 128])
def test_all_heads_batches_and_lengths_from_one_compile(width):
    model = Attention(False)
    before = tegula.torch.count_kernels()
    cycles = {}
    # The first call is what is compiled for: nothing is 1 there.
    for number, (shared, group) in enumerate([(3, 2), *HEADS]):
        batch = (2, 1, 4)[number % 3]
        queries, keys = LENGTHS[number % len(LENGTHS)]
        q = torch.randn(batch, shared * group, queries, width).half()
        k, v = torch.randn(2, batch, shared, keys, width).half().unbind(0)
        simulation = tegula.torch.simulate(model, (q, k, v), npu="tpuv3", dynamic=({0, 1, 2},) * 3)
        torch.testing.assert_close(simulation.results, model(q, k, v), rtol=1e-2, atol=1e-2)
        cycles[batch * shared * group * queries * keys] = simulation.cycles
    assert tegula.torch.count_kernels() == before + 1
    assert 0 < cycles[min(cycles)] < cycles[max(cycles)]


def split(x):
    return x.view(4, 3).T * 2


def three_levels(x):
    return x.view(2, 3, 4).permute(2, 0, 1) + 1


def two_ways(x):
    return x.view(2, 3).sum(0), x.view(3, 2).sum(0)


@pytest.mark.parametrize("function, size", [(split, 12), (three_levels, 24), (two_ways, 6)])
def test_axes_that_are_split(function, size):
    x = torch.randn(size)
    torch.testing.assert_close(torch.compile(function, backend="tegula")(x), function(x))


def merged(x):
    return (x.flatten() * 2).view(x.shape[0], x.shape[1]).sum(0)


def merged_twice(x):
    a, b, c = x.shape
    return x.flatten().view(a * b, c).sum(0), x.flatten().view(a, b * c).sum(0)


def both_operands(x):
    n, p = x.shape
    return x.flatten().view(p, n).sum(0), x.flatten().view(n, p).sum(0)


@pytest.mark.parametrize(
    "function, sizes",
    [
        (merged, [(5, 7), (3, 4), (1, 9), (8, 1)]),
        (merged_twice, [(2, 3, 4), (5, 6, 7), (1, 2, 3)]),
        (both_operands, [(3, 5), (4, 4), (7, 2)]),
    ],
)
def test_axes_that_are_products(function, sizes):
    run = torch.compile(function, backend="tegula", dynamic=True)
    for size in sizes:
        x = torch.randn(size)
        torch.testing.assert_close(run(x), function(x), rtol=1e-5, atol=1e-5)


def test_an_axis_that_does_not_divide_is_refused():
    def function(x, y):
        return torch.cat([x.flatten(), y]).view(-1, x.shape[1])

    with pytest.raises(RuntimeError):
        torch.compile(function, backend="tegula", dynamic=True)(torch.randn(4, 3), torch.randn(1))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(32), nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x):
        return x + self.down(functional.gelu(self.up(self.norm(x))))


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(depth)])
        self.head = nn.Linear(32, 5)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def test_cycles_by_layer(tmp_path):
    model = Stack(3).eval()
    before = tegula.torch.count_kernels()
    cycles = []
    for rows in (16, 160):
        x = torch.randn(rows, 32)
        simulation = tegula.torch.simulate(model, (x,), npu="tpuv3", dynamic=({0},))
        torch.testing.assert_close(simulation.results, model(x), rtol=1e-4, atol=1e-4)
        assert [name for name, _ in simulation.layers] == ["blocks.0", "blocks.1", "blocks.2", "head"]
        assert simulation.cycles == sum(report.cycles for _, report in simulation.layers)
        assert "blocks.1" in str(simulation) and simulation.reports[0].text
        cycles.append(simulation.cycles)
    assert 0 < cycles[0] < cycles[1]
    # Blocks that are alike are one kernel.
    assert tegula.torch.count_kernels() == before + 2
    simulation.write_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    layers = [event for event in events if event["tid"] == "layers"]
    assert [event["name"] for event in layers] == [name for name, _ in simulation.layers]
    assert layers[-1]["ts"] + layers[-1]["dur"] == simulation.cycles


def load_example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_encoder_of_the_shape_of_bert():
    example = load_example("encoder")
    model = example.Encoder(layers=2, width=128, heads=2).eval()
    compiled = None
    for length in (16, 128, 1):
        words = example.inputs(length)
        simulation = tegula.torch.simulate(model, words, npu="tpuv3", dynamic=example.DYNAMIC)
        torch.testing.assert_close(simulation.results, model(*words), rtol=1e-2, atol=1e-2)
        assert simulation.cycles > 0
        compiled = compiled or tegula.torch.count_kernels()
        assert tegula.torch.count_kernels() == compiled


def test_a_block_of_the_shape_of_llama():
    model = load_example("llama_block").LlamaBlock(width=1024, heads=32, shared=8, inner=3584).eval()
    compiled = None
    for length in (32, 5):
        x = torch.randn(1, length, 1024)
        simulation = tegula.torch.simulate(model, (x,), npu="tpuv3", dynamic=({0, 1},))
        torch.testing.assert_close(simulation.results, model(x), rtol=1e-3, atol=1e-3)
        compiled = compiled or tegula.torch.count_kernels()
        assert tegula.torch.count_kernels() == compiled


def test_what_is_not_simulated_is_refused():
    model, x = nn.Linear(4, 3).eval(), torch.randn(5, 4)
    with torch.no_grad():
        with pytest.raises(tegula.CallError, match="not for a simulated machine"):
            tegula.torch.simulate(model, (x,), cpu="x86-64-v3", dynamic=({0},))
        with pytest.raises(tegula.CallError, match="there is no target 'abacus:small'"):
            tegula.torch.simulate(model, (x,), abacus="small", dynamic=({0},))
        with pytest.raises(TypeError, match="one machine"):
            tegula.torch.simulate(model, (x,), dynamic=({0},))


@pytest.mark.parametrize("width", [768, 1024])
def test_operands_that_are_too_large_to_be_there_whole(width):
    """Products of fixed sizes are cut where their factors do not fit."""
    linear = torch.nn.Linear
    model = torch.nn.Sequential(linear(width, 4 * width), torch.nn.GELU(), linear(4 * width, width)).eval()
    for length in (5, 1):
        x = torch.randn(1, length, width)
        simulation = tegula.torch.simulate(model, (x,), npu="tpuv3", dynamic=({1},))
        torch.testing.assert_close(simulation.results, model(x), rtol=1e-3, atol=1e-3)
        assert simulation.cycles > 0
