# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel can do besides being called."""

import inspect
import pickle
import subprocess
import weakref

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def add(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Tensor[[M, 4], pl.FP32], out: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
    """Adds."""
    out[:] = x + y


@pl.jit
def twice(x, out: pl.Out[pl.Tensor]):
    out[:] = x + x


def ones(*shape, dtype=np.float32):
    return np.ones(shape, dtype)


def test_it_looks_like_the_function():
    assert add.__name__ == "add"
    assert add.__doc__ == "Adds."
    assert repr(add) == "<kernel add>"
    assert list(inspect.signature(add.__wrapped__).parameters) == ["x", "y", "out"]
    assert weakref.ref(add)() is add
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = add.nonsense
    assert pickle.loads(pickle.dumps(add)) is add


def test_compile_runs_nothing():
    twice.clear()
    out = np.zeros(3, np.float32)
    assert twice.compile(ones(3), out) is twice
    assert not out.any()
    assert len(twice.variants) == 1
    twice(ones(3), out)
    assert len(twice.variants) == 1
    assert (out == 2).all()


def test_lower_shows_every_stage():
    assert "pl.bind" in add.lower(stage="frontend")
    assert "func.func" in add.lower()
    assert "define" in add.lower(stage="llvm")
    assert ".globl" in add.lower(stage="asm")
    assert "@pl.jit" in add.lower(stage="source")
    assert "[2, 3]" in twice.lower(ones(2, 3), ones(2, 3), stage="source")
    with pytest.raises(tegula.CallError, match="there is no stage 'magic'"):
        add.lower(stage="magic")


def test_explain_says_what_a_call_would_find():
    twice.clear()
    twice(ones(3), ones(3))
    twice(ones(2, 2, dtype=np.int32), ones(2, 2, dtype=np.int32))
    text = twice.explain()
    assert "2 variants" in text
    assert "'x' holds INT32: the annotation leaves the type to the call" in text
    assert "'x' axis 0 is 3: the annotation leaves the shape to the call" in text
    assert "this call uses variant 0" in twice.explain(ones(3), ones(3))
    missed = twice.explain(ones(4), ones(4))
    assert "variant 0: 'x' axis 0 is 3, the call has 4" in missed
    assert "variant 1: 'x' holds INT32, the call has FP32" in missed
    assert "variant 1: 'x' has 2 axes, the call has 1" in missed
    assert len(twice.variants) == 2


def test_explain_says_which_variant_a_call_on_a_gpu_takes():
    emulated = pl.jit(target="cuda:emulate")(add.__wrapped__)
    arrays = [ones(5, 4), ones(5, 4), ones(5, 4)]
    assert "which variant a call takes on the GPU is said of its arguments" in emulated.explain()
    assert emulated.compile_count == 0
    arrays[2][:] = 7
    text = emulated.explain(*arrays)
    assert "this call uses variant 0" in text
    assert "the chip that is emulated, of 3 SMs" in text
    assert "rows in registers: all rows are seen as one" in text
    assert "four elements are read at once" in text
    # Nothing was run.
    assert (arrays[2] == 7).all()
    # Rows that begin at the same offset in a group of four in all tensors, and at another in one.
    arrays = [ones(21)[1:].reshape(5, 4) for _ in range(3)]
    assert "four elements are read at once but at the edges of rows" in emulated.explain(*arrays)
    arrays[1] = ones(22)[2:].reshape(5, 4)
    assert "elements are read one by one" in emulated.explain(*arrays)
    arrays[0] = ones(5, 8)[:, ::2]
    assert "not with rows in registers: the columns of a tensor lie apart" in emulated.explain(*arrays)
    for wrong in (ones(5), None):
        assert "this call is refused: argument 'x'" in emulated.explain(wrong, *arrays[1:])
    assert "this call is refused: argument 'x'" in add.explain(None, *arrays[1:])


def test_clear_forgets():
    twice(ones(3), ones(3))
    twice.clear()
    assert twice.variants == []
    out = np.zeros(3, np.float32)
    twice(ones(3), out)
    assert (out == 2).all()


def test_programs_can_be_compared():
    @pl.jit
    def sum_of_two(a: pl.Tensor[[M, 4], pl.FP32], b: pl.Tensor[[M, 4], pl.FP32], c: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        total = a + b
        c[:] = total

    @pl.jit
    def difference(
        x: pl.Tensor[[M, 4], pl.FP32], y: pl.Tensor[[M, 4], pl.FP32], out: pl.Out[pl.Tensor[[M, 4], pl.FP32]]
    ):
        out[:] = x - y

    assert not add.equals(difference)
    assert "test_methods.py" in add.difference(difference)
    # Parameters count by name as well.
    assert add.equals(add)
    assert isinstance(add.difference(sum_of_two), str)


def test_export(tmp_path):
    add.export(tmp_path / "libadd.so")
    assert "add(" in (tmp_path / "libadd.h").read_text()
    needed = subprocess.run(["ldd", tmp_path / "libadd.so"], capture_output=True, text=True, check=True).stdout
    assert "LLVM" not in needed
    assert "tegula" not in needed.replace(str(tmp_path), "")
    twice.export(tmp_path / "libdouble.so", ones(3), ones(3), header=False)
    assert not (tmp_path / "libdouble.h").exists()
    with pytest.raises(tegula.Error):
        add.export(tmp_path / "nowhere" / "libadd.so")


def test_a_captured_value_that_changes():
    factor = 2

    @pl.jit
    def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * factor

    assert (scale(ones(3)) == 2).all()
    first = scale.key
    factor = 3
    assert (scale(ones(3)) == 3).all()
    assert scale.key != first
    factor = 2
    before = tegula._tegula.process_compile_count()
    assert (scale(ones(3)) == 2).all()
    assert scale.key == first
    assert tegula._tegula.process_compile_count() == before
