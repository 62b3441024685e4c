# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What hurts authors of kernels in systems like this one: here each is right, or a clear message."""

import pathlib
import textwrap

import numpy as np
import pytest
from tegula_library import Kernel, KernelError

PROLOGUE = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")

"""


def write(folder: pathlib.Path, name: str, text: str) -> pathlib.Path:
    path = folder / name
    path.write_text(PROLOGUE + textwrap.dedent(text))
    return path


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).integers(-9, 10, shape).astype(np.float32)


def test_assigning_a_tensor_to_an_output_is_an_error_not_a_silent_nothing(tmp_path):
    path = write(
        tmp_path,
        "k.py",
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            out = x
        """,
    )
    with pytest.raises(KernelError, match=r"'out = ...' gives the name another meaning and writes nothing"):
        Kernel(path)


def test_every_producer_of_a_tensor_can_be_passed_to_a_helper(tmp_path):
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            @pl.jit.incore
            def twice(a: pl.Tensor, b: pl.Out[pl.Tensor]):
                b[:] = a * 2.0
                return b

            @pl.jit.inline
            def pair(a):
                return a[1:], a

            @pl.jit
            def k(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
                tail, whole = pair(x)
                rows = pl.tensor.dim(tail, 0)
                buffer = pl.create_tensor([rows, x.shape[1]], dtype=x.dtype)
                for i in range(1):
                    if rows > 0:
                        buffer = twice(tail, buffer)
                out[:] = whole
                shifted = pl.reshape(buffer, [rows, N]) + 1.0
                rows = rows - 1
                for i in range(rows + 1):
                    out[i] = shifted[i]
            """,
        )
    )
    for m, n in [(1, 1), (2, 3), (9, 17)]:
        x, out = numbers(m, n), np.zeros((m, n), np.float32)
        kernel(x, out)
        expected = x.copy()
        expected[: m - 1] = x[1:] * 2 + 1
        np.testing.assert_array_equal(out, expected)
    assert kernel.compile_count == 1


def test_import_aliases_and_qualified_names_mean_the_same_at_every_stage(tmp_path):
    (tmp_path / "layers").mkdir()
    write(tmp_path, "config.py", "WIDTH = 4\n")
    write(
        tmp_path / "layers",
        "norm.py",
        """
        from config import WIDTH

        @pl.jit.inline
        def scale(t: pl.Tensor[[M, WIDTH], pl.FP32], by):
            return t * by
        """,
    )
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            import layers.norm as norm
            from layers.norm import scale as other_name
            from config import WIDTH as COLUMNS

            @pl.jit
            def k(x: pl.Tensor[[M, COLUMNS], pl.FP32], out: pl.Out[pl.Tensor[[M, COLUMNS], pl.FP32]]):
                out[:] = norm.scale(x, 2.0) + other_name(by=3.0, t=x)
            """,
        )
    )
    x = numbers(5, 4)
    out = np.zeros_like(x)
    kernel(x, out)
    np.testing.assert_array_equal(out, x * 5)


def test_another_value_of_a_scalar_is_not_another_compile(tmp_path):
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            @pl.jit
            def k(x: pl.Tensor[[M], pl.FP32], a: pl.FP32, n: pl.INDEX, go: pl.BOOL,
                  out: pl.Out[pl.Tensor[[M], pl.FP32]]):
                out[:] = x
                if go and n > 2:
                    for i in range(n):
                        out[:] = out + a
            """,
        )
    )
    x = numbers(6)
    for a, n, go in [(1.0, 3, 1), (2.0, 4, 1), (5.0, 1, 1), (5.0, 9, 0)]:
        out = np.zeros_like(x)
        kernel(x, a, n, go, out)
        np.testing.assert_array_equal(out, x + a * n if go and n > 2 else x)
    assert kernel.compile_count == 1


@pytest.mark.parametrize("changed", ["config.py", "k.py"])
def test_a_changed_constant_is_a_changed_kernel(tmp_path, changed):
    text = """
        from config import A
        B = {b}

        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            out[:] = x * A + B
        """
    x = numbers(5)
    for step in range(2):
        a = 2 + step * (changed == "config.py")
        b = 3 + step * (changed == "k.py")
        write(tmp_path, "config.py", f"A = {a}\n")
        kernel = Kernel(write(tmp_path, "k.py", text.format(b=b)))
        out = np.zeros_like(x)
        kernel(x, out)
        np.testing.assert_array_equal(out, x * a + b)


def test_one_compiled_kernel_serves_every_size_of_a_dynamic_axis(tmp_path):
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            @pl.jit.incore
            def half(a: pl.Tensor[[M, N], pl.FP32], b: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
                for i in range(0, M, 8):
                    b[i : i + 8] = a[i : i + 8] * 0.5

            @pl.jit
            def k(x, out: pl.Out[pl.Tensor]):
                half(x, out)
            """,
        )
    )
    for m, n in [(0, 4), (1, 1), (7, 3), (8, 8), (9, 31), (64, 2)]:
        x, out = numbers(m, n), np.zeros((m, n), np.float32)
        kernel(x, out)
        np.testing.assert_array_equal(out, x / 2)
    assert kernel.compile_count == 1


def test_columns_of_a_tensor_with_a_dynamic_pitch_are_read_where_they_are(tmp_path):
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            R = pl.dynamic("R")
            C = pl.dynamic("C")

            @pl.jit.incore
            def double(a: pl.Tensor[[R, C], pl.FP32]):
                return a + a

            @pl.jit
            def k(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, 2], pl.FP32]]):
                out[:] = double(x[:, 1:3])
            """,
        )
    )
    for m, n in [(1, 3), (5, 4), (6, 33)]:
        x, out = numbers(m, n), np.zeros((m, 2), np.float32)
        kernel(x, out)
        np.testing.assert_array_equal(out, x[:, 1:3] * 2)


def test_two_extents_for_one_symbol_are_refused_at_the_call(tmp_path):
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            @pl.jit
            def k(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
                out[:] = x + y
            """,
        )
    )
    with pytest.raises(KernelError, match="M"):
        kernel(numbers(4), numbers(5), numbers(4))


def test_columns_are_ordinary_tiles(tmp_path):
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            @pl.jit
            def k(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
                for i in range(0, M, 8):
                    t = pl.load(x, [i, 0], [8, 16])
                    scratch = pl.create_tile([1, 1], dtype=pl.FP32)
                    largest = pl.row_max(t, scratch)
                    total = pl.row_sum(t, scratch) + largest * 2.0
                    pl.store(pl.row_expand_add(t, pl.maximum(total, largest)), [i, 0], out)
            """,
        )
    )
    for m, n in [(1, 1), (7, 16), (8, 3), (17, 15)]:
        x, out = numbers(m, n), np.zeros((m, n), np.float32)
        kernel(x, out)
        largest = x.max(axis=1, keepdims=True)
        np.testing.assert_array_equal(out, x + np.maximum(x.sum(axis=1, keepdims=True) + largest * 2, largest))


def test_writing_to_a_plain_tensor_is_seen_by_the_caller_or_an_error(tmp_path):
    text = """
        @pl.jit.incore
        def fill(y: pl.Tensor[[M], pl.FP32]):
            y[:] = 1.0

        @pl.jit
        def k(x: {x}, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            {body}
            out[:] = x
        """
    tensor = "pl.Tensor[[M], pl.FP32]"
    kernel = Kernel(write(tmp_path, "k.py", text.format(x=tensor, body="x[:] = 1.0")))
    x, out = np.zeros(5, np.float32), np.zeros(5, np.float32)
    kernel(x, out)
    np.testing.assert_array_equal(x, np.ones(5))
    np.testing.assert_array_equal(out, x)
    with pytest.raises(KernelError, match="'y' is an input and cannot be written; declare it pl.Out or pl.InOut"):
        Kernel(write(tmp_path, "k.py", text.format(x=f"pl.InOut[{tensor}]", body="fill(x)")))


def test_regions_that_capture_scalars_write_to_one_tensor(tmp_path):
    kernel = Kernel(
        write(
            tmp_path,
            "k.py",
            """
            @pl.jit
            def k(x: pl.Tensor[[M, N], pl.FP32], n: pl.INDEX, flip: pl.Scalar[pl.BOOL],
                  out: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
                part = pl.create_tensor([n, N], dtype=pl.FP32)
                with pl.at(level=pl.Level.CORE_GROUP):
                    part[:] = pl.full([n, N], pl.FP32, 2.0)
                    for i in range(n):
                        out[i] = x[i] * part[i]
                with pl.at(level=pl.Level.CORE_GROUP):
                    if flip:
                        for i in range(n):
                            out[i] = out[i] - x[i] * part[i] * 2.0
                    for i in range(n, M):
                        out[i] = x[i]
            """,
        )
    )
    for m, n in [(1, 1), (5, 4), (9, 17)]:
        for rows in {0, 1, m}:
            for flip in [0, 1]:
                x, out = numbers(m, n), np.zeros((m, n), np.float32)
                kernel(x, rows, flip, out)
                expected = x.copy()
                expected[:rows] *= -2 if flip else 2
                np.testing.assert_array_equal(out, expected)
    assert kernel.compile_count == 1
