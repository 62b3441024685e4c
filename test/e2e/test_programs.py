# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `self` is in a program: names of the class, of its bases, and what `__init__` sets; and constants of `sys`."""

import textwrap

import numpy as np
import pytest
from tegula_library import Kernel, KernelError

SIGNATURE = "x: pl.Tensor[[M, 16], pl.FP32], out: pl.Out[pl.Tensor[[M, 16], pl.FP32]]"

PROGRAMS = {
    "set by __init__": """
        @pl.program
        class P:
            def __init__(self, factor=2.0):
                self.factor = factor
                self.table = [1.0, factor]
                self.rows = self.count()

            def count(self):
                return 4

            @pl.function(type=pl.FunctionType.InCore)
            def step(self, SIGNATURE):
                out[:] = x * self.factor + self.table[1]

            @pl.function(type=pl.FunctionType.Orchestration)
            def main(self, SIGNATURE):
                for i in pl.parallel(0, M, self.rows):
                    self.step(x[i : i + self.rows], out[i : i + self.rows])
        """,
    "of a base": """
        class Base:
            factor = 7.0
            shift = 2.0

        class Nearer(Base):
            factor = 2.0

        @pl.program
        class P(Nearer):
            @pl.function
            def main(self, SIGNATURE):
                out[:] = x * self.factor + self.shift
        """,
    "set by the __init__ of a base": """
        class Base:
            def __init__(self):
                self.factor = 2.0
                self.shift = self.base + 1.0

        @pl.program
        class P(Base):
            shift = 7.0
            base = 1.0

            @pl.function
            def main(self, SIGNATURE):
                out[:] = x * self.factor + self.shift
        """,
    "of the class, in an annotation": """
        @pl.program
        class P:
            half = 8
            columns = half * 2

            @pl.function
            def main(self, x: pl.Tensor[[M, columns], pl.FP32], out: pl.Out[pl.Tensor[[M, columns], pl.FP32]]):
                out[:] = x * 2.0 + float(self.columns - 14)
        """,
    "of sys": """
        import sys

        FACTOR = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
        SHIFT = 2.0 if sys.maxsize > 2**32 and sys.platform != "win32" and sys.byteorder == "little" else 0.0

        @pl.jit
        def main(SIGNATURE):
            out[:] = x * FACTOR + SHIFT
        """,
}


def write(text, folder):
    path = folder / "program.py"
    text = textwrap.dedent(text).replace("SIGNATURE", SIGNATURE)
    path.write_text('import tegula.language as pl\n\nM = pl.dynamic("M")\n' + text)
    return path


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_finds(name, tmp_path):
    kernel = Kernel(write(PROGRAMS[name], tmp_path))
    x = np.random.default_rng(1).standard_normal((11, 16)).astype(np.float32)
    out = np.empty_like(x)
    kernel(x, out)
    np.testing.assert_array_equal(out, x * 2 + 2)


def test_what_nobody_sets_is_named(tmp_path):
    text = """
        @pl.program
        class P:
            def __init__(self):
                self.factor = 2.0

            @pl.function
            def main(self, SIGNATURE):
                out[:] = x * self.size
        """
    with pytest.raises(KernelError, match="the program 'P' has no 'size'"):
        Kernel(write(text, tmp_path))
