# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels run on."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")


def body(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = pl.exp(x) * 2.0


def test_the_interpreter_gives_what_compiled_code_gives():
    x = np.linspace(-3, 3, 37, dtype=np.float32)
    compiled, interpreted = pl.jit(body), pl.jit(target="interpreter")(body)
    np.testing.assert_allclose(compiled(x), interpreted(x), rtol=1e-6)
    assert len(compiled.variants) == 1
    assert len(interpreted.variants) == 0
    with pytest.raises(tegula.CallError, match="FP32 is wanted, got FP64"):
        interpreted(x.astype(np.float64), x)


def test_a_target_for_a_while():
    kernel = pl.jit(body)
    x = np.ones(3, np.float32)
    with tegula.config(target="interpreter"):
        np.testing.assert_allclose(kernel(x), np.exp(x) * 2, rtol=1e-6)
        assert len(kernel.variants) == 0
    kernel(x)
    assert len(kernel.variants) == 1


def test_an_unknown_target():
    with pytest.raises(tegula.CallError, match="there is no target 'gpu'; there is: cpu, interpreter"):
        pl.jit(target="gpu")(body)(np.ones(3, np.float32))
