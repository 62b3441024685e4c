# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls of every rank against NumPy: batches, broadcasts, vectors, accumulators, narrow types."""

import itertools
import pathlib
import textwrap

import ml_dtypes
import numpy as np
import pytest
from tegula_library import Kernel, KernelError

HEADER = """
import tegula.language as pl

B = pl.dynamic("B")
H = pl.dynamic("H")
M = pl.dynamic("M")
K = pl.dynamic("K")
N = pl.dynamic("N")


@pl.jit
"""


def compiled(text: str, folder: pathlib.Path) -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path)


def numbers(*shape: int, dtype=np.float32) -> np.ndarray:
    rng = np.random.default_rng(sum(shape) + len(shape))
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return (rng.integers(-8, 9, shape) / 4).astype(dtype)


def strided(array: np.ndarray) -> np.ndarray:
    """The same numbers, every second element of a larger array."""
    larger = np.zeros([2 * extent for extent in array.shape], array.dtype)
    view = larger[tuple(slice(None, None, 2) for _ in array.shape)]
    view[...] = array
    return view


SIZES = list(itertools.product([0, 1, 3], [1, 17], [0, 5], [1, 33])) + [(2, 65, 257, 129)]


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray, strided])
def test_batches(layout, tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[B, M, K], pl.FP32], b: pl.Tensor[[B, K, N], pl.FP32],
              y: pl.Out[pl.Tensor[[B, M, N], pl.FP32]]):
            y[:] = pl.matmul(a, b)
        """,
        tmp_path,
    )
    for batch, m, k, n in SIZES:
        a, b = layout(numbers(batch, m, k)), layout(numbers(batch, k, n))
        y = layout(np.full((batch, m, n), 7, np.float32))
        kernel(a, b, y)
        np.testing.assert_allclose(y, a @ b, rtol=1e-5)
    assert kernel.compile_count == 1


VARIANTS = {
    "both": ("[B, H, M, K]", "[B, H, K, N]", lambda b, h, m, k, n: ((b, h, m, k), (b, h, k, n))),
    "plain right": ("[B, H, M, K]", "[K, N]", lambda b, h, m, k, n: ((b, h, m, k), (k, n))),
    "plain left": ("[M, K]", "[B, H, K, N]", lambda b, h, m, k, n: ((m, k), (b, h, k, n))),
    "ones": ("[B, 1, M, K]", "[1, H, K, N]", lambda b, h, m, k, n: ((b, 1, m, k), (1, h, k, n))),
    "fewer": ("[H, M, K]", "[B, 1, K, N]", lambda b, h, m, k, n: ((h, m, k), (b, 1, k, n))),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("transposes", [(False, False), (True, False), (False, True), (True, True)])
def test_broadcast_batches(variant, transposes, tmp_path):
    left, right, shapes = VARIANTS[variant]
    kernel = compiled(
        f"""
        def k(a: pl.Tensor[{left if not transposes[0] else left.replace("M, K", "K, M")}, pl.FP32],
              b: pl.Tensor[{right if not transposes[1] else right.replace("K, N", "N, K")}, pl.FP32],
              y: pl.Out[pl.Tensor[[B, H, M, N], pl.FP32]]):
            y[:] = pl.matmul(a, b, a_trans={transposes[0]}, b_trans={transposes[1]})
        """,
        tmp_path,
    )
    for sizes in [(1, 1, 1, 1, 1), (2, 3, 4, 5, 6), (0, 2, 3, 3, 3), (2, 0, 3, 3, 3), (3, 2, 17, 64, 65)]:
        a, b = (numbers(*shape) for shape in shapes(*sizes))
        y = np.zeros((*sizes[:3], sizes[4]), np.float32)
        kernel(
            np.ascontiguousarray(a.swapaxes(-1, -2)) if transposes[0] else a,
            np.ascontiguousarray(b.swapaxes(-1, -2)) if transposes[1] else b,
            y,
        )
        np.testing.assert_allclose(y, a @ b, rtol=1e-5, err_msg=str(sizes))


VECTORS = {
    "row": ("[K]", "[K, N]", "[N]", lambda b, m, k, n: ((k,), (k, n))),
    "column": ("[M, K]", "[K]", "[M]", lambda b, m, k, n: ((m, k), (k,))),
    "row by batches": ("[K]", "[B, K, N]", "[B, N]", lambda b, m, k, n: ((k,), (b, k, n))),
    "batches by column": ("[B, M, K]", "[K]", "[B, M]", lambda b, m, k, n: ((b, m, k), (k,))),
}


@pytest.mark.parametrize("variant", VECTORS)
def test_vectors(variant, tmp_path):
    left, right, result, shapes = VECTORS[variant]
    kernel = compiled(
        f"""
        def k(a: pl.Tensor[{left}, pl.FP32], b: pl.Tensor[{right}, pl.FP32],
              y: pl.Out[pl.Tensor[{result}, pl.FP32]]):
            y[:] = a @ b
        """,
        tmp_path,
    )
    for sizes in [(1, 1, 1, 1), (2, 3, 5, 7), (3, 33, 0, 31), (0, 4, 4, 4), (2, 65, 300, 129)]:
        a, b = (numbers(*shape) for shape in shapes(*sizes))
        y = np.full((a @ b).shape, 7, np.float32)
        kernel(a, b, y)
        np.testing.assert_allclose(y, a @ b, rtol=1e-5)


def test_sum_over_steps(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[B, M, K], pl.BF16], b: pl.Tensor[[B, K, N], pl.BF16],
              y: pl.Out[pl.Tensor[[B, M, N], pl.FP32]]):
            acc = pl.full([B, M, N], dtype=pl.FP32, value=1.0)
            for j in pl.range(0, K, 16):
                acc = pl.batch_matmul_acc(acc, a[:, :, j : j + 16], b[:, j : j + 16, :])
            y[:] = acc
        """,
        tmp_path,
    )
    for batch, m, k, n in SIZES:
        a, b = numbers(batch, m, k, dtype=ml_dtypes.bfloat16), numbers(batch, k, n, dtype=ml_dtypes.bfloat16)
        y = np.zeros((batch, m, n), np.float32)
        kernel(a, b, y)
        np.testing.assert_allclose(y, 1 + a.astype(np.float32) @ b.astype(np.float32), rtol=1e-5)


def test_tiles_of_batches(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[B, M, 16], pl.FP32], b: pl.Tensor[[B, 16, N], pl.FP32],
              y: pl.Out[pl.Tensor[[B, M, N], pl.FP32]]):
            for i in pl.parallel(0, B, 2):
                for j in pl.range(0, M, 8):
                    s = pl.exp(pl.load(a, [i, j, 0], [2, 8, 16]))
                    for c in pl.range(0, N, 32):
                        t = pl.matmul(s, b[i : i + 2, :, c : c + 32])
                        pl.store(t + t * t, [i, j, c], y)
        """,
        tmp_path,
    )
    for batch, m, n in itertools.product([0, 1, 2, 5], [1, 8, 11], [1, 31, 65]):
        a, b = numbers(batch, m, 16), numbers(batch, 16, n)
        y = np.zeros((batch, m, n), np.float32)
        kernel(a, b, y)
        t = np.exp(a) @ b
        np.testing.assert_allclose(y, t + t * t, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
@pytest.mark.parametrize("shape", ["[M, K]", "[B, M, K]"])
def test_bytes(dtype, shape, tmp_path):
    other = shape.replace("M, K", "K, N")
    result = shape.replace("M, K", "M, N")
    name = dtype.__name__.upper()
    kernel = compiled(
        f"""
        def k(a: pl.Tensor[{shape}, pl.{name}], b: pl.Tensor[{other}, pl.{name}],
              y: pl.Out[pl.Tensor[{result}, pl.INT32]]):
            y[:] = pl.matmul(a, b)
        """,
        tmp_path,
    )
    for batch, m, k, n in SIZES:
        lead = (batch,) if "B" in shape else ()
        a, b = numbers(*lead, m, k, dtype=dtype), numbers(*lead, k, n, dtype=dtype)
        y = np.zeros((*lead, m, n), np.int32)
        kernel(a, b, y)
        np.testing.assert_array_equal(y, a.astype(np.int32) @ b.astype(np.int32))


def test_more_steps_than_32_bits_count(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[M, K], pl.INT8], b: pl.Tensor[[N, K], pl.INT8], y: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
            y[:, :] = pl.matmul(a, b, b_trans=True)
        """,
        tmp_path,
    )
    # Memory that nobody wrote takes no place.
    a = np.zeros((1, 2**31 + 100), np.int8)
    a[0, [0, 1, 99, 100, 2**31, -1]] = [1, 2, 3, 4, 5, 6]
    y = np.zeros((1, 1), np.int32)
    kernel(a, a, y)
    assert y == 1 + 4 + 9 + 16 + 25 + 36


def test_rounds_once_to_the_type_asked_for(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[B, M, K], pl.FP16], b: pl.Tensor[[K, N], pl.FP16],
              y: pl.Out[pl.Tensor[[B, M, N], pl.FP16]]):
            y[:] = pl.matmul(a, b, out_dtype=pl.FP16)
        """,
        tmp_path,
    )
    a, b = numbers(2, 9, 300, dtype=np.float16), numbers(300, 33, dtype=np.float16)
    y = np.zeros((2, 9, 33), np.float16)
    kernel(a, b, y)
    np.testing.assert_array_equal(y, (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16))


def test_matmul_that_overwrites_its_operand(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.InOut[pl.Tensor[[B, M, M], pl.FP32]]):
            x[:] = pl.matmul(x, x)
        """,
        tmp_path,
    )
    x = numbers(3, 33, 33)
    wanted = x @ x
    kernel(x)
    np.testing.assert_allclose(x, wanted, rtol=1e-5)


def test_inner_extents_that_differ_at_run_time(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[M, 32], pl.FP32], b: pl.Tensor[[32, N], pl.FP32], p: pl.Scalar[pl.INDEX],
              q: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.range(0, M, 8):
                for j in pl.range(0, N, 16):
                    left = pl.set_validshape(pl.load(a, [i, 0], [8, 32]), 8, p)
                    right = pl.set_validshape(pl.load(b, [0, j], [32, 16]), q, 16)
                    pl.store(pl.matmul(left, right), [i, j], y)
        """,
        tmp_path,
    )
    a, b = numbers(13, 32), numbers(32, 19)
    for p, q in itertools.product([0, 1, 7, 31, 32], repeat=2):
        y = np.zeros((13, 19), np.float32)
        kernel(a, b, p, q, y)
        np.testing.assert_allclose(y, a[:, : min(p, q)] @ b[: min(p, q)], rtol=1e-5)


def test_a_sum_that_starts_anew_is_not_cut_to_what_was_there(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[8, 16], pl.FP32], b: pl.Tensor[[16, 16], pl.FP32], rows: pl.Scalar[pl.INDEX],
              fresh: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[8, 16], pl.FP32]]):
            acc = pl.set_validshape(pl.full([8, 16], dtype=pl.FP32, value=3.0), rows, 16)
            y[:] = pl.full([8, 16], dtype=pl.FP32, value=-1.0)
            t = pl.matmul_acc(acc, pl.load(a, [0, 0], [8, 16]), pl.load(b, [0, 0], [16, 16]), init_cond=fresh == 1)
            pl.store(t, [0, 0], y)
        """,
        tmp_path,
    )
    a, b = numbers(8, 16), numbers(16, 16)
    for rows in [0, 3, 8]:
        y = np.zeros((8, 16), np.float32)
        kernel(a, b, rows, 1, y)
        np.testing.assert_allclose(y, a @ b, rtol=1e-5)
        kernel(a, b, rows, 0, y)
        np.testing.assert_allclose(y[:rows], (3 + a @ b)[:rows], rtol=1e-5)
        np.testing.assert_array_equal(y[rows:], -1)


def test_first_step_overwrites(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.parallel(0, M, 8):
                for j in pl.parallel(0, N, 16):
                    acc = pl.create_tile([8, 16], dtype=pl.FP32)
                    for d in pl.range(0, K, 32):
                        acc = pl.matmul_acc(acc, a[i : i + 8, d : d + 32], b[d : d + 32, j : j + 16], init_cond=d == 0)
                    pl.store(acc, [i, j], y)
        """,
        tmp_path,
    )
    for m, k, n in itertools.product([1, 8, 13], [1, 32, 65], [1, 16, 19]):
        a, b = numbers(m, k), numbers(k, n)
        y = np.zeros((m, n), np.float32)
        kernel(a, b, y)
        np.testing.assert_allclose(y, a @ b, rtol=1e-5)


def test_bias_and_rows(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], bias: pl.Tensor[[1, N], pl.FP32],
              y: pl.Out[pl.Tensor[[M, N], pl.FP32]], r: pl.Out[pl.Tensor[[3, N], pl.FP32]]):
            y[:] = pl.matmul_bias(a, b, bias)
            row = a[0:1, :]
            r[0:1, :] = pl.gemv(pl.full([1, K], dtype=pl.FP32, value=2.0), b)
            fives = pl.full([1, N], dtype=pl.FP32, value=5.0)
            r[1:2, :] = pl.gemv_acc(fives, pl.full([1, K], dtype=pl.FP32, value=1.0), b)
            r[2:3, :] = pl.gemv_bias(pl.full([1, K], dtype=pl.FP32, value=1.0), b, bias)
        """,
        tmp_path,
    )
    for m, k, n in itertools.product([0, 1, 65], [0, 1, 33], [1, 129]):
        a, b, bias = numbers(m, k), numbers(k, n), numbers(1, n)
        y, r = np.zeros((m, n), np.float32), np.zeros((3, n), np.float32)
        kernel(a, b, bias, y, r)
        np.testing.assert_allclose(y, a @ b + bias, rtol=1e-5)
        total = b.sum(axis=0)
        np.testing.assert_allclose(r, [2 * total, 5 + total, total + bias[0]], rtol=1e-5, atol=1e-5)


def test_attention_of_all_heads(tmp_path):
    kernel = compiled(
        """
        def attention(q: pl.Tensor[[B, H, M, K], pl.FP32], k: pl.Tensor[[B, H, N, K], pl.FP32],
              v: pl.Tensor[[B, H, N, K], pl.FP32], y: pl.Out[pl.Tensor[[B, H, M, K], pl.FP32]]):
            s = pl.matmul(q, k, b_trans=True) * 0.5
            e = pl.exp(s - pl.row_max(s))
            y[:] = pl.matmul(e / pl.row_sum(e), v)
        """,
        tmp_path,
    )
    for b, h, m, n, d in [(1, 1, 1, 1, 1), (2, 3, 17, 33, 5), (1, 2, 70, 130, 64)]:
        q, k, v = numbers(b, h, m, d), numbers(b, h, n, d), numbers(b, h, n, d)
        y = np.zeros_like(q)
        kernel(q, k, v, y)
        s = q @ k.swapaxes(-1, -2) / 2
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        np.testing.assert_allclose(y, e / e.sum(axis=-1, keepdims=True) @ v, rtol=1e-4, atol=1e-5)


def test_an_operand_is_what_was_read(tmp_path):
    """Its tensor is overwritten before the loop that multiplies it."""
    kernel = compiled(
        """
        def k(
            a: pl.InOut[pl.Tensor[[32, 32], pl.FP32]],
            b: pl.Tensor[[32, N], pl.FP32],
            y: pl.Out[pl.Tensor[[32, N], pl.FP32]],
        ):
            with pl.at(level=pl.Level.CORE_GROUP):
                t = pl.load(a, [0, 0], [32, 32])
                pl.store(pl.full([32, 32], dtype=pl.FP32, value=0.0), [0, 0], a)
                for j in pl.range(0, N, 64):
                    y[:, j : j + 64] = pl.matmul(t, b[:, j : j + 64])
        """,
        tmp_path,
    )
    a, b = numbers(32, 32), numbers(32, 200)
    wanted, y = a @ b, np.zeros((32, 200), np.float32)
    kernel(a, b, y)
    np.testing.assert_allclose(y, wanted, rtol=1e-5)
    assert not a.any()


MISTAKES = {
    "pl.matmul(a, a[0:1, 0:5, :])": "inner extents",
    "pl.matmul_mx(a, a, a, a)": "E8M0",
    "pl.gemv(a, a)": "one row",
    "pl.matmul_acc(a[0], a, a)": "rank 3",
}


@pytest.mark.parametrize("expression", MISTAKES)
def test_mistakes(expression, tmp_path):
    with pytest.raises(KernelError, match=MISTAKES[expression]):
        compiled(
            f"""
            def k(a: pl.Tensor[[4, 8, 8], pl.FP32], y: pl.Out[pl.Tensor[[4, 8, 8], pl.FP32]]):
                y[:] = {expression}
            """,
            tmp_path,
        )
