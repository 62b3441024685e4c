# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops up to the greatest integer and down to the least: the sum of a variable and a step does not fit there."""

import numpy as np
import pytest
from kernel_text import write_kernel
from tegula_library import Kernel

TARGETS = ["cpu", "npu:tpuv3", "cuda:emulate", "cuda:emulate,memory", "interpreter"]
GREATEST, LEAST = 2**63 - 1, -(2**63)
# What is counted: iterations, and what the last one saw.
LOOPS = {
    "up": ("for i in pl.range(e[0], e[1], 1 << 61):", lambda a, b: range(a, b, 1 << 61)),
    "step": ("for i in pl.range(e[0], e[1], e[2]):", lambda a, b: range(a, b, 1 << 60)),
    "down": ("for i in pl.range(e[1], e[0], -(1 << 61)):", lambda a, b: range(b, a, -(1 << 61))),
    "parallel": ("for i in pl.parallel(e[0], e[1], 1 << 61):", lambda a, b: range(a, b, 1 << 61)),
}
ENDS = [(5, GREATEST), (LEAST, GREATEST), (LEAST, LEAST + 1), (GREATEST, GREATEST), (GREATEST - 1, GREATEST), (7, 3)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("loop", LOOPS)
def test_loops_end_at_the_last_integer(loop, target, tmp_path):
    head, iterations = LOOPS[loop]
    text = f"""
    def k(e: pl.Tensor[[3], pl.INT64], y: pl.InOut[pl.Tensor[[2], pl.INT64]]):
        {head}
            y[0] = y[0] + 1
            y[1] = pl.cast(i, pl.INT64)
    """
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    for first, end in ENDS:
        y = np.zeros(2, np.int64)
        kernel(np.array([first, end, 1 << 60], np.int64), y)
        wanted = list(iterations(first, end))
        assert list(y) == [len(wanted), wanted[-1] if wanted else 0]


@pytest.mark.parametrize("target", TARGETS)
def test_loops_that_are_left_end_at_the_last_integer(target, tmp_path):
    text = """
    def k(e: pl.Tensor[[3], pl.INT64], y: pl.InOut[pl.Tensor[[2], pl.INT64]]):
        n, last = pl.const(0, pl.INT64), pl.const(0, pl.INT64)
        for i in pl.range(e[0], e[1], 1 << 61):
            n, last = n + 1, pl.cast(i, pl.INT64)
            if n == e[2]:
                break
        y[0] = n
        y[1] = last
    """
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    for first, end in ENDS:
        for most in (2, 100):
            y = np.zeros(2, np.int64)
            kernel(np.array([first, end, most], np.int64), y)
            wanted = list(range(first, end, 1 << 61))[:most]
            assert list(y) == [len(wanted), wanted[-1] if wanted else 0]
