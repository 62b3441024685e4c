# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example as a program of GPU threads, run on this processor, against its NumPy reference."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import test_models
from tegula_library import EXAMPLES, Kernel, KernelError, with_dtype
from test_kernels import CASES, assert_matches_numpy


def sizes_of(name: str) -> list[dict[str, int]]:
    """Sizes that hurt, in all dimensions at once."""
    dims = CASES[name].sizes
    return [
        {dim: values[(index + offset) % len(values)] for offset, (dim, values) in enumerate(dims.items())}
        for index in range(6)
    ]


@pytest.mark.parametrize("name", CASES)
def test_matches_numpy(name, tmp_path):
    for dtype in ("FP32", "BF16"):
        kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path), target="cuda:emulate")
        assert_matches_numpy(name, kernel, dtype, sizes_of(name))


@pytest.mark.parametrize("name", ["gemm", "gemm_tensors", "matmul"])
def test_fallback_matches_numpy(name, tmp_path):
    """As chips without tuned matmul code run them."""
    kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", "BF16", tmp_path), target="cuda:emulate-sm_70")
    assert_matches_numpy(name, kernel, "BF16", sizes_of(name))


def test_tiles_match_numpy(tmp_path):
    kernel = Kernel(with_dtype(EXAMPLES / "gemm.py", "BF16", tmp_path), target="cuda:emulate-sm_80")
    assert_matches_numpy("gemm", kernel, "BF16", sizes_of("gemm")[:3])


@pytest.mark.parametrize("name", test_models.CASES)
def test_models_match_numpy(name):
    test_models.assert_matches_numpy(name, test_models.CASES[name].sizes[::5], target="cuda:emulate")


DIVIDES = """
import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.jit
def divides(x: pl.Tensor[[M, K], pl.FP32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
    if K > 0:
        for i in pl.parallel(0, M, 8):
            t = pl.create_tensor([M // K + 1, 4], dtype=pl.FP32)
            t[:, :] = pl.full([M // K + 1, 4], dtype=pl.FP32, value=1.0)
            y[i : i + 8, :] = x[i : i + 8, :] + pl.read(t, [0, 0])
"""


def test_host_divides_by_nothing(tmp_path):
    """Memory is asked for before the launch, also in calls that would not get so far."""
    path = tmp_path / "divides.py"
    path.write_text(DIVIDES)
    kernel = Kernel(path, target="cuda:emulate")
    for k in (0, 1, 5):
        x = np.random.default_rng(k).standard_normal((9, k)).astype(np.float32)
        y = np.zeros_like(x)
        kernel(x, y)
        np.testing.assert_array_equal(y, x + 1)


NEGATIVE = """
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def factors(x: pl.Tensor[[N], pl.FP32], y: pl.InOut[pl.Tensor[[8, N], pl.FP32]], by: pl.Scalar[pl.INT64]):
    for i in pl.range(-8, 0):
        t = pl.create_tensor([{length}], pl.FP32)
        t[:] = x[0 : {length}] * 2.0
        values, _ = pl.sort(t)
        y[i + 8, 0 : {length}] = values
"""
LENGTHS = ["i * -512", "i * by", "(i - 1 + 1) * by", "(i * 1024) // -2", "(i * 2 * by) // 2", "(i * 512) % 4096"]


@pytest.mark.parametrize("length", LENGTHS)
def test_memory_for_lengths_of_negative_numbers(length, tmp_path):
    """Two negative numbers make a large one, which memory is asked for before the launch."""
    path = tmp_path / "factors.py"
    path.write_text(NEGATIVE.format(length=length))
    kernel = Kernel(path, target="cuda:emulate")
    x = np.random.default_rng(1).standard_normal(4096).astype(np.float32)
    y = np.zeros((8, 4096), np.float32)
    wanted = np.zeros_like(y)
    kernel(x, y, -512)
    for i in range(-8, 0):
        count = eval(length, {"i": i, "by": -512})
        wanted[i + 8, :count] = np.sort(x[:count] * 2)
    np.testing.assert_array_equal(y, wanted)


CARRIED = """
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def carried(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]], first: pl.Scalar[pl.INT64]):
    t = pl.create_tensor([N], pl.FP32)
    t[:] = x
    for i in pl.range(first, 0):
        u = pl.create_tensor([N], pl.FP32)
        u[:] = t + pl.cast(i, pl.FP32)
        t = u
    y[:] = t
"""


@pytest.mark.parametrize("first", [-50, -1, 0, 7])
def test_memory_that_iterations_from_a_negative_one_on_keep(first, tmp_path):
    path = tmp_path / "carried.py"
    path.write_text(CARRIED)
    x = np.arange(200000, dtype=np.float32) % 99
    y = np.zeros_like(x)
    Kernel(path, target="cuda:emulate")(x, y, first)
    np.testing.assert_array_equal(y, x + sum(range(first, 0)))


RUNS_ON = """
import tegula.language as pl

N = pl.dynamic("N")
F = pl.dynamic("F")


@pl.jit
def together(go: pl.Tensor[[F], pl.INT32], x: pl.Tensor[[N], pl.FP32], i: pl.Tensor[[N], pl.UINT32],
             y: pl.InOut[pl.Tensor[[7], pl.FP32]]):
    j = 0
    while pl.read(go, [j]) < 9:
        pl.mscatter(x, i % 7, y, atomic=pl.AtomicType.Add)
        j = j + 1


@pl.jit
def apart(go: pl.Tensor[[F], pl.INT32], x: pl.Tensor[[N], pl.FP32], i: pl.Tensor[[N], pl.UINT32],
          y: pl.InOut[pl.Tensor[[7], pl.FP32]]):
    for first in pl.parallel(0, N, 64):
        j = 0
        while pl.read(go, [j]) < 9:
            pl.mscatter(x[first : first + 64], i[first : first + 64] % 7, y, atomic=pl.AtomicType.Add)
            j = j + 1
"""


@pytest.mark.parametrize("name", ["together", "apart"])
def test_all_threads_end_a_loop_that_fails(name, tmp_path):
    """Who reported an error and who did not go the same way, and wait for each other to the end."""
    path = tmp_path / "runs_on.py"
    path.write_text(RUNS_ON)
    kernel = Kernel(path, name, target="cuda:emulate")
    x = np.ones(5000, np.float32)
    i = np.arange(5000, dtype=np.uint32)
    y = np.zeros(7, np.float32)
    kernel(np.array([0, 0, 9], np.int32), x, i, y)
    np.testing.assert_array_equal(y, 2 * np.bincount(i % 7))
    with pytest.raises(KernelError, match="out of range"):
        kernel(np.zeros(3, np.int32), x, i, y)


PICKS = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def picks(x: pl.Tensor[[N], pl.FP32], at: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    for i in pl.parallel(M):
        pl.write(y, [i], pl.read(x, [pl.read(at, [i])]))
"""


def test_errors_are_of_who_made_them(tmp_path):
    """Calls from several threads, some of which fail."""
    path = tmp_path / "picks.py"
    path.write_text(PICKS)
    kernel = Kernel(path, target="cuda:emulate")
    x = np.arange(8, dtype=np.float32)

    def call(number: int) -> None:
        at = np.array([1, 2, number if number % 2 else 3], np.int32)
        for _ in range(30):
            y = np.zeros(3, np.float32)
            if number % 2:
                with pytest.raises(KernelError, match=f"index {number} "):
                    kernel(x, at, y)
            else:
                kernel(x, at, y)
                np.testing.assert_array_equal(y, x[at])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(call, [100, 101, 102, 103]))
