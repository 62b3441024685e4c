# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Some of PyTorch's own samples of its operations, and random graphs of them; `make nightly` tries all, and more."""

import subprocess
import sys
from pathlib import Path

JUDGE = Path(__file__).parents[1] / "torch/opinfo.py"
GRAPHS = Path(__file__).parents[1] / "torch/random_graphs.py"
OPERATIONS = (
    "add cat einsum gather index_select matmul nn.functional.conv2d nn.functional.layer_norm pow slice softmax "
)
OPERATIONS += "sum topk transpose unflatten var where"


def test_samples():
    words = [sys.executable, JUDGE, "--every", "15", "--op", *OPERATIONS.split()]
    found = subprocess.run(words, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr[-2000:]
    assert "| `add` |" in found.stdout


def test_random_graphs():
    found = subprocess.run([sys.executable, GRAPHS, "--count", "16"], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr[-2000:]
    assert "16 of 16" in found.stdout
