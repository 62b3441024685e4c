# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example as a program of GPU threads, run on this processor, against its NumPy reference."""

import numpy as np
import pytest
import test_models
from tegula_library import EXAMPLES, Kernel, with_dtype
from test_kernels import CASES, assert_matches_numpy


def sizes_of(name: str) -> list[dict[str, int]]:
    """Sizes that hurt, in all dimensions at once."""
    dims = CASES[name].sizes
    return [
        {dim: values[(place + offset) % len(values)] for offset, (dim, values) in enumerate(dims.items())}
        for place in range(6)
    ]


@pytest.mark.parametrize("name", CASES)
def test_matches_numpy(name, tmp_path):
    for dtype in ("FP32", "BF16"):
        kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path), target="cuda:emulate")
        assert_matches_numpy(name, kernel, dtype, sizes_of(name))


@pytest.mark.parametrize("name", ["gemm", "gemm_tensors", "matmul"])
def test_plain_form_matches_numpy(name, tmp_path):
    """As chips without a form of their own for products run them."""
    kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", "BF16", tmp_path), target="cuda:emulate-sm_70")
    assert_matches_numpy(name, kernel, "BF16", sizes_of(name))


def test_tiles_match_numpy(tmp_path):
    kernel = Kernel(with_dtype(EXAMPLES / "gemm.py", "BF16", tmp_path), target="cuda:emulate-sm_80")
    assert_matches_numpy("gemm", kernel, "BF16", sizes_of("gemm")[:3])


@pytest.mark.parametrize("name", test_models.CASES)
def test_models_match_numpy(name):
    test_models.assert_matches_numpy(name, test_models.CASES[name].sizes[::5], target="cuda:emulate")


DIVIDES = """
import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.jit
def divides(x: pl.Tensor[[M, K], pl.FP32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
    if K > 0:
        for i in pl.parallel(0, M, 8):
            t = pl.create_tensor([M // K + 1, 4], dtype=pl.FP32)
            t[:, :] = pl.full([M // K + 1, 4], dtype=pl.FP32, value=1.0)
            y[i : i + 8, :] = x[i : i + 8, :] + pl.read(t, [0, 0])
"""


def test_host_divides_by_nothing(tmp_path):
    """Memory is asked for before the launch, also in calls that would not get so far."""
    path = tmp_path / "divides.py"
    path.write_text(DIVIDES)
    kernel = Kernel(path, target="cuda:emulate")
    for k in (0, 1, 5):
        x = np.random.default_rng(k).standard_normal((9, k)).astype(np.float32)
        y = np.zeros_like(x)
        kernel(x, y)
        np.testing.assert_array_equal(y, x + 1)
