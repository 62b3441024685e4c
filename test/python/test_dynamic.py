# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dynamic dimensions from Python: required behaviours A1 to A10."""

import ml_dtypes
import numpy as np
import pytest
from captured import run_text

import tegula
import tegula.language as pl

M = pl.dynamic("M")
HIDDEN = 48
SIZES = [0, 1, 5, 63, 64, 65]


def random(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32)


def variants(kernel):
    return [variant.signature for variant in kernel.variants]


def test_a1_axes_are_integers_or_symbols_with_their_literal():
    rows = pl.dynamic("R")

    @pl.jit
    def k(x: pl.Tensor[[rows, 4], pl.FP32], out: pl.Out[pl.Tensor[[rows, 4], pl.FP32]]):
        out[:] = x + 1.0

    k(random(3, 4))
    assert k.signature == "k(x: Tensor[[R, 4], FP32], out: Out[Tensor[[R, 4], FP32]])"
    assert variants(k) == [k.signature]


def test_a2_an_axis_that_only_a_helper_declares_is_dynamic_everywhere():
    @pl.jit.incore
    def leaf(x: pl.Tensor[[M, HIDDEN], pl.FP32]):
        return x * 2.0

    @pl.jit.inline
    def middle(x):
        y = x
        return leaf(y)

    @pl.jit
    def k(x, out: pl.Out[pl.Tensor]):
        out[:] = middle(x)

    for size in SIZES:
        x = random(size, HIDDEN)
        out = np.zeros_like(x)
        k(x, out)
        np.testing.assert_array_equal(out, x * 2)
    assert len(k.variants) == 1, variants(k)


@pytest.mark.parametrize("is_dynamic", [True, False])
def test_a3_locals_made_from_an_extent_and_passed_through_a_helper(is_dynamic):
    rows = M if is_dynamic else 5

    @pl.jit.inline
    def layer(hidden_states, next_buf):
        next_buf[:] = hidden_states + 1.0
        return next_buf

    @pl.jit
    def k(hidden_states: pl.Tensor[[rows, HIDDEN], pl.BF16], out: pl.Out[pl.Tensor[[rows, HIDDEN], pl.BF16]]):
        tokens = pl.tensor.dim(hidden_states, 0)
        current = pl.create_tensor([tokens, HIDDEN], dtype=pl.BF16)
        next_buf = pl.create_tensor([tokens, HIDDEN], dtype=pl.BF16)
        current[:] = hidden_states
        current = layer(current, next_buf)
        other = pl.create_tensor([tokens, HIDDEN], dtype=pl.BF16)
        current = layer(current, other)
        out[:] = current

    for size in SIZES if is_dynamic else [5]:
        x = np.round(random(size, HIDDEN) * 8).astype(ml_dtypes.bfloat16)
        np.testing.assert_array_equal(k(x), x + ml_dtypes.bfloat16(2))
    assert len(k.variants) == 1


def test_a4_a_symbol_in_an_expression_is_the_extent():
    @pl.jit
    def k(x: pl.Tensor[[M, HIDDEN], pl.FP32], out: pl.Out[pl.Tensor[[M, HIDDEN], pl.FP32]]):
        buffer = pl.create_tensor([M, HIDDEN], dtype=pl.FP32)
        rows, columns = x.shape
        for i in pl.range(M):
            buffer[i : i + 1, :] = x[i : i + 1, :] + pl.cast(M * 2 - rows + x.shape[1] - columns, pl.FP32)
        out[:] = buffer

    for size in SIZES:
        x = random(size, HIDDEN)
        np.testing.assert_array_equal(k(x), x + np.float32(size))


def test_a5_closures_come_before_globals_and_may_be_bound_late():
    HIDDEN = 3

    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = helper(x) + HIDDEN

    with pytest.raises(tegula.CompileError, match="the variable 'helper' of the enclosing function has no value yet"):
        k(random(2))

    @pl.jit.inline
    def helper(x):
        return x * 2.0

    np.testing.assert_array_equal(k(random(2)), random(2) * 2 + 3)


def test_a6_rebinding_and_chained_assignment():
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]], sizes: pl.Out[pl.Tensor[[3], pl.INT32]]):
        t = pl.tensor.dim(x, 0)
        t = t - 1
        a = b = pl.tensor.dim(x, 0)
        short = pl.create_tensor([t], dtype=pl.FP32)
        short[:] = x[0:t] * 2.0
        out[:] = x
        out[0:t] = short
        sizes[0] = pl.cast(pl.tensor.dim(short, 0), pl.INT32)
        sizes[1] = pl.cast(a, pl.INT32)
        sizes[2] = pl.cast(b, pl.INT32)

    for size in [1, 2, 65]:
        x = random(size)
        out, sizes = k(x)
        np.testing.assert_array_equal(out, np.append(x[:-1] * 2, x[-1:]))
        assert list(sizes) == [size - 1, size, size]


@pytest.mark.parametrize(
    "line", ["n = pl.tensor.dim(x, 2)", "n = x.shape[2]", "x.bind_dynamic(2, M)", "n = pl.tensor.dim(x, -3)"]
)
def test_a7_an_axis_out_of_range_has_a_caret(line):
    k = run_text(
        f"""
        M = pl.dynamic("M")

        @pl.jit
        def k(x: pl.Tensor[[M, 4], pl.FP32], out: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
            {line}
            out[:] = x
        """,
        pl=pl,
    )["k"]
    with pytest.raises(tegula.CompileError, match="out of range") as caught:
        k(random(3, 4))
    assert caught.value.line == 6
    assert line in str(caught.value) and "^" in str(caught.value)


def test_a8_provenance_survives_temporaries_helpers_branches_and_loops():
    @pl.jit.inline
    def pair(x):
        rows, columns = x.shape
        return (rows, columns), rows

    @pl.jit
    def k(x: pl.Tensor[[M, HIDDEN], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[M, HIDDEN], pl.FP32]]):
        (rows, columns), again = pair(x)
        size = rows
        for _ in pl.range(n):
            size = again
        if n > 1:
            size = rows
        else:
            size = again
        t = size
        buffer = pl.create_tensor([t, columns], dtype=pl.FP32)
        buffer[:] = x + 1.0
        out[:] = buffer

    for size in SIZES:
        for n in (0, 3):
            x = random(size, HIDDEN)
            np.testing.assert_array_equal(k(x, n), x + 1)
    assert len(k.variants) == 1


def test_a9_a_symbol_made_in_the_body():
    @pl.jit
    def k(x, out: pl.Out[pl.Tensor]):
        rows = pl.dynamic("M")
        x.bind_dynamic(0, rows)
        out.bind_dynamic(0, rows)
        for i in pl.range(rows):
            out[i] = x[i] * 2.0

    for size in SIZES:
        x = random(size)
        out = np.zeros_like(x)
        k(x, out)
        np.testing.assert_array_equal(out, x * 2)
    assert variants(k) == ["k(x: Tensor[[M], FP32], out: Out[Tensor[[M], FP32]])"]


def test_a10_two_symbols_of_one_name_are_two():
    k = run_text(
        """
        first = pl.dynamic("M")
        second = pl.dynamic("M")

        @pl.jit
        def k(
            x: pl.Tensor[[first], pl.FP32],
            y: pl.Tensor[[second], pl.FP32],
            out: pl.Out[pl.Tensor[[first + second // 2], pl.FP32]],
        ):
            out[0:first] = x
            out[first : first + second // 2] = y[0 : second // 2]
        """,
        pl=pl,
    )["k"]
    for m, n in [(0, 0), (3, 7), (7, 3), (40, 1)]:
        x, y = random(m), random(n)
        np.testing.assert_array_equal(k(x, y), np.concatenate([x, y[: n // 2]]))
    assert "Tensor[[M of <kernel text>:3], FP32]" in k.signature


def test_a_called_function_has_symbols_of_its_own():
    """Whatever the variables are called that stand for them."""

    def make():
        M = pl.dynamic("COLUMNS")

        @pl.jit.inline
        def double(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            for i in pl.parallel(0, M, 8):
                out[i : i + 8] = x[i : i + 8] * 2.0

        return double

    double = make()
    N = pl.dynamic("N")

    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[N], pl.FP32], out: pl.Out[pl.Tensor[[M + N], pl.FP32]]):
        double(x, out[0:M])
        double(y, out[M : M + N])

    for m, n in [(0, 0), (3, 17), (100, 1)]:
        x, y = random(m), random(n)
        np.testing.assert_array_equal(k(x, y), np.concatenate([x, y]) * 2)
