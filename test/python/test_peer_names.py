# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users of other systems write: understood, or refused in words of ours."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
MEMORY = pl.MemRef()
SLOTS = pl.MemRef("slots", slots=2)


def ones(count=5):
    return np.ones(count, np.float32)


@pl.jit.extern(core_type="aiv", source="fast.cpp", include_dirs=["."])
def fast(x: pl.Tensor[[M], pl.FP32]): ...


@pl.jit
def calls_foreign_code(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x
    fast(x)


def test_foreign_code_can_be_imported_and_not_called():
    for kernel, arguments in ((fast, [ones()]), (calls_foreign_code, [ones(), ones()])):
        with pytest.raises(tegula.CompileError, match="@pl.jit.extern binds a kernel to code for one machine"):
            kernel(*arguments)


@pl.jit
def with_memory(x: pl.Tensor[[M], pl.FP32, pl.MemRef("x")], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    here = pl.MemRef()
    t: pl.Tile[[M], pl.FP32, here] = x + 1.0
    u: pl.Tile[[M], pl.FP32, SLOTS[0], pl.Mem.Vec] = t * 2.0
    y[:] = u


def test_declared_allocations_do_not_matter():
    np.testing.assert_array_equal(with_memory(ones()), ones() * 4)
    assert repr(SLOTS[1]) == "pl.MemRef('slots', 'slots=2')[1]"
    assert isinstance(MEMORY, type(SLOTS))


@pl.jit
def with_view(x: pl.Tensor[[M], pl.FP32, pl.TensorView(valid_shape=[4])], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    y[0:4] += x


def test_of_a_view_of_memory_the_valid_part_is_seen():
    for m in (0, 3, 4, 9):
        y = np.zeros(m, np.float32)
        with_view(np.ones(m, np.float32), y)
        np.testing.assert_array_equal(y, np.arange(m) < 4)


def make_quoted():
    N = pl.dynamic("N")

    @pl.jit
    def quoted(x: "pl.Tensor[[N, 4], pl.FP32]", y: "pl.Out[pl.Tensor[[N, 4], pl.FP32]]"):
        y[:] = x + pl.cast(N, pl.FP32)

    return quoted


def test_annotations_may_stand_in_quotes():
    quoted = make_quoted()
    for n in (0, 3, 8):
        np.testing.assert_array_equal(quoted(np.zeros((n, 4), np.float32)), np.full((n, 4), n))
    assert quoted.compile_count == 1


@pl.jit
def add(x: pl.Tensor[[M], pl.FP32], a: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x + a


@pl.jit
def open_shape(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    y[:] = x


def test_annotations_that_say_everything_are_enough_to_compile():
    assert add.compile() is add and add.compile_count == 1
    add.compile()
    np.testing.assert_array_equal(add(ones(), 2.0), ones() * 3)
    assert add.compile_count == 1
    with pytest.raises(tegula.CallError, match="missing 1 required argument: 'x'"):
        open_shape.compile()


def test_settings_are_not_made_at_a_call():
    with pytest.raises(tegula.CallError, match=r"add\(\) takes no 'config='; settings are made with tegula.config"):
        add(ones(), 2.0, config=object())


def test_kernels_have_a_type():
    assert isinstance(add, pl.JITFunction) and isinstance(fast, pl.JITFunction)
    assert not isinstance(ones, pl.JITFunction)


def test_an_async_function_is_no_kernel():
    @pl.jit
    async def later(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = x

    with pytest.raises(tegula.CompileError, match="'async def' is not part of the kernel language"):
        later(ones())
