# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user may do to a kernel besides calling it as intended."""

import copy
import functools
import inspect
import linecache
import pickle
import traceback

import numpy as np
import pytest
import torch

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
SIGNED = 0.0
NESTED = [[1.0, 2.0], {"deep": ([3.0],)}]


@pl.jit
def add(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x + y


@pl.jit
def signed(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * SIGNED


@pl.jit
def nested(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * NESTED[0][1] + NESTED[1]["deep"][0][0]


def ones(count=5):
    return np.ones(count, np.float32)


def test_a_zero_that_changes_its_sign(monkeypatch):
    assert not np.signbit(signed(ones())).any()
    monkeypatch.setitem(globals(), "SIGNED", -0.0)
    assert np.signbit(signed(ones())).all()


def test_lists_inside_what_is_captured():
    assert nested(ones())[0] == 5.0
    NESTED[0][1] = 7.0
    assert nested(ones())[0] == 10.0
    NESTED[1]["deep"][0][0] = 20.0
    assert nested(ones())[0] == 27.0


def test_a_property_that_calls_the_kernel_it_is_captured_by():
    class Holder:
        count = 1.0
        is_inside = False

        @property
        def value(self):
            if not self.is_inside:
                self.is_inside = True
                self.count += 1.0
                kernel(ones())
                self.is_inside = False
            return self.count

    holder = Holder()

    @pl.jit(target="interpreter")
    def kernel(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * holder.value + SIGNED

    for _ in range(5):
        assert kernel(ones())[0] > 1


def test_a_masked_array_is_refused():
    masked = np.ma.masked_array(ones(), mask=[0, 1, 0, 0, 0])
    with pytest.raises(tegula.CallError, match=r"argument 'x': a masked array .* pass x\.filled"):
        add(masked, ones())
    assert (add(masked.filled(3.0), ones()) == [2, 4, 2, 2, 2]).all()


def test_a_tensor_that_is_negated_when_read_is_refused():
    values = torch.complex(torch.ones(5), torch.ones(5))
    assert (add(values.imag, torch.ones(5)) == 2).all()
    with pytest.raises(tegula.CallError, match=r"argument 'x': .*negated.*resolve_neg"):
        add(values.conj().imag, torch.ones(5))
    assert (add(values.conj().imag.resolve_neg(), torch.ones(5)) == 0).all()


class Exported:
    """A tensor of a library that exports capsules only."""

    def __init__(self, tensor):
        self.tensor = tensor
        self.is_neg = tensor.is_neg

    def __dlpack__(self, **options):
        return self.tensor.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


@pytest.mark.parametrize("wrap", [lambda tensor: tensor, Exported])
@pytest.mark.parametrize("extent", [1, 4])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_negated_tensor_with_an_axis_of_one_is_refused(wrap, extent, axis):
    @pl.jit
    def twice(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        out[:] = x * 2.0

    values = torch.complex(torch.ones(extent), torch.ones(extent))
    assert (twice(wrap(values.imag.unsqueeze(axis))) == 2).all()
    with pytest.raises(tegula.CallError, match=r"argument 'x': .*negated.*resolve_neg"):
        twice(wrap(values.conj().imag.unsqueeze(axis)))
    assert (twice(wrap(values.conj().imag.resolve_neg().unsqueeze(axis))) == -2).all()


def test_a_subclass_of_a_tensor_makes_tensors():
    class Marked(torch.Tensor):
        pass

    assert isinstance(add(torch.ones(5).as_subclass(Marked), torch.ones(5)), torch.Tensor)


def test_an_interrupt_while_an_argument_is_read_goes_through():
    class Interrupted:
        def __dlpack__(self, **options):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(Interrupted(), ones())
    with pytest.raises(KeyboardInterrupt):
        add.compile(Interrupted(), ones())


def test_the_interpreter_does_not_write_what_is_read_only():
    fixed = np.zeros(5, np.float32)
    fixed.flags.writeable = False
    with tegula.config(target="interpreter"):
        with pytest.raises(tegula.CallError, match="argument 'out': it is read-only"):
            add(ones(), ones(), fixed)
    assert (fixed == 0).all()


def test_kernels_and_symbols_are_copied_as_themselves():
    assert copy.copy(add) is add and copy.deepcopy({"kernel": add})["kernel"] is add
    assert pickle.loads(pickle.dumps(add)) is add
    assert copy.deepcopy([M])[0] is M
    for name in (pl.exp, pl.tensor.dim, pl.jit, pl.jit.incore, pl.Tensor):
        assert pickle.loads(pickle.dumps(name)) == name


def test_what_a_kernel_shows_of_itself():
    assert {"compile", "variants", "__wrapped__"} <= set(dir(add))
    assert list(inspect.signature(add).parameters) == ["x", "y", "out"]
    assert str(inspect.signature(add.lower)) == "(*args, stage='inferred', **kwargs)"
    assert "Compiles for calls" in add.compile.__doc__


def test_the_traceback_of_a_method_ends_at_the_call():
    for attempt in (lambda: add.compile(ones()), lambda: add.lower(stage="none"), lambda: add.equals(3)):
        with pytest.raises(tegula.CallError) as caught:
            attempt()
        assert traceback.extract_tb(caught.value.__traceback__)[-1].filename == __file__
    assert tegula.CallError.__module__ == "tegula"


def test_a_call_that_would_be_refused():
    whole = np.ones(5, np.int32)
    with pytest.raises(tegula.CallError, match="argument 'x': FP32 is wanted, got INT32"):
        add.compile(whole, ones())
    add.compile(ones(), ones())
    assert "this call is refused: argument 'x': FP32 is wanted, got INT32" in add.explain(whole, ones())


def test_an_output_is_left_out_and_an_argument_does_not_say_its_size():
    with pytest.raises(tegula.CallError, match=r"argument 'x': shape \[M\] is wanted, got \[1, 5\]"):
        add(ones()[None], ones()[None])
    with pytest.raises(tegula.CallError, match=r"argument 'x': a tensor \[M\] is wanted, got a number"):
        add(1.0, 2.0)


def test_a_decorator_in_between():
    def other(function):
        @functools.wraps(function)
        def inner(*args):
            return function(*args)

        return inner

    with pytest.raises(TypeError, match="must be the decorator next to the 'def'.*'between'"):

        @pl.jit
        @other
        def between(x: pl.Tensor[[M], pl.FP32]):
            pass


@pytest.mark.parametrize(
    "name, value",
    [
        ("cache", "no"),
        ("cache_limit", -1),
        ("cache_limit", 1 << 64),
        ("cache_limit", True),
        ("cache_dir", ""),
        ("cache_dir", "a\0b"),
        ("target", None),
        ("reload", "no"),
    ],
)
def test_a_wrong_setting_changes_nothing(name, value):
    before = repr(tegula.config)
    with pytest.raises(ValueError, match=f"^{name} is "):
        setattr(tegula.config, name, value)
    assert repr(tegula.config) == before
    assert (add(ones(), ones()) == 2).all()


def test_a_folder_given_as_bytes(tmp_path):
    with tegula.config(cache_dir=bytes(tmp_path)):
        assert tegula.config.cache_dir == str(tmp_path)


def test_a_kernel_of_a_thousand_statements():
    lines = ["@pl.jit", "def long(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):", "    a = x"]
    lines += ["    a = a * 2.0 - x"] * 1000 + ["    out[:] = a"]
    text = "".join(line + "\n" for line in lines)
    linecache.cache["<long>"] = (len(text), None, text.splitlines(True), "<long>")
    space = {"pl": pl, "M": M}
    exec(compile(text, "<long>", "exec"), space)
    assert (space["long"](ones()) == 1).all()


def test_a_target_is_a_text():
    for options in ({"target": 3}, {"target": ["cpu"]}, {"debug": "yes"}, {"dynamic": 1}):
        with pytest.raises(TypeError, match="= is (a string|True or False), got "):
            pl.jit(**options)(lambda: None)
