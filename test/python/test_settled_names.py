# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that kernels captured are looked up again when something was written where they are."""

import gc
import types

import numpy as np
import pytest

import tegula.language as pl
from tegula import _capture

M = pl.dynamic("M")
FACTOR = 2.0
space = types.SimpleNamespace(offset=0.0)


@pl.jit
def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * FACTOR + space.offset


def run(kernel=scale):
    x, out = np.arange(4, dtype=np.float32), np.empty(4, np.float32)
    kernel(x, out)
    return out[1].item()


def test_globals():
    global FACTOR, other
    for _ in range(4):
        assert run() == 2.0
    FACTOR = 3.0
    assert run() == 3.0
    other = 1
    assert run() == 3.0
    globals()["FACTOR"] = 5.0
    assert run() == 5.0
    vars()["FACTOR"] = 7.0
    FACTOR = 2.0
    assert run() == 2.0
    for value in (2.0, 2, 3, 2.0):
        FACTOR = value
        other = value
        assert run() == value
        assert run() == value
    globals().update(FACTOR=11.0)
    assert run() == 11.0
    FACTOR = 2.0


def test_attributes():
    for value in (0.0, 1.0, 1.0, 0.0):
        space.offset = value
        assert run() == 2.0 + value
        assert run() == 2.0 + value


def test_cells_and_defaults():
    factor = 2.0

    @pl.jit
    def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * factor

    for _ in range(4):
        assert run(scale) == 2.0
    factor = 3.0
    assert run(scale) == 3.0
    factor = float("3")
    assert run(scale) == 3.0
    factor = 2.0
    assert run(scale) == 2.0


class Hooked:
    """Has code that runs when a name in it is looked up."""

    hook = None

    @property
    def offset(self):
        hook, Hooked.hook = Hooked.hook, None
        if hook:
            hook()
        return 0.0


hooked = Hooked()
unrelated = 0


@pl.jit
def scale_hooked(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * FACTOR + hooked.offset


def fail(self):
    raise MemoryError


def test_a_call_while_names_are_looked_up_that_fails(monkeypatch):
    global FACTOR, unrelated
    for _ in range(4):
        assert run(scale_hooked) == 2.0

    def change():
        global FACTOR
        FACTOR = 3.0
        with monkeypatch.context() as patch, pytest.raises(MemoryError):
            patch.setattr(_capture._Resolver, "run", fail)
            run(scale_hooked)

    unrelated = 1
    Hooked.hook = change
    run(scale_hooked)
    assert [run(scale_hooked) for _ in range(3)] == [3.0] * 3
    FACTOR = 2.0


def test_a_list_of_names_that_ends_early(monkeypatch):
    global FACTOR
    for _ in range(4):
        assert run() == 2.0
    resolve = _capture._Resolver.run

    def give_wrong(self):
        program, watches = resolve(self)
        return program, [*watches, ("item",)]

    FACTOR = 3.0
    with monkeypatch.context() as patch:
        patch.setattr(_capture._Resolver, "run", give_wrong)
        for _ in range(3):
            with pytest.raises(TypeError):
                run()
    assert [run() for _ in range(3)] == [3.0] * 3
    FACTOR = 2.0


class Last:
    """Runs code when nothing refers to it any more."""

    def __init__(self, code):
        self.code = code
        self.offset = 0.0

    def __del__(self):
        self.code()


def test_a_call_while_names_are_forgotten():
    global FACTOR, space
    before = space
    for _ in range(4):
        assert run() == 2.0
    seen = []

    def change():
        global FACTOR
        FACTOR = 3.0
        seen.append(run())

    space = Last(change)
    assert run() == 2.0
    # Only the kernel refers to it afterwards.
    gc.collect()
    space = types.SimpleNamespace(offset=1.0)
    run()
    assert seen == [4.0]
    assert [run() for _ in range(3)] == [4.0] * 3
    FACTOR, space = 2.0, before
