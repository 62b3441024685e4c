# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls in tiles that stay in registers of GPU threads, on this processor: every type, operands of every layout,
sizes around tiles, few rows, computed operands."""

import functools
import itertools
import subprocess

import numpy as np
import pytest
from tegula_library import BINARIES, NUMPY_TYPES, Kernel

SOURCE = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
ROWS, COLUMNS, STEP = {rows}, {columns}, {step}


@pl.jit
def matmul(
    a: pl.Tensor[{left}, pl.{element}], b: pl.Tensor[{right}, pl.{stored}], c: pl.Out[pl.Tensor[[M, N], pl.{sum}]]
):
    for i in pl.parallel(0, M, ROWS):
        for j in pl.parallel(0, N, COLUMNS):
            acc = pl.full([ROWS, COLUMNS], pl.{sum}, 1)
            for k in pl.range(0, K, STEP):
                acc = pl.matmul_acc(acc, {a}, {b}, a_trans={a_trans}, b_trans={b_trans}{more})
            c[i : i + ROWS, j : j + COLUMNS] = acc * 2
"""
SUMS = {"FP64": "FP64", "INT32": "INT32", "INT64": "INT64", "INT8": "INT32", "UINT8": "INT32"}
TARGETS = (
    "cuda:emulate,general,registers",
    "cuda:emulate-sm_80,general,registers",
    "cuda:emulate,whole-blocks,general,registers",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("kernels")


def compile_in_registers(path, target):
    """A kernel of which no loop is refused."""
    command = [BINARIES / "tegula", "ir", f"{path}:matmul", "--target", target, "--stage", "layouts"]
    layouts = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "cuda.layout = " in layouts and "loop_rejection" not in layouts, layouts
    return Kernel(path, name="matmul", target=target)


@functools.cache
def compile_matmul(folder, target, element, tile, transposed, more="", stored=None):
    """The rhs is stored as elements of another type than is multiplied where there is one."""
    rows, columns, step = tile
    a_trans, b_trans = transposed
    down, across, along = "i : i + ROWS", "j : j + COLUMNS", "k : k + STEP"
    right = f"b[{across}, {along}]" if b_trans else f"b[{along}, {across}]"
    text = SOURCE.format(
        rows=rows,
        columns=columns,
        step=step,
        element=element,
        sum=SUMS.get(element, "FP32"),
        left="[K, M]" if a_trans else "[M, K]",
        right="[N, K]" if b_trans else "[K, N]",
        a=f"a[{along}, {down}]" if a_trans else f"a[{down}, {along}]",
        stored=stored or element,
        b=f"pl.cast({right}, pl.{element}) * 0.5" if stored else right,
        a_trans=a_trans,
        b_trans=b_trans,
        more=more,
    )
    path = folder / f"matmul{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    return compile_in_registers(path, target)


def make(random, element, *shape, apart=0):
    """With `apart`, rows are not aligned."""
    dtype = NUMPY_TYPES[element]
    memory_shape = (*shape[:-1], shape[-1] + apart)
    if element.startswith(("INT", "UINT")):
        limits = np.iinfo(np.int8 if element == "INT64" else dtype)
        memory = random.integers(limits.min, limits.max, memory_shape, endpoint=True).astype(dtype)
    else:
        memory = random.standard_normal(memory_shape).astype(dtype)
    return memory[..., apart:]


def check(kernel, element, sizes, transposed, apart=0, error=1e-6, stored=None):
    m, n, k = sizes
    random = np.random.default_rng(m + n + k)
    a = make(random, element, *((k, m) if transposed[0] else (m, k)), apart=apart)
    b = make(random, stored or element, *((n, k) if transposed[1] else (k, n)), apart=apart)
    total = NUMPY_TYPES[SUMS.get(element, "FP32")]
    c = np.full((m, n), 7, total)
    kernel(a, b, c)
    exact = np.int64 if np.issubdtype(total, np.integer) else np.float64
    left, right = (x.astype(exact).T if flip else x.astype(exact) for x, flip in zip((a, b), transposed, strict=True))
    if stored:
        right = right / 2
    wanted = (left @ right + 1) * 2
    if exact is np.int64:
        np.testing.assert_array_equal(c, wanted.astype(total))
    else:
        largest = np.abs(left) @ np.abs(right) + 1
        np.testing.assert_array_less(np.abs(c - wanted), error * largest + 1e-30)


SIZES = ((0, 1, 1), (1, 1, 1), (2, 3, 0), (31, 63, 31), (33, 65, 37), (64, 128, 67))
EVERY = list(itertools.product((False, True), repeat=2))


@pytest.mark.parametrize("transposed", EVERY)
@pytest.mark.parametrize("element", ["FP32", "FP64", "INT32", "INT64"])
def test_multiply_adds(folder, element, transposed):
    """What tensor cores do not multiply."""
    tile = (32, 64, 32)
    for target in TARGETS[: 3 if element == "FP32" else 1]:
        kernel = compile_matmul(folder, target, element, tile, transposed)
        for sizes, apart in itertools.product(SIZES, (0, 1)):
            check(kernel, element, sizes, transposed, apart, 1e-15 if element == "FP64" else 1e-6)


@pytest.mark.parametrize("element", ["FP32", "FP16", "INT8"])
@pytest.mark.parametrize(
    "tile", [(64, 64, 20), (1, 64, 64), (5, 7, 3), (16, 16, 4), (128, 128, 1), (64, 1, 32), (8, 96, 13)]
)
def test_odd_tiles(folder, element, tile):
    """Few rows or columns, and inner axes that tensor cores have no instruction for."""
    for transposed in (False, False), (True, True):
        kernel = compile_matmul(folder, TARGETS[0], element, tile, transposed)
        for sizes in (1, 1, 1), (tile[0], tile[1], tile[2]), (tile[0] + 1, tile[1] + 1, 2 * tile[2] + 1):
            check(kernel, element, sizes, transposed)


@pytest.mark.parametrize("transposed", EVERY)
@pytest.mark.parametrize("element", ["INT8", "UINT8", "FP32"])
def test_tensor_cores(folder, element, transposed):
    """Bytes, whose sums are exact, and FP32 as TF32 where that is asked for."""
    more, error = (', precision="tf32"', 5e-3) if element == "FP32" else ("", 0)
    for target in TARGETS[: 3 if element == "INT8" else 1]:
        kernel = compile_matmul(folder, target, element, (64, 64, 64), transposed, more)
        for sizes, apart in itertools.product((*SIZES, (65, 129, 200)), (0, 1)):
            check(kernel, element, sizes, transposed, apart, error)


@pytest.mark.parametrize("transposed", EVERY)
@pytest.mark.parametrize("element", ["FP8E4M3FN", "FP8E5M2"])
def test_bytes_of_floats(folder, element, transposed):
    """FP8 is exact as FP16."""
    for target, tile in (TARGETS[0], (64, 64, 64)), (TARGETS[1], (64, 64, 64)), (TARGETS[2], (16, 32, 32)):
        kernel = compile_matmul(folder, target, element, tile, transposed)
        for sizes, apart in itertools.product(SIZES, (0, 1)):
            check(kernel, element, sizes, transposed, apart)


@pytest.mark.parametrize("transposed", EVERY)
@pytest.mark.parametrize("element, stored", [("BF16", "INT8"), ("FP16", "FP8E4M3FN"), ("FP32", "BF16")])
def test_computed_operand(folder, element, stored, transposed):
    """Weights are scaled between loads and multiplications."""
    for target, tile in (TARGETS[0], (64, 64, 64)), (TARGETS[1], (16, 64, 64)), (TARGETS[2], (128, 128, 32)):
        kernel = compile_matmul(folder, target, element, tile, transposed, stored=stored)
        for sizes, apart in itertools.product((*SIZES, (65, 129, 200)), (0, 1)):
            check(kernel, element, sizes, transposed, apart, stored=stored)


SHORTER = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def matmul(
    a: pl.Tensor[[M, 48], pl.{element}], b: pl.Tensor[[48, N], pl.{element}], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    for i in pl.parallel(0, M, 32):
        for j in pl.parallel(0, N, 64):
            acc = pl.full([{rows}, {columns}], pl.FP32, 1.0)
            c[i : i + 32, j : j + 64] = pl.matmul_acc(acc, a[i : i + {more}, :], b[:, j : j + 64]) * 2
"""


@pytest.mark.parametrize("element", ["FP32", "BF16"])
@pytest.mark.parametrize(
    "rows, columns, more", [(32, 20, 32), (5, 64, 32), (32, 100, 32), (100, 64, 32), (32, 64, 20), (2, 3, 32)]
)
def test_accumulator_of_other_shape(folder, element, rows, columns, more):
    """There is a result where there is an accumulator and both operands."""
    path = folder / f"shorter{len(list(folder.iterdir()))}.py"
    path.write_text(SHORTER.format(element=element, rows=rows, columns=columns, more=more))
    for target in TARGETS[:2]:
        kernel = compile_in_registers(path, target)
        random = np.random.default_rng(rows)
        a, b = make(random, element, 66, 48), make(random, element, 48, 129)
        c = np.full((66, 129), 7, np.float32)
        kernel(a, b, c)
        wanted = (a.astype(np.float64) @ b.astype(np.float64) + 1) * 2
        down, across = np.arange(66) % 32, np.arange(129) % 64
        is_there = (down < min(rows, more))[:, None] & (across < columns)
        np.testing.assert_allclose(c, np.where(is_there, wanted, 7), rtol=1e-4, atol=1e-4)
