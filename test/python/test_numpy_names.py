# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The file whose names of NumPy the command understands means the same in Python."""

import importlib.util
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

BIN = Path(os.environ.get("TEGULA_BIN", Path(__file__).parents[2] / "build" / "bin"))
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


FUNCTIONS = """
np.pi; np.e; np.inf; -np.inf; math.tau; np.sqrt(64); np.cbrt(27); np.exp(1.5); np.exp2(3); np.expm1(0.5); np.log(2)
np.log2(256); np.log10(7); np.log1p(0.5); np.sin(1); np.cos(1); np.tan(1); np.sinh(1); np.cosh(1); np.tanh(1)
np.arcsin(0.5); np.arccos(0.5); np.arctan(2); np.arctan2(1, 2); np.hypot(3, 4); np.gcd(12, 18); np.lcm(4, 6)
np.prod([2, 3, 4]); np.radians(90); np.degrees(1); np.isnan(np.nan); np.isinf(np.inf); np.isfinite(1.0)
np.int32(8) // 3; np.int64(-7) % 4; np.float64(0.1) * 3; np.bool_(2); np.int32(7) / 2; np.int64(2.9)
"""
LIMITS = [
    f"np.{info}(np.{dtype}).{name}"
    for info, dtypes, names in (
        ("finfo", ("float16", "float32", "float64"), ("max", "min", "eps", "tiny", "bits")),
        ("iinfo", ("int8", "uint8", "int64", "uint32"), ("max", "min", "bits")),
    )
    for dtype in dtypes
    for name in names
]
NUMBERS = [part.strip() for line in FUNCTIONS.strip().splitlines() for part in line.split(";")] + LIMITS


def test_numbers_of_numpy_are_its_numbers(tmp_path: Path) -> None:
    text = "import math\nimport numpy as np\nimport tegula.language as pl\nM = pl.dynamic('M')\n"
    for index, expression in enumerate(NUMBERS):
        wanted = float(eval(expression, {"np": np, "math": math}))
        text += f"X{index} = {expression}\nW{index} = float('{wanted!r}')\n"
    text += "@pl.jit\ndef k(y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
    for index in range(len(NUMBERS)):
        # The last digit is that of another library.
        text += f"    assert X{index} == W{index} or abs(X{index} - W{index}) <= 4e-16 * abs(W{index})\n"
    (tmp_path / "numbers.py").write_text(text + "    y[:] = pl.full([M], pl.FP32, 1.0)\n")
    done = subprocess.run([BIN / "tegula", "check", tmp_path / "numbers.py"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
