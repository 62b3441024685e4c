# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `tegula tune` may choose is right whatever it is, and is used by kernels of Python."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
BIN = Path(os.environ.get("TEGULA_BIN", Path(__file__).resolve().parents[2] / "build/bin"))


def multiply(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b)


def halve(a: pl.Tensor[[M, N], pl.FP32], b: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    b[:] = a * 0.5


CHOICES = [f"{name}={number}" for name in ("panels", "strips", "narrow") for number in (0, 1)]
CHOICES += [f"{name}={number}" for name in ("stream", "share") for number in (1, 1000, 2**46)]


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_is_right(choice: str) -> None:
    target = f"cpu:{choice}"
    matmul, half = pl.jit(target=target)(multiply), pl.jit(target=target)(halve)
    random = np.random.default_rng(0)
    for m, n, k in [(1, 1, 1), (15, 70, 33), (130, 129, 70), (200, 64, 0), (0, 5, 3)]:
        a = random.standard_normal((m, k), dtype=np.float32)
        b = random.standard_normal((k, n), dtype=np.float32)
        c = np.full((m, n), np.nan, np.float32)
        matmul(a, b, c)
        np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)
    for m, n in [(0, 4), (3, 5), (40, 1001)]:
        a = random.standard_normal((m, n), dtype=np.float32)
        b = np.full((m, n), np.nan, np.float32)
        half(a, b)
        np.testing.assert_array_equal(b, a * np.float32(0.5))


KERNEL = """
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def twice(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x + x
"""

CALL = """
import sys

import numpy as np

from kernels import twice
from tegula import _tegula

x, y = np.arange(40, dtype=np.float32), np.zeros(40, np.float32)
twice(x, y)
assert (y == 2 * x).all()
print(_tegula.key(twice))
"""


def test_what_was_found_is_used_by_python(tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    environment = {**os.environ, "TEGULA_CACHE": "on", "TEGULA_CACHE_DIR": str(tmp_path / "cache")}

    def call() -> str:
        return subprocess.run(
            [sys.executable, "-c", CALL], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        ).stdout

    def command(*words: object) -> str:
        return subprocess.run(
            [BIN / "tegula", *words], env=environment, check=True, capture_output=True, text=True
        ).stdout

    before = call()
    size = ["--dim", "M=40", "--time", "20"]
    assert "chosen by" not in command("bench", path, *size)
    assert command("tune", path, "--keep", "share=1000,stream=65536") == "kept: share=1000,stream=65536\n"
    assert call() != before
    line = "chosen by 'tegula tune': share=1000,stream=65536\n"
    assert line in command("explain", "--perf", path, *size)
    assert line in command("bench", path, *size)
    assert "chosen by" not in command("bench", path, *size, "--target", "cpu:share=5")
    (row, *_) = json.loads(command("bench", path, *size, "--json"))["sizes"]
    assert row["tuned"] == "share=1000,stream=65536"
    command("tune", "--clear")
    assert call() == before


def test_what_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    for choices in ("share", "share=0", "share=x", "shares=1", "share=1,", ""):
        said = subprocess.run([BIN / "tegula", "tune", path, "--keep", choices], capture_output=True, text=True)
        assert said.returncode != 0 and "--keep" in said.stderr


def test_noise_is_not_kept(tmp_path: Path) -> None:
    """A kernel of 160 bytes: no choice makes it faster, and those of matmuls are not in it."""
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    environment = {**os.environ, "TEGULA_CACHE": "on", "TEGULA_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(4):
        said = subprocess.run(
            [BIN / "tegula", "tune", path, "--dim", "M=40", "--time", "5"],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        assert said.endswith("\nnothing is better than what the compiler chooses\n")
        for name in ("panels", "strips", "narrow"):
            assert re.search(rf"^  {name} +not in this kernel$", said, re.MULTILINE)
        assert re.search(r"^  share=1 +x[0-9.]+ in [0-9]+ rounds, [0-9]+ of them faster$", said, re.MULTILINE)
