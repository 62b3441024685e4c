# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example as a program of GPU threads, run on this processor, against its NumPy reference."""

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


@pytest.mark.parametrize("name", test_models.CASES)
def test_models_match_numpy(name):
    test_models.assert_matches_numpy(name, test_models.CASES[name].sizes[::5], target="cuda:emulate")
