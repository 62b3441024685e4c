# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons used as numbers: 0 and 1, in the type that was compared unless something else says the type."""

import numpy as np
import pytest
from kernel_text import run_kernel

F32, I32, I8, F16 = np.float32, np.int32, np.int8, np.float16

# The types of x and out, the expression, and the same for NumPy.
CASES = {
    "times a number": (F32, F32, "pl.muls(pl.cmp(x, y, 'gt'), -1e30)", lambda x, y: (x > y) * F32(-1e30)),
    "sum of two": (F32, F32, "pl.add(pl.cmp(x, y), pl.cmp(x, 3.0))", lambda x, y: (x == y) * 1.0 + (x == 3)),
    "sum of two, of integers": (I32, I32, "(x > y) + (x < 5)", lambda x, y: (x > y) * 1 + (x < 5)),
    "sum of two, of narrow integers": (I8, I8, "(x > y) + (x < 5)", lambda x, y: (x > y) * 1 + (x < 5)),
    "next to a tile": (F16, F16, "(x > y) * x", lambda x, y: (x > y) * x),
    "next to a tile of another type": (I32, F32, "(x > y) * pl.cast(x, pl.FP32)", lambda x, y: (x > y) * x),
    "of integers, next to a float": (I32, F32, "(x > y) * 0.5", lambda x, y: (x > y) * 0.5),
    "put together": (F32, F32, "1.0 - ((x > y) & ~(x > 5.0))", lambda x, y: 1 - ((x > y) & ~(x > 5))),
    "compared": (F32, F32, "((x > y) > 0.5) + ((x > y) < 2) * 2.0", lambda x, y: (x > y) + 2.0),
    "negated": (F32, F32, "-(x > y)", lambda x, y: -((x > y) * 1.0)),
    "divided": (F32, F32, "(x > y) / ((x == x) + 1)", lambda x, y: (x > y) / 2.0),
    "counted": (F32, F32, "x * 0.0 + pl.row_sum(x > y)", lambda x, y: (x > y).sum(1, keepdims=True) + 0 * x),
    "largest": (I32, I32, "x * 0 + pl.row_max(x > y)", lambda x, y: (x > y).max(1, keepdims=True) + 0 * x),
    "stored": (F32, F32, "x > y", lambda x, y: x > y),
    "with a run-time number": (F32, F32, "(x > y) * n", lambda x, y: (x > y) * 3.0),
    "of scalars": (F32, F32, "x * pl.cast((n > 2.0) + 1, pl.FP32)", lambda x, y: x * 2),
}
NAMES = {F32: "FP32", I32: "INT32", I8: "INT8", F16: "FP16"}


@pytest.mark.parametrize("name", CASES)
def test_a_comparison_counts_as_zero_and_one(name, tmp_path):
    given, wanted, expression, reference = CASES[name]
    text = (
        f"def k(x: pl.Tensor[[M, 8], pl.{NAMES[given]}], y: pl.Tensor[[M, 8], pl.{NAMES[given]}],\n"
        f"      n: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor[[M, 8], pl.{NAMES[wanted]}]]):\n"
        f"    out[:] = {expression}\n"
    )
    rng = np.random.default_rng(5)
    x, y = (rng.integers(0, 8, (37, 8)).astype(given) for _ in range(2))
    result = run_kernel(text, tmp_path, x=x, y=y, n=3.0, out=np.zeros((37, 8), wanted))["out"]
    np.testing.assert_allclose(result, reference(x, y).astype(wanted))
