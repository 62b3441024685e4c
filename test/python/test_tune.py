# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `tegula tune` may choose is right whatever it is, and is used by kernels of Python."""

import os
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
    product, walk = pl.jit(target=target)(multiply), pl.jit(target=target)(halve)
    random = np.random.default_rng(0)
    for m, n, k in [(1, 1, 1), (15, 70, 33), (130, 129, 70), (200, 64, 0), (0, 5, 3)]:
        a = random.standard_normal((m, k), dtype=np.float32)
        b = random.standard_normal((k, n), dtype=np.float32)
        c = np.full((m, n), np.nan, np.float32)
        product(a, b, c)
        np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)
    for m, n in [(0, 4), (3, 5), (40, 1001)]:
        a = random.standard_normal((m, n), dtype=np.float32)
        b = np.full((m, n), np.nan, np.float32)
        walk(a, b)
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

    before = call()
    command = [BIN / "tegula", "tune", path, "--dim", "M=40", "--time", "1"]
    # Calls this short differ by chance: something is kept sooner or later.
    for _ in range(20):
        said = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        if "\nkept: " in said:
            break
    else:
        pytest.fail("nothing was kept")
    assert call() != before
    explained = subprocess.run(
        [BIN / "tegula", "explain", "--perf", path, "--dim", "M=40", "--time", "20"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    kept = said[said.index("\nkept: ") + len("\nkept: ") :].strip()
    assert f"chosen by 'tegula tune': {kept}" in explained
    subprocess.run([BIN / "tegula", "tune", "--clear"], env=environment, check=True, capture_output=True)
    assert call() == before
