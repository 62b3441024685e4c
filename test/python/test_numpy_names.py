# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The file whose names of NumPy the command understands means the same in Python."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).parents[1] / "tools" / "Inputs" / "numpy_names.py"


@pytest.mark.parametrize("shape", [(7, 5), (1, 1), (0, 3), (16, 130)])
def test_both_doors_take_names_of_numpy(shape: tuple[int, int]) -> None:
    spec = importlib.util.spec_from_file_location("numpy_names", FILE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if 0 in shape:
        assert module.named(np.zeros(shape, np.float32)).shape == shape
        return
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    np.testing.assert_allclose(module.named(x), module.reference(x), rtol=1e-6)
