# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tegula build model.pt2`: a model that torch saved as a library, called by a C++ program without Python or torch."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy
import pytest
import torch
from torch import nn
from torch.export import Dim

TEGULA = Path(os.environ.get("TEGULA_BIN", Path(__file__).parents[2] / "build/bin")) / "tegula"


class Many(nn.Module):
    """A parameter, buffers that are saved and that are not, a constant, an infinity, parts of a tensor, two results."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.linear = nn.Linear(4, 5)
        self.constant = torch.tensor([2.0, 3.0])
        self.register_buffer("kept", torch.randn(4, 4).T)
        self.register_buffer("made", torch.ones(4), persistent=False)

    def forward(self, x, y):
        z = torch.relu(self.conv(x)).flatten(2).transpose(1, 2) @ self.kept
        a, b = self.linear(z + self.made).split([2, 3], -1)
        largest, index = b.max(-1)
        return {
            "a": a * y + self.constant[1],
            "b": torch.cat([b, b], 1).clamp(-float("inf"), 0.5),
            "c": largest + index,
        }


PROGRAM = r"""
#include "model.h"
#include <cstdlib>
#include <fstream>
#include <vector>

static std::vector<float> read(const char *path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<float> values(file.tellg() / sizeof(float));
  file.seekg(0).read(reinterpret_cast<char *>(values.data()), values.size() * sizeof(float));
  return values;
}

int main(int, char **words) {
  int64_t n = std::atoll(words[1]), h = std::atoll(words[2]), w = std::atoll(words[3]);
  int64_t places = ((h - 1) / 2 + 1) * ((w - 1) / 2 + 1);
  std::vector<float> x = read("x.bin"), y = read("y.bin"), a(n * places * 2), b(n * places * 6), c(n * places);
  int64_t xs[] = {n, 3, h, w}, ys[] = {n, 1, 1}, as[] = {n, places, 2}, bs[] = {n, 2 * places, 3}, cs[] = {n, places};
  TegulaTensor tensors[] = {{x.data(), TegulaFP32, 4, xs, nullptr}, {y.data(), TegulaFP32, 3, ys, nullptr},
                            {a.data(), TegulaFP32, 3, as, nullptr}, {b.data(), TegulaFP32, 3, bs, nullptr},
                            {c.data(), TegulaFP32, 2, cs, nullptr}};
  char message[400] = "";
  if (model(&tensors[0], &tensors[1], &tensors[2], &tensors[3], &tensors[4], message, sizeof message))
    return std::fprintf(stderr, "%s\n", message), 1;
  std::ofstream out("out.bin", std::ios::binary);
  for (auto *part : {&a, &b, &c})
    out.write(reinterpret_cast<char *>(part->data()), part->size() * sizeof(float));
}
"""


def build(path, *options):
    return subprocess.run([TEGULA, "build", path, *options], capture_output=True, text=True, cwd=path.parent)


def save(model, example, shapes, path):
    torch.export.save(torch.export.export(model, example, dynamic_shapes=shapes, strict=False), path)


def test_a_cpp_program_calls_a_model(tmp_path):
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    torch.manual_seed(0)
    model = Many().eval()
    axes = ({0: Dim.DYNAMIC, 2: Dim.DYNAMIC, 3: Dim.DYNAMIC}, {0: Dim.DYNAMIC})
    save(model, (torch.randn(2, 3, 8, 9), torch.randn(2, 1, 1)), axes, tmp_path / "model.pt2")
    made = build(tmp_path / "model.pt2", "-o", "libmodel.so", "--header", "model.h")
    assert made.returncode == 0, made.stderr
    (tmp_path / "main.cpp").write_text(PROGRAM)
    words = [compiler, "-std=c++17", "main.cpp", "./libmodel.so", "-Wl,-rpath,$ORIGIN", "-o", "main"]
    subprocess.run(words, cwd=tmp_path, check=True)
    needed = subprocess.run(["ldd", tmp_path / "main"], capture_output=True, text=True).stdout
    assert "python" not in needed and "libtorch" not in needed and "libtegula" not in needed
    for n, h, w in [(2, 8, 9), (1, 3, 3), (1, 5, 5), (7, 13, 4)]:
        x, y = torch.randn(n, 3, h, w), torch.randn(n, 1, 1)
        x.numpy().tofile(tmp_path / "x.bin")
        y.numpy().tofile(tmp_path / "y.bin")
        subprocess.run([tmp_path / "main", str(n), str(h), str(w)], cwd=tmp_path, check=True)
        found = torch.from_numpy(numpy.fromfile(tmp_path / "out.bin", dtype=numpy.float32))
        with torch.no_grad():
            expected = torch.cat([part.flatten() for part in model(x, y).values()])
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
    # torch has written into the file that this does not hold for an image that becomes a point, nor for no images.
    for sizes in [("1", "1", "1"), ("0", "5", "5")]:
        refused = subprocess.run([tmp_path / "main", *sizes], cwd=tmp_path, capture_output=True, text=True)
        assert refused.returncode == 1 and "(what the model does was decided by it" in refused.stderr


class Strange(nn.Module):
    def forward(self, x):
        return torch.erfinv(x) + 1


class Chosen(nn.Module):
    def forward(self, x):
        return x[x[:, 0] > 0] * 2


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        self.count.add_(1)
        return x + self.count


class Cast(nn.Linear):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return super().forward(x)


@pytest.mark.parametrize(
    "model, message",
    [
        (Cast(3, 2), "it was exported with autocast"),
        (Strange(), "operations that are not known, or not in this form: aten.erfinv.default"),
        (Chosen(), "cannot become a kernel"),
        (Counting(), "aten.add_.Tensor"),
    ],
)
def test_models_that_are_refused(model, message, tmp_path):
    save(model, (torch.rand(4, 3),), ({0: Dim.DYNAMIC},), tmp_path / "model.pt2")
    made = build(tmp_path / "model.pt2", "-o", "model.so")
    assert made.returncode != 0 and message in made.stderr
    assert not (tmp_path / "model.so").exists()


def test_a_file_that_was_exported_under_autocast(tmp_path):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        save(nn.Linear(3, 2), (torch.rand(4, 3),), ({0: Dim.DYNAMIC},), tmp_path / "model.pt2")
    made = build(tmp_path / "model.pt2", "-o", "model.so")
    assert made.returncode != 0 and "it was exported with autocast" in made.stderr


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "model.pt2"
    assert "cannot be read" in build(path, "-o", "model.so").stderr
    path.write_bytes(b"PK\3\4 nothing")
    assert "is not a model" in build(path, "-o", "model.so").stderr
    save(nn.Linear(4, 3), (torch.rand(2, 4),), ({0: Dim.DYNAMIC},), path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 597):
        path.write_bytes(whole[:length] + whole[length + 5 :])
        made = build(path, "-o", "model.so")
        assert made.returncode in (0, 1), made.stderr
