# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python's words mean in a kernel: Python and NumPy are the judges, since all targets share one front end."""

import itertools

import numpy as np
import pytest
import tegula_library
from kernel_text import run_kernel

RANGES = [
    ("UINT32", 3, 5, -1),
    ("UINT8", 200, 0, -100),
    ("UINT8", 0, 255, -3),
    ("INT8", 127, -128, -1),
    ("INT8", 100, -100, -7),
    ("INT32", 2**31 - 1, -(2**31), -(2**29)),
    ("INT64", 5, -3, -2),
    ("INT8", -128, 127, 1),
    ("UINT8", 3, 250, 50),
]


@pytest.mark.parametrize("loop", ["range", "parallel"])
@pytest.mark.parametrize("dtype, start, stop, step", RANGES)
def test_a_range_counts_as_pythons_whatever_the_type_of_its_bounds(loop, dtype, start, stop, step, tmp_path):
    text = f"""
        def k(a: pl.Scalar[pl.{dtype}], b: pl.Scalar[pl.{dtype}], y: pl.Out[pl.Tensor[[3], pl.INT64]]):
            y[:] = 0
            for i in pl.{loop}(a, b, {step}):
                y[0] = y[0] + 1
                y[1] = pl.cast(i, pl.INT64)
                y[2] = y[2] + pl.cast(i, pl.INT64)
        """
    iterations = list(range(start, stop, step))
    got = run_kernel(text, tmp_path, a=start, b=stop, y=np.zeros(3, np.int64))["y"]
    assert got.tolist() == [len(iterations), iterations[-1] if iterations else 0, sum(iterations)]


def test_and_and_or_give_one_of_their_operands(tmp_path):
    text = """
        def k(n: pl.Scalar[pl.INT32], m: pl.Scalar[pl.INT32], f: pl.Scalar[pl.FP32],
              y: pl.Out[pl.Tensor[[7], pl.INT32]]):
            y[0] = pl.cast(n or 7, pl.INT32)
            y[1] = n and m
            steps = n or 4
            for i in pl.range(steps):
                y[2] = pl.cast(i, pl.INT32)
            y[3] = n or m // 2 or 9
            y[4] = 1 if n and f > 0.5 else 2
            y[5] = pl.cast((f or 2.5) * 2.0, pl.INT32)
            y[6] = pl.cast(not (n and f), pl.INT32)
        """
    for n, m, f in itertools.product((0, 5, -3), (0, 9), (0.0, 1.0)):
        expected = [n or 7, n and m, max((n or 4) - 1, 0), n or m // 2 or 9, 1 if n and f > 0.5 else 2]
        expected += [int((f or 2.5) * 2), int(not (n and f))]
        got = run_kernel(text, tmp_path, n=n, m=m, f=f, y=np.zeros(7, np.int32))["y"]
        assert got.tolist() == expected, (n, m, f)


def test_operands_of_or_that_are_not_alike_are_an_error(tmp_path):
    text = """
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[1], pl.FP32]]):
            y[0] = pl.cast(x[0] or x[1] > 1.0, pl.FP32)
        """
    with pytest.raises(tegula_library.KernelError, match="'or' gives one of its operands, which must be alike"):
        run_kernel(text, tmp_path, x=np.ones(2, np.float32), y=np.zeros(1, np.float32))


IN = "x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]"
INOUT = "x: pl.InOut[pl.Tensor[[M, N], pl.FP32]], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]"


def change_view_of_made(x, y):
    t = np.zeros_like(x)
    v = t[0:1]
    v += 1
    y[:] = t + v


def change_alias_of_made(x, y):
    t = np.zeros_like(x)
    u = t
    t += 1
    y[:] = u + t


def change_chosen_view(x, y):
    a = x[1:2] if len(x) > 1 else x[0:1]
    a += 1
    y[:] = x + a


def change_in_a_loop(x, y):
    a = x
    for _ in range(3):
        a += 1
    y[:] = x


def change_written_elsewhere(x, y):
    x[0:1] = 0
    x += 1
    y[:] = x


def change_view_written_elsewhere(x, y):
    x[0:1] = 0
    a = x[0:1]
    a += 1
    y[:] = x + a


CHANGES = {
    "a view of a tensor of its own": (
        IN,
        "t = pl.create_tensor([M, N], pl.FP32, init_value=0.0); v = t[0:1, :]; v += 1.0; y[:] = t + v",
        change_view_of_made,
    ),
    "another name of a tensor of its own": (
        IN,
        "t = pl.create_tensor([M, N], pl.FP32, init_value=0.0); u = t; t += 1.0; y[:] = u + t",
        change_alias_of_made,
    ),
    "a view that a branch chooses": (
        INOUT,
        "a = x[1:2, :] if M > 1 else x[0:1, :]; a += 1.0; y[:] = x + a",
        change_chosen_view,
    ),
    "in a loop": (INOUT, "a = x\n    for i in pl.range(3):\n        a += 1.0\n    y[:] = x", change_in_a_loop),
    "without a direction": (IN, "x[0:1, :] = 0.0; x += 1.0; y[:] = x", change_written_elsewhere),
    "a view without a direction": (
        IN,
        "x[0:1, :] = 0.0; a = x[0:1, :]; a += 1.0; y[:] = x + a",
        change_view_written_elsewhere,
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_written_changes_in_place(name, tmp_path):
    parameters, body, reference = CHANGES[name]
    text = f"def k({parameters}):\n" + "".join(f"    {part.strip(' ')}\n" for part in body.split(";"))
    for m in (1, 2, 5):
        x, y = np.arange(3 * m, dtype=np.float32).reshape(m, 3), np.zeros((m, 3), np.float32)
        wanted_x, wanted_y = x.copy(), y.copy()
        reference(wanted_x, wanted_y)
        got = run_kernel(text, tmp_path, x=x, y=y)
        np.testing.assert_array_equal(got["x"], wanted_x)
        np.testing.assert_array_equal(got["y"], wanted_y)


def test_a_name_for_an_input_gets_another_meaning(tmp_path):
    text = f"def k({IN}):\n    x += 1.0\n    y[:] = x\n"
    x = np.ones((2, 3), np.float32)
    got = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))
    np.testing.assert_array_equal(got["x"], x)
    np.testing.assert_array_equal(got["y"], x + 1)


def test_an_input_that_a_branch_may_choose_is_not_written(tmp_path):
    text = """
        def k(x: pl.In[pl.Tensor[[M], pl.FP32]], y: pl.InOut[pl.Tensor[[M], pl.FP32]], n: pl.Scalar[pl.INT32]):
            a = x if n > 0 else y
            a[:] = 0.0
        """
    x = np.ones(3, np.float32)
    # The command says so: numbers that a kernel might be made for wait for the first call.
    with pytest.raises(AssertionError, match="'x' is an input and cannot be written"):
        run_kernel(text, tmp_path, x=x, y=x, n=1)


IDLE = {
    "an assertion": "assert M > 10",
    "an assertion of the number itself": "assert n > 10",
    "a reshape": "y[:] = pl.reshape(pl.reshape(x, [M * N // 5, 5]), [M, N])",
    "an addition": "y[0:1, :] = x[0:1, :] + pl.reshape(x, [1, M * N])[:, 0:N]",
}


@pytest.mark.parametrize("loop", ["range", "parallel"])
@pytest.mark.parametrize("name", IDLE)
def test_a_loop_without_an_iteration_requires_nothing(name, loop, tmp_path):
    text = f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            y[:] = x
            for i in pl.{loop}(n):
                {IDLE[name]}
        """
    x = np.ones((3, 4), np.float32)
    np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, n=0, y=np.zeros_like(x))["y"], x)
    if name != "an addition":
        with pytest.raises(tegula_library.KernelError, match="needs"):
            run_kernel(text, tmp_path, x=x, n=1, y=np.zeros_like(x))


def test_a_loop_in_a_loop_that_may_be_idle_requires_nothing(tmp_path):
    text = """
        def k(x: pl.Tensor[[M], pl.FP32], z: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
            y[:] = x
            for i in pl.range(0, M, 2):
                for j in pl.range(i, M - 4):
                    assert N > M
                    y[j : j + 1] = x[j : j + 1] + z[j : j + 1]
        """
    for m, n in [(4, 1), (5, 6), (9, 10), (0, 0)]:
        x, z = np.arange(m, dtype=np.float32), np.ones(n, np.float32)
        wanted = x.copy()
        wanted[: max(m - 4, 0)] += 1
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, z=z, y=np.zeros_like(x))["y"], wanted)
    with pytest.raises(tegula_library.KernelError, match="needs N > M"):
        x = np.ones(5, np.float32)
        run_kernel(text, tmp_path, x=x, z=x, y=x)


def test_a_computed_end_before_the_start_of_a_small_axis(tmp_path):
    text = """
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
            y[0 : M - 1] = x[1:M]
        """
    for m in (0, 1, 2, 7):
        x = np.arange(m, dtype=np.float32)
        wanted = x.copy()
        wanted[0 : m - 1] = x[1:m]
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=x.copy())["y"], wanted)
