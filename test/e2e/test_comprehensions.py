# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comprehensions in kernels, over what is known while compiling."""

import textwrap

import numpy as np
import pytest
from tegula_library import Kernel

BODIES = {
    "list": ("parts = [x * w for w in W if w != 2.0]\n    y[:] = parts[0] + parts[1]", lambda x: x + x * 3),
    "dict": ("more = {i: x + i for i in range(3)}\n    y[:] = more[1] * more[2]", lambda x: (x + 1) * (x + 2)),
    "nested": ("t = [[i * j for j in range(i)] for i in range(4)]\n    y[:] = x * t[3][2]", lambda x: x * 6),
    "two loops": ("t = [i - j for i in range(3) for j in (5, i)]\n    y[:] = x * t[2] + len(t)", lambda x: x * -4 + 6),
    "zip": ("t = tuple(a * b for a, b in zip([x, x], W))\n    y[:] = t[1]", lambda x: x * 2),
    "enumerate": ("t = [a + i for i, a in enumerate((x, x))]\n    y[:] = t[1]", lambda x: x + 1),
    "reversed": ("t = [w for w in reversed(W)]\n    y[:] = x * t[0]", lambda x: x * 3),
    "sum of tiles": ("y[:] = sum(x * w for w in W)", lambda x: x * 6),
    "sum of nothing": ("y[:] = x + sum([w for w in W if w > 9])", lambda x: x),
    "own variable": ("w = 7.0\n    t = [w for w in W]\n    y[:] = x * w + t[0]", lambda x: x * 7 + 1),
    "dependencies": (
        "t = pl.array.create(3, pl.TASK_ID)\n"
        "    for i in pl.unroll(3):\n"
        "        with pl.at(level=pl.Level.CORE_GROUP) as task:\n"
        "            y[:] = x * 2.0\n"
        "        t[i] = task\n"
        "    with pl.at(level=pl.Level.CORE_GROUP, deps=[t[i] for i in range(3)]):\n"
        "        y[:] = y[:, :] + 1.0",
        lambda x: x * 2 + 1,
    ),
}


def write(body, folder):
    path = folder / "comprehended.py"
    path.write_text(
        textwrap.dedent(
            """\
            import tegula.language as pl

            M, N = pl.dynamic("M"), pl.dynamic("N")
            W = (1.0, 2.0, 3.0)


            @pl.jit
            def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            """
        )
        + f"    {body}\n"
    )
    return path


@pytest.mark.parametrize("name", BODIES)
def test_every_element_is_there(name, tmp_path):
    body, reference = BODIES[name]
    kernel = Kernel(write(body, tmp_path))
    for shape in [(0, 5), (1, 1), (7, 16), (17, 33)]:
        x = np.random.default_rng(3).integers(-9, 9, shape).astype(np.float32)
        y = np.zeros(shape, np.float32)
        kernel(x, y)
        np.testing.assert_allclose(y, reference(x))
