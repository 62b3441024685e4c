# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler is not sure about, as Python's warnings."""

import warnings

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
X = np.ones(100, dtype=np.float32)


def make():
    @pl.jit
    def total(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
        sums = pl.full([8], dtype=pl.FP32, value=0.0)
        for i in pl.range(0, M, 8):
            sums = sums + x[i : i + 8]
        out[:] = pl.fillpad(sums)

    return total


def test_a_warning_has_its_location_and_is_shown_once_in_a_process():
    for cache in ("off", "on", "on"):
        total = make()
        with tegula.config(cache=cache):
            with pytest.warns(tegula.KernelWarning, match=r"axis 0 may differ.*\n.*'x'\n.*'sums \+= \.\.\.'") as caught:
                total(X)
            assert [(entry.filename, entry.lineno) for entry in caught] == [(__file__, 21)]
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                total(X)


def test_a_warning_may_be_an_error():
    total = make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(tegula.KernelWarning, match="axis 0 may differ"):
            total(X)


def test_strict_kernels_are_refused():
    with tegula.config(strict=True), pytest.raises(tegula.CompileError, match="axis 0 may differ"):
        make()(X)

    @pl.jit(strict=True)
    def unread(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y = x + 1.0
        y = pl.exp(y)
        out[:] = x

    with pytest.raises(tegula.CompileError, match="nothing reads what 'y' is here"):
        unread(X)
