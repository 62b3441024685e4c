# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What torch.compile(backend="tegula") does with graphs that are changed, special, or not for it."""

import shutil
import subprocess
import warnings

import pytest
import torch
from torch import nn

import tegula.torch
from tegula.torch import FallbackWarning


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    tegula.torch.forget()


def compiled(function):
    return torch.compile(function, backend="tegula", dynamic=True)


def test_captured_constants_differ():
    def make(factor):
        return lambda x: x * factor + 1

    for factor in (2.0, 3.0, 2):
        with torch.no_grad():
            x = torch.randn(5, 3)
            torch.testing.assert_close(compiled(make(factor))(x), x * factor + 1)


def test_modules_with_the_same_code_and_other_parameters():
    first, second = nn.Linear(4, 3), nn.Linear(4, 3)
    before = tegula.torch.count_kernels()
    with torch.no_grad():
        x = torch.randn(7, 4)
        for module in (first, second):
            torch.testing.assert_close(compiled(module)(x), module(x))
    # What they compute is the same but for the numbers, which are inputs.
    assert tegula.torch.count_kernels() == before + 1


def test_parameters_changed_in_place():
    module = nn.Linear(4, 3)
    with torch.no_grad():
        run, exported = compiled(module), tegula.torch.compile(module, (torch.randn(5, 4),))
        x = torch.randn(6, 4)
        run(x), exported(x)
        module.weight.mul_(3.0)
        torch.testing.assert_close(run(x), module(x))
        torch.testing.assert_close(exported(x), module(x))


def test_attributes_that_are_floats():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = 2.0

        def forward(self, x):
            return x * self.factor

    module = Scaled()
    run = compiled(module)
    with torch.no_grad():
        x = torch.randn(5)
        for factor in (2.0, 2.5, 2.0, -1.0):
            module.factor = factor
            torch.testing.assert_close(run(x), x * factor)


def test_branches_on_sizes():
    def function(x):
        return x * 2 if x.shape[0] == 1 else x + 10

    run = compiled(function)
    for size in (5, 1, 7, 1, 2, 0):
        x = torch.randn(size)
        torch.testing.assert_close(run(x), function(x))


def test_what_is_not_known_is_named_and_right():
    def function(x):
        y = torch.relu(x) + 1
        return torch.softmax(torch.erfinv(y * 0.01), -1) @ y.T, x.shape[0]

    run = compiled(function)
    with pytest.warns(FallbackWarning, match="aten.erfinv.default"):
        run(torch.randn(5, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for size in (5, 7, 0, 1, 2):
            x = torch.randn(size, 3)
            found, expected = run(x), function(x)
            torch.testing.assert_close(found[0], expected[0])
            assert found[1] == expected[1]


def test_gradients_are_left_to_eager():
    module = nn.Linear(4, 4)
    with pytest.warns(FallbackWarning, match="gradients"):
        compiled(module)(torch.randn(3, 4)).sum().backward()
    assert module.weight.grad is not None


@pytest.mark.parametrize("make", [lambda x: x.to(torch.complex64), lambda x: x.to_sparse()])
def test_tensors_of_other_kinds(make):
    run = compiled(lambda x: x * 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        x = make(torch.randn(5, 3))
        assert torch.equal(run(x).to_dense(), (x * 2).to_dense())


def test_inputs_come_back_as_they_are():
    x = torch.randn(4)
    found = compiled(lambda x, y: (x, y + 1, None, 3))(x, x)
    assert found[0] is x and found[2] is None and found[3] == 3


def test_results_that_are_inputs_or_come_twice():
    def function(x):
        y = x + 1
        return x.view(x.shape), y, y.contiguous(), x.narrow(0, 0, x.shape[0]), x.T, x[:, 1:], x.reshape(-1), x[:, 2]

    run = compiled(function)
    for size in (5, 0, 1):
        x = torch.randn(size, 3)
        for left, right in zip(run(x), function(x), strict=True):
            torch.testing.assert_close(left, right)


def test_strided_and_scalar_tensors():
    def function(x, s):
        return x.T @ x * s, (x * s).sum()

    run = compiled(function)
    for x in (torch.randn(6, 4), torch.randn(4, 6).T, torch.randn(12, 8)[::2, ::2], torch.randn(1, 4).expand(6, 4)):
        s = torch.tensor(1.5)
        for left, right in zip(run(x, s), function(x, s), strict=True):
            torch.testing.assert_close(left, right, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32])
def test_element_types(dtype):
    def function(x, y):
        return x + y * 2, x.sum(0), torch.maximum(x, y)

    run = compiled(function)
    x = (torch.randn(5, 7) * 10).to(dtype)
    y = (torch.randn(5, 7) * 10).to(dtype)
    for left, right in zip(run(x, y), function(x, y), strict=True):
        torch.testing.assert_close(left, right)


def test_dropout_in_training_is_left_to_eager():
    module = nn.Dropout(0.5).train()
    x = torch.ones(1000)
    with torch.no_grad(), pytest.warns(FallbackWarning, match="dropout"):
        found = compiled(module)(x)
    assert 0 < int((found == 0).sum()) < 1000


@pytest.mark.parametrize("kind", ["truths", "numbers"])
def test_rows_of_attention_of_which_nothing_counts(kind):
    def function(q, k, v, mask):
        return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    q, k, v = torch.randn(3, 2, 4, 5, 8).unbind(0)
    mask = torch.rand(2, 1, 5, 5) > 0.4
    mask[0, 0, 2] = False
    if kind == "numbers":
        mask = torch.where(mask, 0.0, float("-inf"))
    torch.testing.assert_close(compiled(function)(q, k, v, mask), function(q, k, v, mask), rtol=1e-5, atol=1e-5)


def test_control_flow_that_depends_on_data():
    def function(x):
        return x * 2 if x.sum() > 0 else x - 1

    run = compiled(function)
    for x in (torch.ones(3), -torch.ones(3), torch.ones(5)):
        torch.testing.assert_close(run(x), function(x))

    class Branch(nn.Module):
        def forward(self, x):
            return function(x)

    with pytest.raises(Exception, match="data-dependent|guard on"):
        tegula.torch.compile(Branch(), (torch.ones(3),))


def test_sizes_that_depend_on_data():
    def function(x):
        return (x[x > 0] * 2).sum() + x.nonzero().shape[0]

    run = compiled(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for size in (5, 7, 1):
            x = torch.randn(size)
            torch.testing.assert_close(run(x), function(x))


def test_tensors_on_other_devices():
    run = compiled(lambda x: x * 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert run(torch.ones(3, device="meta")).device.type == "meta"
    served = tegula.torch.compile(nn.Linear(4, 3).eval(), (torch.randn(5, 4),))
    with pytest.raises(Exception, match="cpu|device|meta|memory"):
        served(torch.ones(5, 4, device="meta"))


def test_a_model_that_is_changed_after_it_was_compiled():
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    run = compiled(model)
    x = torch.randn(5, 4)
    with torch.no_grad():
        torch.testing.assert_close(run(x), model(x))
        model[0].weight = nn.Parameter(torch.randn(4, 4))
        torch.testing.assert_close(run(x), model(x))
        model[1] = nn.Tanh()
        torch.testing.assert_close(run(x), model(x))
        model.append(nn.Dropout(0.5)).train()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            assert run(torch.randn(50, 4)).eq(0).any()
        model.eval()
        torch.testing.assert_close(run(x), model(x))


def test_training_is_left_to_eager():
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).train()
    run = compiled(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        run(torch.randn(8, 4)).sum().backward()
        assert model[0].weight.grad is not None
        # The means that are kept are those of the calls.
        before = model[1].running_mean.clone()
        with torch.no_grad():
            run(torch.randn(8, 4) + 3)
    assert not torch.equal(before, model[1].running_mean)


def test_inputs_that_are_written():
    def function(x):
        x.add_(1)
        return x * 2

    run = compiled(function)
    x, y = torch.zeros(4), torch.zeros(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        torch.testing.assert_close(run(x), function(y))
    torch.testing.assert_close(x, y)


def test_explains():
    text = tegula.torch.explain(nn.Sequential(nn.Linear(4, 8), nn.ReLU()), (torch.randn(5, 4),))
    assert "2 operations in 1 kernel" in text and "pl.relu" in text


def test_simulates():
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 32)).eval()
    before = tegula.torch.count_kernels()
    first = tegula.torch.simulate(model, (torch.randn(48, 64),), npu="tpuv3", dynamic=({0},))
    x = torch.randn(480, 64)
    second = tegula.torch.simulate(model, (x,), npu="tpuv3", dynamic=({0},))
    torch.testing.assert_close(second.results, model(x).detach(), rtol=1e-4, atol=1e-4)
    assert 0 < first.cycles < second.cycles
    assert tegula.torch.count_kernels() == before + 1


def test_a_library_without_python(tmp_path):
    """A C program, with parameters in the library, at several sizes."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)).eval()
    tegula.torch.export(model, (torch.randn(5, 4),), tmp_path / "model.so", dynamic=({0},))
    header = (tmp_path / "model.h").read_text()
    assert "weight" not in header
    (tmp_path / "main.c").write_text(PROGRAM)
    subprocess.run([compiler, "main.c", "./model.so", "-Wl,-rpath,$ORIGIN", "-o", "main"], cwd=tmp_path, check=True)
    for rows in (0, 1, 7, 100):
        x = torch.arange(rows * 4, dtype=torch.float32).reshape(rows, 4) % 7 - 3
        printed = subprocess.run([tmp_path / "main", str(rows)], capture_output=True, text=True, check=True).stdout
        found = torch.tensor([float(number) for number in printed.split()]).reshape(rows, 3)
        torch.testing.assert_close(found, model(x).detach(), rtol=1e-4, atol=1e-4)


PROGRAM = r"""
#include "model.h"
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  int64_t rows = atoll(words[1]), in[2] = {rows, 4}, out[2] = {rows, 3};
  float *x = malloc(rows * 16 + 1), *y = malloc(rows * 12 + 1);
  for (int64_t i = 0; i < rows * 4; ++i)
    x[i] = i % 7 - 3;
  struct TegulaTensor input = {x, TegulaFP32, 2, in, 0}, result = {y, TegulaFP32, 2, out, 0};
  char message[200];
  if (sequential(&input, &result, message, sizeof message)) {
    puts(message);
    return 1;
  }
  for (int64_t i = 0; i < rows * 3; ++i)
    printf("%.9g\n", y[i]);
  return 0;
}
"""
