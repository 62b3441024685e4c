# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes of any rank against NumPy: reshapes, transposes, reductions over several axes."""

import itertools
import pathlib
import textwrap

import numpy as np
import pytest
from tegula_library import Kernel, KernelError
from test_matmuls import numbers, strided

HEADER = """
import tegula.language as pl

B = pl.dynamic("B")
S = pl.dynamic("S")
M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
"""

LAYOUTS = [np.ascontiguousarray, np.asfortranarray, strided]


def compiled(text: str, folder: pathlib.Path) -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path)


RESHAPES = {
    "split": ("[M, 128]", "[M, 4, 32]", "pl.reshape(x, [M, 4, 32])"),
    "merge": ("[M, 4, 32]", "[M, 128]", "pl.reshape(x, [M, 128])"),
    "merge leading": ("[B, S, 8]", "[N, 8]", "pl.reshape(x, [B * S, 8])"),
    "open": ("[B, S, 8]", "[N, 8]", "pl.reshape(x, [-1, 8])"),
    "flat": ("[M, N]", "[S]", "pl.reshape(x, [M * N])"),
    "open flat": ("[M, N]", "[S]", "pl.reshape(x, [-1])"),
    "transposed": ("[M, N]", "[N, M]", "pl.reshape(x, [N, M])"),
    "units": ("[M, N]", "[1, M, 1, N]", "pl.reshape(x, [1, M, 1, N])"),
    "expression": ("[M, 6]", "[M, 2, 3]", "pl.reshape(x + x, [M, 2, 3])"),
    "open expression": ("[M, 6]", "[N, 2]", "pl.reshape(pl.exp(x), [-1, 2])"),
}


def extents(shape: str, sizes: dict) -> tuple:
    return tuple(eval(shape, {}, sizes))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", RESHAPES)
def test_reshape(name, layout, tmp_path):
    source, target, expression = RESHAPES[name]
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[{source}, pl.FP32], y: pl.Out[pl.Tensor[{target}, pl.FP32]]):
            pl.store({expression}, {[0] * (target.count(",") + 1)}, y)
        """,
        tmp_path,
    )
    for b, s, m, n in itertools.product([0, 1, 3], [0, 1, 7], [0, 1, 5, 37], [0, 1, 600]):
        sizes = dict(B=b, S=s, M=m, N=n)
        if name in ("merge leading", "open"):
            sizes["N"] = b * s
        if name in ("flat", "open flat"):
            sizes["S"] = m * n
        if name == "open expression":
            sizes["N"] = 3 * m
        x = layout(numbers(*extents(source, sizes)))
        y = layout(np.full(extents(target, sizes), 7, np.float32))
        kernel(x, y)
        wanted = x + x if name == "expression" else np.exp(x) if name == "open expression" else x
        np.testing.assert_allclose(y, wanted.reshape(y.shape), rtol=1e-5, err_msg=str(sizes))
    assert kernel.compile_count == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_windows_of_a_view(layout, tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[B, S, 16], pl.FP32], y: pl.Out[pl.Tensor[[B, S, 16], pl.FP32]]):
            rows = pl.reshape(x, [B * S, 16])
            for b in pl.parallel(0, B, 1):
                for s in pl.range(0, S, 4):
                    i = b * S + s
                    n = pl.min(4, S - s)
                    y[b, s : s + 4, :] = rows[i : i + n, :] * 2.0
        """,
        tmp_path,
    )
    for b, s in itertools.product([0, 1, 3], [1, 4, 9]):
        x, y = layout(numbers(b, s, 16)), np.zeros((b, s, 16), np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, 2 * x)


def test_writes_through_a_view(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, 4, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 32], pl.FP32]]):
            heads = pl.reshape(y, [M, 4, 8])
            for i in pl.parallel(0, M, 2):
                heads[i : i + 2, :, :] = x[i : i + 2, :, :] + 1.0
        """,
        tmp_path,
    )
    for m in [0, 1, 2, 37]:
        x, y = numbers(m, 4, 8), np.zeros((m, 32), np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, x.reshape(m, 32) + 1)
        rows = np.zeros((2 * m, 32), np.float32)
        kernel(x, rows[::2])
        np.testing.assert_array_equal(rows[::2], x.reshape(m, 32) + 1)


def test_writes_through_a_view_that_memory_does_not_allow(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, 32], pl.FP32], y: pl.Out[pl.Tensor[[M, 4, 8], pl.FP32]]):
            flat = pl.reshape(y, [M, 32])
            flat[:] = x
        """,
        tmp_path,
    )
    x, y = numbers(3, 32), np.zeros((3, 4, 9), np.float32)
    with pytest.raises(KernelError, match="memory with gaps"):
        kernel(x, y[:, :, :8])
    whole = np.zeros((3, 4, 8), np.float32)
    kernel(x, whole)
    np.testing.assert_array_equal(whole, x.reshape(3, 4, 8))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_split_into_heads_and_back(layout, tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[B, M, 12], pl.FP32], y: pl.Out[pl.Tensor[[B, M, 12], pl.FP32]]):
            h = pl.transpose(pl.reshape(x, [B, M, 3, 4]), 1, 2)
            o = pl.matmul(pl.matmul(h, h, b_trans=True), h)
            y[:] = pl.reshape(pl.transpose(o, 1, 2), [B, M, 12])
        """,
        tmp_path,
    )
    for b, m in [(0, 3), (1, 1), (2, 5), (3, 70)]:
        x, y = layout(numbers(b, m, 12)), layout(np.zeros((b, m, 12), np.float32))
        kernel(x, y)
        h = x.reshape(b, m, 3, 4).swapaxes(1, 2)
        wanted = (h @ h.swapaxes(-1, -2) @ h).swapaxes(1, 2).reshape(b, m, 12)
        np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-3)


def test_reshape_carried_around_a_loop(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, 12], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, 3, 4], pl.FP32]]):
            t = pl.reshape(x, [M, 3, 4]) + 0.0
            for i in pl.range(0, n, 1):
                t = pl.reshape(pl.reshape(t, [M, 12]) + x, [M, 3, 4])
            y[:] = t
        """,
        tmp_path,
    )
    for m, n in itertools.product([0, 1, 9, 700], [0, 1, 3]):
        x, y = numbers(m, 12), np.zeros((m, 3, 4), np.float32)
        kernel(x, n, y)
        np.testing.assert_array_equal(y.reshape(m, 12), (n + 1) * x)


def test_memory_of_the_kernel(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            flat = pl.create_tensor([M * N], dtype=pl.FP32)
            square = pl.reshape(flat, [M, N])
            square[:] = x * 2.0
            flat[:] = flat + 1.0
            y[:] = square
        """,
        tmp_path,
    )
    for m, n in itertools.product([0, 1, 19], [0, 1, 33, 600]):
        x, y = numbers(m, n), np.zeros((m, n), np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, 2 * x + 1)


def test_partly_valid_tiles(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, 4, 16], pl.FP32], y: pl.Out[pl.Tensor[[N, 16], pl.FP32]],
              z: pl.Out[pl.Tensor[[S], pl.FP32]]):
            for i in pl.range(0, M, 8):
                t = pl.load(x, [i, 0, 0], [8, 4, 16])
                pl.store(pl.reshape(t, [32, 16]), [4 * i, 0], y)
                pl.store(pl.reshape(t, [-1]), [64 * i], z)
        """,
        tmp_path,
    )
    for m in [0, 1, 7, 8, 9, 16, 23]:
        x, y, z = numbers(m, 4, 16), np.zeros((4 * m, 16), np.float32), np.zeros(64 * m, np.float32)
        kernel(x, y, z)
        np.testing.assert_array_equal(y, x.reshape(4 * m, 16))
        np.testing.assert_array_equal(z, x.reshape(-1))


def test_a_shape_that_does_not_fit_is_an_error_of_the_call(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[B, S], pl.FP32]]):
            y[:] = pl.reshape(x + 1.0, [B, S])
        """,
        tmp_path,
    )
    x, y = numbers(6, 4), np.zeros((3, 8), np.float32)
    kernel(x, y)
    np.testing.assert_array_equal(y, (x + 1).reshape(3, 8))
    with pytest.raises(KernelError, match=r"needs M \* N == B \* S, but M is 6 and N is 4 and B is 3 and S is 7"):
        kernel(x, np.zeros((3, 7), np.float32))


MISTAKES = {
    "pl.reshape(x, [M, 7])": "cannot reshape",
    "pl.reshape(x, [-1, -1])": "-1 stands once",
    "pl.reshape(x + x, [M, 3, 3])": "cannot reshape",
    "pl.reshape(pl.full([4, 4], dtype=pl.FP32, value=0.0), [3, 5])": "16 elements and 15",
    "pl.sum(x, axis=(0, 0))": "named twice",
}


@pytest.mark.parametrize("expression", MISTAKES)
def test_mistakes(expression, tmp_path):
    with pytest.raises(KernelError, match=MISTAKES[expression]):
        compiled(
            f"""
            def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
                y[:] = {expression}
            """,
            tmp_path,
        )


@pytest.mark.parametrize("axes", list(itertools.combinations(range(4), 2)))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_transpose_of_any_two_axes(axes, layout, tmp_path):
    symbols = ["B", "S", "M", "N"]
    transposed = list(symbols)
    transposed[axes[0]], transposed[axes[1]] = transposed[axes[1]], transposed[axes[0]]
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[B, S, M, N], pl.FP32], y: pl.Out[pl.Tensor[[{", ".join(transposed)}], pl.FP32]]):
            y[:] = pl.transpose(x, {axes[0]}, {axes[1]}) + 0.5
        """,
        tmp_path,
    )
    for shape in [(1, 1, 1, 1), (2, 3, 17, 33), (0, 2, 3, 4), (3, 17, 2, 1)]:
        x = layout(numbers(*shape))
        wanted = x.swapaxes(*axes) + np.float32(0.5)
        y = np.zeros(wanted.shape, np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2), (-1, 0)])
def test_reductions_over_several_axes(axes, keeps, tmp_path):
    shape = ["B", "M", "N"]
    left = [("1" if i in axes or i - 3 in axes else s) for i, s in enumerate(shape)]
    if not keeps:
        # One number is stored in a tensor of one element: tensors have at least one axis.
        left = [s for s in left if s != "1"] or ["1"]
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[B, M, N], pl.FP16], y: pl.Out[pl.Tensor[[{", ".join(left)}], pl.FP16]],
              z: pl.Out[pl.Tensor[[{", ".join(left)}], pl.FP16]]):
            y[:] = pl.sum(x, axis={axes}, keepdims={keeps})
            z[:] = pl.max(x, axis={axes}, keepdims={keeps})
        """,
        tmp_path,
    )
    for sizes in [(1, 1, 1), (2, 17, 33), (3, 1, 600), (17, 3, 2)]:
        x = numbers(*sizes, dtype=np.float16)
        y = np.zeros(x.sum(axis=axes, keepdims=keeps).shape or 1, np.float16)
        z = np.zeros_like(y)
        kernel(x, y, z)
        np.testing.assert_array_equal(y, x.astype(np.float32).sum(axis=axes, keepdims=keeps).astype(np.float16))
        np.testing.assert_array_equal(z, x.max(axis=axes, keepdims=keeps))


def test_rows_and_columns_of_any_rank(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[B, M, N], pl.FP32], v: pl.Tensor[[N], pl.FP32], r: pl.Out[pl.Tensor[[B, M, 1], pl.FP32]],
              c: pl.Out[pl.Tensor[[B, 1, N], pl.FP32]], s: pl.Out[pl.Tensor[[1], pl.FP32]]):
            r[:] = pl.row_sum(x)
            c[:] = pl.col_max(x)
            s[:] = pl.row_min(v)
        """,
        tmp_path,
    )
    for b, m, n in [(1, 1, 1), (2, 3, 5), (0, 2, 7), (3, 17, 600)]:
        x, v = numbers(b, m, n), numbers(n)
        r, c, s = np.zeros((b, m, 1), np.float32), np.zeros((b, 1, n), np.float32), np.zeros(1, np.float32)
        kernel(x, v, r, c, s)
        np.testing.assert_allclose(r, x.sum(axis=-1, keepdims=True), rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(c, x.max(axis=-2, keepdims=True))
        np.testing.assert_array_equal(s, [v.min()])
