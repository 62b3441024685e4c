# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on extents, assumptions about them, and what a call says when they do not hold."""

import pathlib
import textwrap

import numpy as np
import pytest
from tegula_library import Kernel, KernelError

HEADER = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
HALF = M // 2


"""

ALL_SIZES = [0, 1, 2, 3, 7, 8, 15, 16, 17, 63, 64, 65, 1001]


def compiled(text: str, folder: pathlib.Path, name: str = "k") -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path, name)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).integers(-8, 9, shape).astype(np.float32)


def message(kernel: Kernel, *arguments) -> str:
    with pytest.raises(KernelError) as caught:
        kernel(*arguments)
    return str(caught.value)


def test_half_of_an_axis(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M // 2], pl.FP32]]):
            y[:] = x[0:HALF] + x[HALF : 2 * HALF]
        """,
        tmp_path,
    )
    for m in ALL_SIZES:
        x, h = numbers(m), m // 2
        y = np.zeros(h, np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, x[:h] + x[h : 2 * h])
    assert kernel.compile_count == 1
    assert message(kernel, numbers(8), np.zeros(5, np.float32)) == "argument 'y': axis 0 is 5, but M // 2 is 4 (M is 8)"


def test_symbol_found_from_a_product(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[2 * M], pl.FP32], y: pl.Out[pl.Tensor[[2 * M], pl.FP32]]):
            y[0:M] = x[M : 2 * M]
            y[M : 2 * M] = x[0:M]
        """,
        tmp_path,
    )
    for m in ALL_SIZES:
        x = numbers(2 * m)
        y = np.zeros(2 * m, np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, np.concatenate([x[m:], x[:m]]))
    assert message(kernel, numbers(5), numbers(5)) == "argument 'x': axis 0 is 5, but 2 * M is wanted"


def test_symbol_found_from_a_sum(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M + 1, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            y[:] = x[1:, :] - x[0:M, :]
        """,
        tmp_path,
    )
    for m in ALL_SIZES:
        x = numbers(m + 1, 5)
        y = np.zeros((m, 5), np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, x[1:] - x[:-1])
    assert message(kernel, numbers(5, 2), numbers(5, 2)) == "argument 'x': axis 0 is 5, but M + 1 is 6 (M is 5)"


def test_product_of_two_symbols(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M * N], pl.FP32]]):
            for i in pl.range(M):
                y[i * N : (i + 1) * N] = x[i, :] * 2.0
        """,
        tmp_path,
    )
    for m, n in [(0, 4), (4, 0), (1, 1), (3, 17), (17, 65)]:
        x = numbers(m, n)
        y = np.zeros(m * n, np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, x.reshape(-1) * 2)
    assert (
        message(kernel, numbers(3, 5), np.zeros(14, np.float32))
        == "argument 'y': axis 0 is 14, but M * N is 15 (M is 3, N is 5)"
    )


def test_rounding_up_and_minimum(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(
            x: pl.Tensor[[M], pl.FP32],
            y: pl.Out[pl.Tensor[[pl.cdiv(M, 16)], pl.FP32]],
            z: pl.Out[pl.Tensor[[min(M, 64)], pl.FP32]],
        ):
            for b in pl.range(pl.cdiv(M, 16)):
                y[b] = pl.read(pl.sum(x[b * 16 : b * 16 + 16], axis=0), [0])
            z[:] = x[0 : pl.min(M, 64)]
        """,
        tmp_path,
    )
    for m in ALL_SIZES:
        x = numbers(m)
        blocks = -(-m // 16)
        y, z = np.zeros(blocks, np.float32), np.zeros(min(m, 64), np.float32)
        kernel(x, y, z)
        np.testing.assert_array_equal(y, [x[16 * b : 16 * b + 16].sum() for b in range(blocks)])
        np.testing.assert_array_equal(z, x[:64])


def test_assumptions(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            pl.assume(M % 16 == 0 and M <= 64)
            assert N > 2, "three columns"
            for i in pl.range(0, M, 16):
                y[i : i + 16, :] = x[i : i + 16, :] * 2.0
        """,
        tmp_path,
    )
    for m in [0, 16, 32, 64]:
        x = numbers(m, 3)
        y = np.zeros((m, 3), np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, x * 2)
    assert message(kernel, numbers(17, 3), numbers(17, 3)) == "needs M % 16 == 0, but M is 17"
    assert message(kernel, numbers(80, 3), numbers(80, 3)) == "needs M <= 64, but M is 80"
    assert message(kernel, numbers(16, 2), numbers(16, 2)) == "needs N > 2 (three columns), but N is 2"


def test_assumption_about_a_number(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], n: pl.INDEX, y: pl.Out[pl.Tensor[[M], pl.FP32]]):
            pl.assume(0 <= n < M)
            y[:] = x + pl.read(x, [n])
        """,
        tmp_path,
    )
    x, y = numbers(5), np.zeros(5, np.float32)
    kernel(x, 4, y)
    np.testing.assert_array_equal(y, x + x[4])
    assert message(kernel, x, 5, y) == "needs 0 <= n < M, but n is 5 and M is 5"
    assert message(kernel, x, -1, y) == "needs 0 <= n < M, but n is -1 and M is 5"


def test_unrelated_symbols_must_agree(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[M], pl.FP32]]):
            z[:] = x + y
        """,
        tmp_path,
    )
    for m in ALL_SIZES:
        x, y = numbers(m), numbers(m)
        z = np.zeros(m, np.float32)
        kernel(x, y, z)
        np.testing.assert_array_equal(z, x + y)
    found = message(kernel, numbers(5), numbers(3), np.zeros(5, np.float32))
    assert found.endswith(":12:14: needs M == N, but M is 5 and N is 3")


def test_inner_extents_of_a_matmul_must_agree(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(a: pl.Tensor[[4, M], pl.FP32], b: pl.Tensor[[N, 4], pl.FP32], c: pl.Out[pl.Tensor[[4, 4], pl.FP32]]):
            c[:] = a @ b
        """,
        tmp_path,
    )
    for m in ALL_SIZES:
        a, b = numbers(4, m), numbers(m, 4)
        c = np.zeros((4, 4), np.float32)
        kernel(a, b, c)
        np.testing.assert_array_equal(c, a @ b)
    found = message(kernel, numbers(4, 2), numbers(3, 4), np.zeros((4, 4), np.float32))
    assert found.endswith("needs M == N, but M is 2 and N is 3")


def test_a_branch_asks_only_if_it_is_taken(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[M], pl.FP32]]):
            z[:] = x
            if M > 3:
                z[:] = x + y
        """,
        tmp_path,
    )
    x, z = numbers(3), np.zeros(3, np.float32)
    kernel(x, numbers(9), z)
    np.testing.assert_array_equal(z, x)
    x, z = numbers(4), np.zeros(4, np.float32)
    kernel(x, numbers(4), z)
    np.testing.assert_array_equal(z, 2 * x)
    found = message(kernel, numbers(4), numbers(9), np.zeros(4, np.float32))
    assert found.endswith("needs M == N, but M is 4 and N is 9")


def test_a_helper_checks_its_own_shapes(tmp_path):
    kernel = compiled(
        """
        R = pl.dynamic("R")


        @pl.jit.inline
        def fold(a: pl.Tensor[[2 * R], pl.FP32], b: pl.Tensor[[R], pl.FP32]):
            b[:] = a[0:R] + a[R : 2 * R]


        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
            fold(x, y)
        """,
        tmp_path,
    )
    for n in ALL_SIZES:
        x, y = numbers(2 * n), np.zeros(n, np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, x[:n] + x[n:])
    assert "needs axis 0 of 'a' == 2 * R" in message(kernel, numbers(7), np.zeros(3, np.float32))


def test_endless_extents_are_refused(tmp_path):
    doubled = "\n".join(f"E{i + 1} = E{i} + E{i}" for i in range(40))
    path = tmp_path / "kernel.py"
    path.write_text(
        f"import tegula.language as pl\nE0 = pl.dynamic('E')\n{doubled}\n@pl.jit\n"
        "def k(x: pl.Tensor[[E0], pl.FP32], y: pl.Out[pl.Tensor[[E40], pl.FP32]]):\n    y[:] = 1.0\n"
    )
    with pytest.raises(KernelError, match="an extent is written with at most 500 characters"):
        Kernel(path)
