# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defaults of parameters are what they are where the function is defined."""

import os
import pathlib
import subprocess
import sys

import numpy as np
from conftest import BUILD

import tegula.language as pl

M = pl.dynamic("M")
SCALE = 2.0


@pl.jit.inline
def scaled(t, s=SCALE, *, offset=SCALE + 1.0):
    return t * s + offset


SCALE = 5.0


@pl.jit
def with_default(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]], z: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = scaled(x)
    z[:] = x * SCALE


def test_a_default_is_what_it_was_and_a_global_what_it_is():
    y, z = with_default(np.ones(3, np.float32))
    assert y.tolist() == [5.0] * 3
    assert z.tolist() == [5.0] * 3


def made(step):
    @pl.jit.inline
    def helper(t, f=step):
        return t * f

    return helper


first, second = made(1.0), made(2.0)


@pl.jit
def both(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[2, M], pl.FP32]]):
    y[0, :] = first(x)
    y[1, :] = second(x)


def test_helpers_of_a_loop_keep_their_defaults():
    assert both(np.ones(1, np.float32)).ravel().tolist() == [1.0, 2.0]
    looped = []
    for s in (1.0, 2.0, 3.0):

        @pl.jit.inline
        def helper(t, f=s):
            return t * f

        looped.append(helper)
    h0, h1, h2 = looped

    @pl.jit
    def three(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[3, M], pl.FP32]]):
        y[0, :] = h0(x)
        y[1, :] = h1(x)
        y[2, :] = h2(x)

    assert three(np.ones(1, np.float32)).ravel().tolist() == [1.0, 2.0, 3.0]


def test_a_default_that_is_replaced_makes_another_program():
    @pl.jit.inline
    def helper(t, f=2.0):
        return t * f

    @pl.jit
    def kernel(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = helper(x)

    assert kernel(np.ones(1, np.float32)).tolist() == [2.0]
    helper.__wrapped__.__defaults__ = (3.0,)
    assert kernel(np.ones(1, np.float32)).tolist() == [3.0]


FILE = """
import tegula.language as pl

M = pl.dynamic("M")
A = 2.0


@pl.jit.inline
def f(t, s=A):
    return t * s


A = 5.0


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]], z: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = f(x)
    z[:] = x * A


A = 11.0


def reference(x):
    return x * 2, x * 11
"""


def test_the_command_agrees(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text(FILE)
    # Its Python must have NumPy.
    environment = os.environ | {"PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [str(BUILD / "bin" / "tegula"), "run", str(path), "--check", "--dim", "M=7"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
