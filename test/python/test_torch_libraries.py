# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries of models that hold tensors of many kinds, from both doors: called through C, they give what eager mode
gives."""

import ctypes
import os
import subprocess
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.export import Dim

import tegula
import tegula.torch


@pytest.fixture(autouse=True)
def without_gradients():
    """Calls that want gradients run in eager mode."""
    with torch.no_grad():
        yield


TEGULA = Path(os.environ.get("TEGULA_BIN", Path(__file__).parents[2] / "build/bin")) / "tegula"


class Buffers(nn.Module):
    """Saved and not saved, constants that are tensors and scalars."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 5)
        self.register_buffer("saved", torch.randn(5))
        self.register_buffer("made", torch.randn(5), persistent=False)
        self.constant, self.whole, self.real = torch.tensor([2.0, 3.0, 4.0, 5.0, 6.0]), 3, 0.5

    def forward(self, x):
        return self.linear(x) * self.saved + self.made - self.constant * self.whole + self.real


class Made(nn.Module):
    """Constants that are made in the middle, one without axes, and indices."""

    def forward(self, x):
        y = x[:, torch.tensor([0, 2])] + x.index_select(1, torch.tensor([1, 3]))
        return y * torch.tensor(2.5) + torch.tensor([[1, 2]])


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.out = nn.Embedding(7, 4), nn.Linear(4, 7, bias=False)
        self.out.weight = self.embedding.weight

    def forward(self, x):
        return self.out(torch.relu(x) @ self.embedding.weight.T @ self.embedding.weight)


class Transposed(nn.Module):
    """Parameters with gaps, and transposed."""

    def __init__(self):
        super().__init__()
        self.w, self.v = nn.Parameter(torch.randn(5, 4).t()), nn.Parameter(torch.randn(3, 5, 4).permute(2, 0, 1))
        self.register_buffer("same", torch.randn(1).expand(5))

    def forward(self, x):
        return (x @ self.w + self.same)[:, :3] + self.v.sum((0, 2))


class Views(nn.Module):
    """Constants and buffers in the memory of a parameter."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(8, 4))
        self.rows = self.w.data[2:6]
        self.register_buffer("columns", self.w.data[:4].t())

    def forward(self, x):
        return x @ self.w[:4].T + x @ self.rows + x @ self.columns


class Narrow(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.randn(4).bfloat16())
        self.register_buffer("indices", torch.tensor([0, 3], dtype=torch.int32))
        self.shift = nn.Parameter(torch.tensor(3.0))

    def forward(self, x):
        return (x * self.scale)[:, self.indices] + self.shift


class Written(nn.Module):
    """Operations that are taken apart, and tensors that are written."""

    def __init__(self):
        super().__init__()
        self.constant = torch.tensor([1.0, 2.0, 3.0, 4.0])

    def forward(self, x):
        y = torch.zeros(4)
        y[1] = 3.0
        z = nn.functional.elu(x).roll(1, 1) + y + self.constant
        z[:, 0] = 7.0
        return z


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    ]


def view(tensor):
    return Tensor(tensor.data_ptr(), 11, tensor.dim(), (ctypes.c_int64 * tensor.dim())(*tensor.shape), None)


def check(path, name, model):
    function = getattr(ctypes.CDLL(str(path)), name)
    for rows in (3, 0, 1, 17):
        x = torch.randn(rows, 4)
        expected = model(x)
        found, message = torch.empty_like(expected), ctypes.create_string_buffer(300)
        tensors = [view(x), view(found)]
        assert function(*(ctypes.byref(tensor) for tensor in tensors), message, 300) == 0, message.value
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


MODELS = [Buffers, Made, Tied, Transposed, Views, Narrow, Written]


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_that_holds_tensors(kind, tmp_path):
    torch.manual_seed(0)
    model = kind().eval()
    with torch.no_grad():
        tegula.torch.export(model, (torch.randn(3, 4),), tmp_path / "model.so", dynamic=({0},))
        check(tmp_path / "model.so", kind.__name__.lower(), model)


@pytest.mark.parametrize("kind", MODELS)
def test_a_saved_model_that_holds_tensors(kind, tmp_path):
    torch.manual_seed(0)
    model = kind().eval()
    with torch.no_grad():
        program = torch.export.export(model, (torch.randn(3, 4),), dynamic_shapes=({0: Dim.DYNAMIC},), strict=False)
        # The command knows how to take nothing apart.
        program = program.run_decompositions() if kind is Written else program
        torch.export.save(program, tmp_path / "model.pt2")
        words = [TEGULA, "build", "model.pt2", "-o", "model.so"]
        made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        check(tmp_path / "model.so", "model", model)


def test_a_library_has_the_name_of_its_model(tmp_path):
    """Although a kernel that computes the same has been made for another one."""

    class First(nn.Module):
        def forward(self, x):
            return x * 2 + 1

    class Double(First):
        pass

    with torch.no_grad():
        for kind in (First, Double):
            tegula.torch.compile(kind(), (torch.randn(3, 4),), dynamic=({0},))(torch.randn(3, 4))
        with pytest.raises(tegula.CallError, match="can be called 'double'; name= gives another"):
            tegula.torch.export(Double(), (torch.randn(3, 4),), tmp_path / "model.so", dynamic=({0},))
        tegula.torch.export(Double(), (torch.randn(3, 4),), tmp_path / "model.so", dynamic=({0},), name="twice")
        check(tmp_path / "model.so", "twice", Double())
