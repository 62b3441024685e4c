# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What loops, lanes and tasks leave behind, at sizes around and beyond their steps."""

import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError


def rows(m, n=8):
    return np.arange(1, m * n + 1, dtype=np.float32).reshape(m, n)


@pytest.mark.parametrize("loop", ["pl.range", "pl.parallel", "pl.pipeline"])
@pytest.mark.parametrize("names", ["q", "y", "(y,)"])
def test_an_output_goes_around(loop, names, tmp_path):
    """All names stand for one tensor, whether the loop runs or not."""
    result = names.strip("(,)")
    text = (
        "def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.InOut[pl.Tensor[[M, 8], pl.FP32]]):\n"
        f"    for i, (o,) in {loop}(0, M // 4, init_values=(y,)):\n"
        "        t = pl.load(x, [i * 4, 0], [4, 8])\n"
        "        p = pl.store(t * 2.0, [i * 4, 0], o)\n"
        f"        {names} = pl.yield_(p)\n"
        f"    return {result}\n"
    )
    for m in (0, 3, 4, 7, 64, 131):
        wanted = rows(m) + 100
        wanted[: m // 4 * 4] = 2 * rows(m)[: m // 4 * 4]
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=rows(m), y=rows(m) + 100)["y"], wanted)


def test_two_tensors_go_around_in_a_helper(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]], z: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    y, z = h(x, y, z)
    return y, z


@pl.jit.inline
def h(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]], z: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    for i, (o, r) in pl.range(0, M, 3, init_values=(y, z)):
        t = pl.load(x, [i, 0], [3, 8])
        p = pl.assemble(o, t, [i, 0])
        s = pl.store(t + 1.0, [i, 0], r)
        q, w = pl.yield_(p, s)
    return q, w
"""
    for m in (0, 1, 3, 5, 70):
        found = run_kernel(text, tmp_path, x=rows(m), y=np.zeros((m, 8), np.float32), z=np.zeros((m, 8), np.float32))
        np.testing.assert_array_equal(found["y"], rows(m))
        np.testing.assert_array_equal(found["z"], rows(m) + 1)


@pytest.mark.parametrize("loop", ["pl.range", "pl.parallel"])
def test_a_tensor_written_in_a_loop_is_there_after_it(loop, tmp_path):
    text = (
        "def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.InOut[pl.Tensor[[M, 8], pl.FP32]]):\n"
        f"    for i in {loop}(0, M, 2):\n"
        "        o = pl.store(pl.load(x, [i, 0], [2, 8]), [i, 0], y)\n"
        "    return o\n"
    )
    for m in (0, 1, 2, 9, 100):
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=rows(m), y=rows(m) + 5)["y"], rows(m))


LAST = """
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[4, N], pl.FP32]], n: pl.InOut[pl.Tensor[[2], pl.INT32]]):
    for i in pl.range(0, M, 4):
        t = pl.load(x, [i, 0], [4, N]) + 1.0
        first = i
        for j in pl.range(2):
            last = i + j
    pl.store(t, [0, 0], y)
    n[0] = pl.cast(first, pl.INT32)
    n[1] = pl.cast(last, pl.INT32)
"""


def test_the_last_values_of_a_loop_are_there_after_it(tmp_path):
    """The last tile may be shorter; its columns are as many as those of x."""
    for m, n in ((4, 8), (1, 1), (3, 70), (9, 3), (200, 5)):
        x = rows(m, n)
        start = (m - 1) // 4 * 4
        y = np.full((4, n), -1, np.float32)
        wanted = y.copy()
        wanted[: m - start] = x[start:] + 1
        found = run_kernel(LAST, tmp_path, x=x, y=y, n=np.zeros(2, np.int32))
        np.testing.assert_array_equal(found["y"], wanted)
        np.testing.assert_array_equal(found["n"], [start, start + 1])


def test_a_loop_whose_last_values_are_read_has_to_run(tmp_path):
    kernel = Kernel(write_kernel(LAST, tmp_path))
    with pytest.raises(KernelError, match="0 < M"):
        kernel(rows(0), np.zeros((4, 8), np.float32), np.zeros(2, np.int32))


def test_a_number_of_iterations_in_memory_is_checked_when_it_is_known(tmp_path):
    text = """
def k(c: pl.Tensor[[1], pl.INT32], x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
    for i in pl.range(pl.cast(c[0], pl.INDEX)):
        t = pl.load(x, [i, 0], [1, 8])
    pl.store(t, [0, 0], y)
"""
    for count in (1, 3):
        found = run_kernel(text, tmp_path, c=np.array([count], np.int32), x=rows(5), y=np.zeros((1, 8), np.float32))
        np.testing.assert_array_equal(found["y"], rows(5)[count - 1 : count])
    with pytest.raises(KernelError, match="the loop to run"):
        run_kernel(text, tmp_path, c=np.array([0], np.int32), x=rows(5), y=np.zeros((1, 8), np.float32))


@pytest.mark.parametrize("loop", ["while i < M:", "while True:"])
def test_the_last_values_of_a_while_are_there_after_it(loop, tmp_path):
    text = f"""
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[4, N], pl.FP32]], n: pl.InOut[pl.Tensor[[1], pl.INT32]]):
    i = 0
    {loop}
        t = pl.load(x, [i, 0], [4, N]) + 1.0
        at = i
        i += 4
        if i >= M:
            break
    pl.store(t, [0, 0], y)
    n[0] = pl.cast(at, pl.INT32)
"""
    for m, n in ((4, 8), (1, 1), (3, 70), (9, 3)):
        start = (m - 1) // 4 * 4
        y = np.full((4, n), -1, np.float32)
        wanted = y.copy()
        wanted[: m - start] = rows(m, n)[start:] + 1
        found = run_kernel(text, tmp_path, x=rows(m, n), y=y, n=np.zeros(1, np.int32))
        np.testing.assert_array_equal(found["y"], wanted)
        assert found["n"][0] == start


def test_a_while_whose_last_values_are_read_has_to_run(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 8], pl.FP32], limit: pl.Tensor[[1], pl.INT32], y: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
    i = 0
    while i < M and i < limit[0]:
        t = pl.load(x, [i, 0], [1, 8])
        i += 1
    y[:] = t
"""
    arguments = {"x": rows(5), "y": np.zeros((1, 8), np.float32)}
    for limit, row in ((1, 0), (3, 2), (9, 4)):
        found = run_kernel(text, tmp_path, x=rows(5), limit=np.array([limit], np.int32), y=arguments["y"])
        np.testing.assert_array_equal(found["y"], rows(5)[row : row + 1])
    with pytest.raises(KernelError, match="the loop to run, whose last values are read"):
        run_kernel(text, tmp_path, x=rows(5), limit=np.zeros(1, np.int32), y=arguments["y"])


def test_a_parallel_loop_whose_last_values_are_read_runs_in_order(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]], z: pl.Out[pl.Tensor[[8], pl.FP32]]):
    for i in pl.parallel(M):
        t = x[i] * 2.0
        y[i] = t
    z[:] = t
"""
    for m in (1, 2, 70):
        found = run_kernel(text, tmp_path, x=rows(m), y=np.zeros((m, 8), np.float32), z=np.zeros(8, np.float32))
        np.testing.assert_array_equal(found["y"], rows(m) * 2)
        np.testing.assert_array_equal(found["z"], rows(m)[-1] * 2)
    with pytest.raises(KernelError, match="0 < M"):
        run_kernel(text, tmp_path, x=rows(0), y=np.zeros((0, 8), np.float32), z=np.zeros(8, np.float32))


@pytest.mark.parametrize("mode, axis", [("UP_DOWN", 0), ("LEFT_RIGHT", 1), ("NONE", None)])
def test_lanes_gather_a_tile(mode, axis, tmp_path):
    """Barriers between the lanes stay where they are."""
    at = {0: "[i + a * 4, 0]", 1: "[i, a * 4]", None: "[i, 0]"}[axis]
    shape = {0: "[4, 8]", 1: "[8, 4]", None: "[8, 8]"}[axis]
    text = (
        "def k(x: pl.Tensor[[M, 8], pl.FP32], w: pl.Tensor[[8, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):\n"
        "    for i in pl.range(0, M, 8):\n"
        f"        for a in pl.split_aiv(2, mode=pl.SplitMode.{mode}):\n"
        f"            t = pl.fillpad(pl.load(x, {at}, {shape}), 0.0)\n"
        "            pl.system.sync_wait(0)\n"
        "            g = pl.aic_gather(t * 2.0)\n"
        "        pl.store(pl.matmul(g, w), [i, 0], y)\n"
    )
    w = np.eye(8, dtype=np.float32)[::-1].copy()
    for m in (0, 1, 8, 13, 40):
        found = run_kernel(text, tmp_path, x=rows(m), w=w, y=np.zeros((m, 8), np.float32))
        np.testing.assert_array_equal(found["y"], 2 * rows(m) @ w)


def test_a_task_runs_where_its_predicate_holds(tmp_path):
    text = """
def k(c: pl.Tensor[[2], pl.INT32], x: pl.Tensor[[M, 8], pl.FP32], y: pl.InOut[pl.Tensor[[M, 8], pl.FP32]]):
    y, first = pl.submit(double, x, y, predicate=c[0] > 0)
    y, second = pl.spmd_submit(add, x, y, core_num=(M + 3) // 4, predicate=c[1] > 0, deps=[first])
    return y


@pl.jit.inline
def double(x, y):
    y[:] = x * 2.0
    return y


@pl.jit.inline
def add(x, y):
    b = pl.get_block_idx()
    y[b * 4 : b * 4 + 4, :] = y[b * 4 : b * 4 + 4, :] + 1.0
    return y
"""
    for m in (0, 1, 4, 30):
        for first in (0, 1):
            for second in (0, 1):
                wanted = (2 * rows(m) if first else -rows(m)) + second
                c = np.array([first, second], np.int32)
                np.testing.assert_array_equal(run_kernel(text, tmp_path, c=c, x=rows(m), y=-rows(m))["y"], wanted)


def test_names_of_older_namespaces(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    for i in pl.range(0, M, 4):
        t = pl.block.load(x, [i, 0], [4, 8])
        pl.op.block.store(pl.block.add(t, t), [i, 0], y)
    y[:] = pl.op.tensor.add(y, 1.0)
"""
    for m in (0, 3, 9):
        found = run_kernel(text, tmp_path, x=rows(m), y=np.zeros((m, 8), np.float32))
        np.testing.assert_array_equal(found["y"], 2 * rows(m) + 1)
