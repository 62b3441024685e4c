# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What export assumes holds for a call, or the call is left to eager mode; a library refuses it."""

import ctypes
import os
import subprocess
import warnings
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional

import tegula
import tegula.torch
from tegula.torch._graph import NotAGraph


@pytest.fixture(autouse=True)
def without_gradients():
    """Calls that want gradients run in eager mode."""
    with torch.no_grad():
        yield


TEGULA = Path(os.environ.get("TEGULA_BIN", Path(__file__).parents[2] / "build/bin")) / "tegula"


class Model(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


BRANCHES = {
    "more": (lambda x: x * 2 if x.shape[0] > 4 else x + 100, (6, 3), [0, 1, 2, 3, 4, 5, 7, 37]),
    "fewer": (lambda x: x * 2 if x.shape[0] < 9 else x + 100, (6, 3), [0, 1, 7, 8, 9, 10]),
    "even": (lambda x: x * 2 if x.shape[0] % 2 == 0 else x + 100, (6, 3), [0, 1, 2, 3, 37]),
    "both": (lambda x: x * 2 if x.shape[0] > 4 and x.shape[0] * 3 < 30 else x + 100, (6, 3), [0, 4, 5, 9, 10, 11]),
    "one": (lambda x: x * 2 if x.shape[0] > 1 else x + 100, (6, 3), [0, 1, 2]),
    "not one": (lambda x: x * 2 if x.shape[0] != 1 else x + 100, (6, 3), [0, 1, 2]),
    "none": (lambda x: x * 2 if x.shape[0] else torch.full((1, 3), 7.0), (6, 3), [0, 1, 2]),
    "elements": (lambda x: x.sum(0) if x.numel() else torch.full((1, 3), 7.0), (6, 3), [0, 1, 2]),
    "squeezed": (lambda x: x.squeeze(0) + 1, (6, 3), [0, 1, 2, 7]),
    "all squeezed": (lambda x: x.squeeze() + 1, (6, 3), [0, 1, 2, 7]),
    "first": (lambda x: x[:5] + x[:5].shape[0], (7, 3), [0, 1, 2, 4, 5, 6, 7]),
    "chunks": (lambda x: torch.cat([part + n for n, part in enumerate(x.chunk(3, 0))]), (7, 3), [1, 6, 9, 11, 12]),
    "pool": (lambda x: functional.adaptive_avg_pool1d(x[None], 3), (8, 3), [1, 7, 8, 20]),
    "length": (lambda x: x * len(x), (6, 3), [0, 1, 6, 7]),
}


@pytest.mark.parametrize("name", BRANCHES)
def test_sizes_that_the_model_asks_for(name):
    function, shape, rows = BRANCHES[name]
    model = Model(function)
    # torch refuses an axis that is to vary and does not.
    dynamic = None if name == "length" else ({0},)
    run = tegula.torch.compile(model, (torch.randn(shape),), dynamic=dynamic)
    for count in [shape[0], *rows]:
        x = torch.randn(count, *shape[1:])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tegula.torch.FallbackWarning)
            torch.testing.assert_close(run(x), model(x), msg=lambda text, count=count: f"{count} rows: {text}")


def test_one_warning_says_what_was_assumed():
    run = tegula.torch.compile(Model(BRANCHES["more"][0]), (torch.ones(6, 3),), dynamic=({0},))
    with pytest.warns(tegula.torch.FallbackWarning, match=r"x\.shape\[0\] > 4, decided at test_torch_guards\.py:\d+"):
        run(torch.ones(3, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(torch.ones(2, 3))
        run(torch.ones(60, 3))


def test_batches_of_one_stay_kernels():
    class Transposed(nn.Module):
        def forward(self, x):
            return x.transpose(1, 2).contiguous().view(x.shape[0], x.shape[1] * 5) + 1

    run = tegula.torch.compile(Transposed(), (torch.randn(4, 3, 5),), dynamic=({0, 1},))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for shape in [(1, 3, 5), (1, 1, 5), (0, 3, 5), (7, 1, 5), (7, 2, 5)]:
            x = torch.randn(shape)
            torch.testing.assert_close(run(x), Transposed()(x))


def test_small_images_stay_kernels():
    class Patches(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1)

        def forward(self, x):
            return torch.relu(self.conv(x)).flatten(2).transpose(1, 2).contiguous() + 1

    model = Patches().eval()
    run = tegula.torch.compile(model, (torch.randn(2, 3, 8, 9),), dynamic=({0, 2, 3},))
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("error")
        for shape in [(1, 3, 1, 1), (2, 3, 2, 1), (1, 3, 2, 9), (17, 3, 3, 3), (40, 3, 8, 9)]:
            x = torch.randn(shape)
            torch.testing.assert_close(run(x), model(x), rtol=1e-4, atol=1e-4)


def test_axes_that_were_equal():
    class Two(nn.Module):
        def forward(self, x, y):
            return x + y if x.shape[0] == y.shape[0] else x.sum(0) + y.sum(0)

    run = tegula.torch.compile(Two(), (torch.ones(6, 3), torch.ones(6, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tegula.torch.FallbackWarning)
        for one, other in [(6, 6), (5, 5), (5, 4), (1, 4), (0, 0)]:
            x, y = torch.randn(one, 3), torch.randn(other, 3)
            torch.testing.assert_close(run(x, y), Two()(x, y))


class Scale(nn.Module):
    def forward(self, x, k, causal=True):
        return x * k if causal else x - k


def test_numbers_are_those_of_the_example_or_eager():
    run = tegula.torch.compile(Scale(), (torch.ones(6, 3), 2), dynamic=({0}, None))
    x = torch.randn(4, 3)
    assert torch.equal(run(x, 2), x * 2)
    with pytest.warns(tegula.torch.FallbackWarning, match="k = 2"):
        assert torch.equal(run(x, 5), x * 5)
    assert torch.equal(run(x, 2.5), x * 2.5)
    assert torch.equal(run(x, True), x * True)
    with pytest.warns(tegula.torch.FallbackWarning, match="another structure"):
        assert torch.equal(run(x, 2, causal=False), x - 2)


def make_model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Dropout(), nn.Linear(4, 4, bias=False)).eval()


CHANGES = {
    "in place": lambda m: m[0].weight.data.mul_(2),
    "data": lambda m: setattr(m[0].weight, "data", torch.randn(4, 4)),
    "transposed": lambda m: setattr(m[0].weight, "data", m[0].weight.data.t()),
    "parameter": lambda m: setattr(m[0], "weight", nn.Parameter(torch.randn(4, 4))),
    "loaded": lambda m: m.load_state_dict({k: v + 1 for k, v in m.state_dict().items()}),
}
OTHERS = {
    "module": lambda m: m.__setitem__(3, nn.Linear(4, 4)),
    "added bias": lambda m: setattr(m[3], "bias", nn.Parameter(torch.randn(4))),
    "no bias": lambda m: setattr(m[0], "bias", None),
    "wider": lambda m: setattr(m[3], "weight", nn.Parameter(torch.randn(6, 4))),
    "hook": lambda m: setattr(m[1], "forward", lambda x: x * 3),
}


@pytest.mark.parametrize("name", [*CHANGES, *OTHERS])
def test_a_model_that_changes(name):
    model, x = make_model(), torch.randn(5, 4)
    run = tegula.torch.compile(model, (torch.randn(3, 4),), dynamic=({0},))
    torch.testing.assert_close(run(x), model(x).detach())
    {**CHANGES, **OTHERS}[name](model)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        torch.testing.assert_close(run(x), model(x).detach())
    assert bool(said) == (name in OTHERS)


def test_a_model_of_another_type():
    model, x = make_model(), torch.randn(5, 4)
    run = tegula.torch.compile(model, (torch.randn(3, 4),), dynamic=({0},))
    model.double()
    with pytest.warns(tegula.torch.FallbackWarning, match="was torch.float32"):
        torch.testing.assert_close(run(x.double()), model(x.double()).detach())
    with pytest.raises(tegula.CallError):
        run(x)
    model.float()
    torch.testing.assert_close(run(x), model(x).detach())


def test_attributes_and_shared_parameters():
    class Shared(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale, self.more, self.shift = 2.0, [1.0, 2.0], torch.ones(3)
            self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)
            self.b.weight = self.a.weight

        def forward(self, x):
            return self.b(self.a(x)) * self.scale + self.more[0] + self.shift

    model, x = Shared().eval(), torch.randn(5, 3)
    run = tegula.torch.compile(model, (torch.randn(4, 3),), dynamic=({0},))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tegula.torch.FallbackWarning)

        def check():
            torch.testing.assert_close(run(x), model(x).detach())

        check()
        model.shift.mul_(3)
        check()
        model.scale = 3.0
        check()
        model.scale, model.more[0] = 2.0, 5.0
        check()
        model.more[0], model.shift = 1.0, torch.zeros(3)
        check()
        model.b.weight = nn.Parameter(torch.randn(3, 3))
        check()


@pytest.mark.parametrize(
    "dynamic, what",
    [
        (({5},), "axis 5"),
        (({0}, {0}), "for 2 arguments"),
        ((0,), "a set of axes"),
        ("x", "a tuple"),
        (({0: "b"},), "a set of axes"),
        (({"0"},), "the number of an axis"),
    ],
)
def test_axes_that_cannot_vary(dynamic, what):
    with pytest.raises((TypeError, ValueError), match=what):
        tegula.torch.compile(nn.Linear(4, 4), (torch.ones(3, 4),), dynamic=dynamic)


def test_axes_from_the_last_on():
    run = tegula.torch.compile(nn.ReLU(), (torch.ones(3, 4),), dynamic=({-1},))
    assert run(torch.ones(3, 9)).shape == (3, 9)


def test_arguments_that_do_not_fit():
    run = tegula.torch.compile(nn.Linear(4, 4), (torch.ones(3, 4),), dynamic=({0},))
    x = torch.ones(2, 4)
    assert run(input=x).shape == (2, 4)
    for bad, what in [
        (("a",), "a tensor of torch's, not str"),
        ((x.numpy(),), "a tensor of torch's, not ndarray"),
        ((torch.ones(4),), "2 axes, not 1"),
        ((), "missing a required argument: 'input'"),
        ((x, x), "too many positional"),
        ((x.double(),), "FP32 is wanted"),
        ((torch.ones(2, 5),), "axis 1 is 5"),
    ]:
        with pytest.raises(tegula.CallError, match=what):
            run(*bad)


def test_assertions_on_elements():
    class Asserts(nn.Module):
        def forward(self, x):
            torch._assert_async(x.sum() < 10)
            return x + 1

    with pytest.warns(tegula.torch.FallbackWarning, match="_assert_async"):
        run = tegula.torch.compile(Asserts(), (torch.zeros(3),))
    assert torch.equal(run(torch.zeros(4)), torch.ones(4))
    with pytest.raises(RuntimeError):
        run(torch.full((4,), 9.0))


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int),
        ("rank", ctypes.c_int),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.c_void_p),
    ]


def view(value):
    shape = (ctypes.c_int64 * value.dim())(*value.shape)
    return Tensor(value.data_ptr(), FP32, value.dim(), shape, None)


FP32 = 11


def check_library(path, name):
    """The model `more`, at sizes for which it does what it did, and at others."""
    function = getattr(ctypes.CDLL(str(path)), name)
    for count in (5, 6, 37, 4, 3, 1, 0):
        x, y = torch.ones(count, 3), torch.zeros(count, 3)
        message = ctypes.create_string_buffer(400)
        failed = function(ctypes.byref(view(x)), ctypes.byref(view(y)), message, ctypes.c_size_t(400))
        assert bool(failed) == (count <= 4), (count, message.value)
        if failed:
            assert b"> 4" in message.value and b"the model" in message.value
        else:
            assert torch.equal(y, x * 2)


class More(nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] > 4 else x + 100


def test_a_library_refuses_other_sizes(tmp_path):
    tegula.torch.export(More(), (torch.ones(6, 3),), tmp_path / "more.so", dynamic=({0},))
    check_library(tmp_path / "more.so", "more")


class Halves(nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] / 2 > 1.5 else x + 100


def test_libraries_have_no_fractions_of_sizes(tmp_path):
    with pytest.raises(NotImplementedError, match=r"cannot check the condition \(s\d+ / 2\) > 1.5"):
        tegula.torch.export(Halves(), (torch.ones(6, 3),), tmp_path / "halves.so", dynamic=({0},))
    program = torch.export.export(Halves(), (torch.ones(6, 3),), dynamic_shapes=({0: Dim.AUTO},))
    torch.export.save(program, tmp_path / "halves.pt2")
    command = [TEGULA, "build", tmp_path / "halves.pt2", "-o", tmp_path / "halves.so"]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode != 0 and "it has no fractions of sizes" in found.stderr


def test_libraries_of_what_cannot_be_checked(tmp_path, monkeypatch):
    def refuse(*_):
        raise NotAGraph("it assumes what nobody knows")

    monkeypatch.setattr("tegula.torch._compiled.list_assumptions", refuse)
    with pytest.raises(NotImplementedError, match="it assumes what nobody knows"):
        tegula.torch.export(nn.ReLU(), (torch.ones(6, 3),), tmp_path / "relu.so")


def test_a_library_of_a_saved_model_refuses_other_sizes(tmp_path):
    program = torch.export.export(More(), (torch.ones(6, 3),), dynamic_shapes=({0: Dim.AUTO},))
    torch.export.save(program, tmp_path / "more.pt2")
    subprocess.run([TEGULA, "build", tmp_path / "more.pt2", "-o", tmp_path / "more.so"], check=True)
    check_library(tmp_path / "more.so", "more")


def test_a_library_says_which_numbers_are_fixed(tmp_path):
    with pytest.warns(UserWarning, match="'k' is 2 in the library"):
        tegula.torch.export(Scale(), (torch.ones(6, 3), 2), tmp_path / "scale.so", dynamic=({0}, None))


class Add(nn.Module):
    def forward(self, x, y):
        return x + y


def test_one_element_stands_for_many():
    model = Add()
    compiled = tegula.torch.compile(model, (torch.randn(5, 1), torch.randn(4)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", tegula.torch.FallbackWarning)
        for rows, columns in ((5, 4), (1, 7), (0, 3), (3, 1)):
            x, y = torch.randn(rows, 1), torch.randn(columns)
            torch.testing.assert_close(compiled(x, y), x + y)
    x, y = torch.randn(3, 4), torch.randn(4)
    with pytest.warns(tegula.torch.FallbackWarning):
        torch.testing.assert_close(compiled(x, y), x + y)
