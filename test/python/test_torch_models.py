# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of examples/torch: right at twenty sizes, 0 and 1 among them, after one compile."""

import importlib
import sys
from pathlib import Path

import pytest
import torch

import tegula.torch

EXAMPLES = Path(__file__).parents[2] / "examples/torch"
sys.path.insert(0, str(EXAMPLES))
MODELS = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    tegula.torch.forget()
    # Where the package opt_einsum is installed, torch.einsum asks it about sizes, which are fixed by that.
    with torch.no_grad(), torch.backends.opt_einsum.flags(enabled=False):
        yield


def load(name):
    file = importlib.import_module(name)
    return file, file.make().eval()


def agree(found, expected):
    found = found if isinstance(found, tuple) else (found,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    assert len(found) == len(expected)
    for left, right in zip(found, expected, strict=True):
        torch.testing.assert_close(left, right, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", MODELS)
def test_exported(name):
    file, model = load(name)
    before = tegula.torch.count_kernels()
    compiled = tegula.torch.compile(model, file.inputs(5), dynamic=file.DYNAMIC)
    for size in file.SIZES:
        values = file.inputs(size)
        agree(compiled(*values), model(*values))
    (kernel,) = compiled.runner.list_kernels()
    assert len(kernel.variants) == 1
    assert tegula.torch.count_kernels() == before + 1


@pytest.mark.parametrize("name", MODELS)
def test_compiled(name):
    file, model = load(name)
    before = tegula.torch.count_kernels()
    compiled = torch.compile(model, backend="tegula", dynamic=True)
    for size in file.SIZES:
        values = file.inputs(size)
        agree(compiled(*values), model(*values))
    assert tegula.torch.count_kernels() == before + 1


@pytest.mark.parametrize("first", [0, 1])
def test_a_special_graph_serves_no_other_size(first):
    file, model = load("mlp")
    before = tegula.torch.count_kernels()
    compiled = torch.compile(model, backend="tegula", dynamic=True)
    for size in (first, 5, 1, 0, 64):
        values = file.inputs(size)
        agree(compiled(*values), model(*values))
    assert tegula.torch.count_kernels() <= before + 3


def test_generates():
    file, model = load("decoder")
    compiled = tegula.torch.compile(model, file.inputs(5), dynamic=file.DYNAMIC)
    words = torch.randint(0, file.WORDS, (3, 4))
    assert torch.equal(file.generate(compiled, words, 12), file.generate(model, words, 12))


def test_sparse_mixture_is_right():
    file = importlib.import_module("mixture")
    model = file.SparseMixture().eval()
    compiled = torch.compile(model, backend="tegula", dynamic=True)
    for tokens in (5, 16, 1):
        values = file.inputs(tokens)
        agree(compiled(*values), model(*values))


def test_sparse_mixture_is_explained():
    file = importlib.import_module("mixture")
    with pytest.warns(tegula.torch.FallbackWarning):
        text = tegula.torch.explain(file.SparseMixture().eval(), file.inputs(5), dynamic=file.DYNAMIC)
    assert "left to eager mode" in text and "it depends on data" in text
