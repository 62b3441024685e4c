# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that change on disk, modules that are reloaded, helpers that are redefined."""

import importlib
import os
import sys
import textwrap

import numpy as np
import pytest

import tegula


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module of that name, with the next text each time, and imports it the first time."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    clock = iter(range(1_700_000_000, 1_800_000_000))

    def write(name, text):
        path = tmp_path / f"{name}.py"
        path.write_text("import tegula.language as pl\nM = pl.dynamic('M')\n" + textwrap.dedent(text))
        moment = next(clock)
        os.utime(path, (moment, moment))
        importlib.invalidate_caches()
        return importlib.import_module(name) if name not in sys.modules else sys.modules[name]

    yield write
    for name in [
        name for name, one in sys.modules.items() if getattr(one, "__file__", "") and str(tmp_path) in one.__file__
    ]:
        del sys.modules[name]


KERNEL = """
@pl.jit
def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * {factor}
"""

X = np.ones(3, np.float32)


def test_a_reloaded_module(module):
    kernels = module("kernels_a", KERNEL.format(factor=2))
    assert (kernels.scale(X) == 2).all()
    module("kernels_a", "# a line more\n" + KERNEL.format(factor=3))
    assert (kernels.scale(X) == 2).all()
    importlib.reload(kernels)
    assert (kernels.scale(X) == 3).all()


def test_a_changed_file_on_demand(module):
    kernels = module("kernels_b", KERNEL.format(factor=2))
    with tegula.config(reload=True):
        assert (kernels.scale(X) == 2).all()
        module("kernels_b", "# a line more\n" + KERNEL.format(factor=5))
        assert (kernels.scale(X) == 5).all()
        module("kernels_b", "def broken(:\n")
        assert (kernels.scale(X) == 5).all()
        module("kernels_b", "# gone\n")
        assert (kernels.scale(X) == 5).all()
        module("kernels_b", KERNEL.format(factor=7))
        assert (kernels.scale(X) == 7).all()


def test_a_changed_helper_file_on_demand(module):
    helper = "@pl.jit.inline\ndef times(x):\n    return x * {factor}\n"
    module("helper_c", helper.format(factor=2))
    kernels = module(
        "kernels_c",
        """
        import helper_c

        @pl.jit
        def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            out[:] = helper_c.times(x)
        """,
    )
    with tegula.config(reload=True):
        assert (kernels.scale(X) == 2).all()
        module("helper_c", helper.format(factor=9))
        assert (kernels.scale(X) == 9).all()


def test_a_redefined_helper(module):
    helper = module("helper_d", "@pl.jit.inline\ndef times(x):\n    return x * 2\n")
    other = module("helper_e", "@pl.jit.inline\ndef times(x):\n    return x * 4\n")
    kernels = module(
        "kernels_d",
        """
        import helper_d

        @pl.jit
        def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            out[:] = helper_d.times(x)
        """,
    )
    assert (kernels.scale(X) == 2).all()
    helper.times = other.times
    assert (kernels.scale(X) == 4).all()
