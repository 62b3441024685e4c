# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions, parameters and calls in the forms that kernels of other systems use, from Python and the command line."""

import numpy as np
import pytest
from test_results import kernel, numbers, run_command

import tegula

VARIANTS = {
    "an output is assigned": """
    @pl.jit
    def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.mul(x, 2.0)
        return y
    """,
    "a kernel calls a kernel": """
    @pl.jit
    def twice(x: pl.Tensor[[N, 4], pl.FP32], y: pl.Out[pl.Tensor[[N, 4], pl.FP32]]):
        y[:] = x * 2.0

    @pl.jit
    def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        twice(x, y)
    """,
    "a graph is a helper": """
    @pl.jit.graph
    def twice(x, y: pl.Out[pl.Tensor]):
        y[:] = x * 2.0
        return y

    @pl.jit
    def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        y = twice(x, y)
    """,
    "an output of a helper is left out": """
    @pl.jit.incore
    def copy(x: pl.Tensor[[N, 4], pl.FP32], y: pl.Out[pl.Tensor[[N * 2 - N, 4], pl.FP32]]):
        y[:] = x
        return y

    @pl.jit
    def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        t = copy(x)
        y[:] = t + copy(x=t)
    """,
    "an output is reshaped there and back": """
    @pl.jit.inline
    def twice(x, y: pl.Out[pl.Tensor[[N, 4], pl.FP32]]):
        flat = pl.reshape(y, [N * 2, 2])
        flat[:] = pl.reshape(x, [N * 2, 2]) * 2.0
        y = pl.reshape(flat, [N, 4])
        return y

    @pl.jit
    def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        y = twice(x, y)
        return y
    """,
    "a symbol has the name of its variable": """
    Q = pl.dynamic()

    @pl.jit
    def k(x: pl.Tensor[[Q, 4], pl.FP32], y: pl.Out[pl.Tensor[[Q, 4], pl.FP32]]):
        y[:] = x * 2.0
    """,
    "a tile is an output of a helper": """
    @pl.jit.incore
    def twice(a: pl.Tile[[16, 4], pl.FP32], o: pl.Out[pl.Tile[[16, 4], pl.FP32]]):
        o[0:16, 0:4] = a * 2.0
        return o

    @pl.jit
    def k(x: pl.Tensor[[M, 4], pl.FP32], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        for i in pl.range(0, M, 16):
            o = pl.create_tile([16, 4], dtype=pl.FP32)
            o = twice(pl.load(x, [i, 0], [16, 4]), o)
            pl.store(o, [i, 0], y)
    """,
    "a view of a parameter keeps its layout": """
    @pl.jit
    def k(
        x: pl.Tensor[[M, 4], pl.FP32, pl.TensorView(stride=[4, 1], layout=pl.TensorLayout.ND)],
        y: pl.Out[pl.Tensor[[M, 4], pl.FP32]],
    ):
        y[:] = x * 2.0
    """,
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_doubles_at_every_size(variant, tmp_path):
    k = kernel(VARIANTS[variant])
    for m in (0, 1, 15, 16, 33, 200):
        x = numbers(m, 4)
        np.testing.assert_array_equal(k(x), x * 2)
    (y,) = run_command(VARIANTS[variant], tmp_path, ["y"], name="k", x=numbers(33, 4))
    np.testing.assert_array_equal(y, numbers(33, 4) * 2)


def test_a_helper_of_constant_extents_takes_tensors_of_that_size(tmp_path):
    text = """
    @pl.jit.inline
    def twice(x: pl.Tensor[[16, N], pl.FP32], y: pl.Out[pl.Tensor[[16, N], pl.FP32]]):
        t = pl.full([16, 1], pl.FP32, 2.0)
        y[:] = x * t
        return y

    @pl.jit
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        y = twice(x, y)
        return y
    """
    k = kernel(text)
    for n in (0, 1, 33):
        np.testing.assert_array_equal(k(numbers(16, n)), numbers(16, n) * 2)
    for m in (0, 15, 17):
        with pytest.raises(tegula.CallError, match=f"needs M == 16, but M is {m}"):
            k(numbers(m, 3))
    (y,) = run_command(text, tmp_path, ["y"], x=numbers(16, 3))
    np.testing.assert_array_equal(y, numbers(16, 3) * 2)


def test_of_a_parameter_only_the_valid_shape_is_seen(tmp_path):
    text = """
    @pl.jit
    def k(
        x: pl.Tensor[[M, 8], pl.FP32, pl.TensorView(valid_shape=[N, 3])],
        like: pl.Tensor[[N], pl.FP32],
        y: pl.Out[pl.Tensor[[N, 1], pl.FP32]],
    ):
        y[:] = pl.row_sum(x)
    """
    k = kernel(text)
    for m, n in [(0, 0), (5, 2), (40, 40)]:
        x = numbers(m, 8)
        np.testing.assert_array_equal(k(x, numbers(n)), x[:n, :3].sum(axis=1, keepdims=True))
    (y,) = run_command(text, tmp_path, ["y"], x=numbers(9, 8), like=numbers(4))
    np.testing.assert_array_equal(y, numbers(9, 8)[:4, :3].sum(axis=1, keepdims=True))


def test_a_stub_hands_its_output_back_as_it_was(tmp_path):
    text = """
    @pl.jit.incore
    def begin(o: pl.Out[pl.Tensor[[N], pl.FP32]]):
        return o

    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y = begin(y)
        y[:] = x
    """
    k = kernel(text)
    with pytest.warns(tegula.KernelWarning, match="'o' is declared pl.Out and handed back without being written"):
        np.testing.assert_array_equal(k(numbers(7)), numbers(7))
    (y,) = run_command(text, tmp_path, ["y"], x=numbers(5))
    np.testing.assert_array_equal(y, numbers(5))


def test_symbols_of_one_name_are_distinguished_by_their_files(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text('import tegula.language as pl\nT = pl.dynamic("T")\n')
    text = """
    from one import T as T1
    from two import T as T2

    @pl.jit
    def k(x: pl.Tensor[[T1], pl.FP32], z: pl.Tensor[[T2], pl.FP32], y: pl.Out[pl.Tensor[[T1, T2 * 2], pl.FP32]]):
        y[:, 0:T2] = pl.reshape(x, [T1, 1]) + pl.reshape(z, [1, T2])
        y[:, T2 : T2 * 2] = pl.reshape(x, [T1, 1]) - pl.reshape(z, [1, T2])
    """
    for m, n in [(1, 1), (3, 5), (20, 7)]:
        x, z = numbers(m, 1), numbers(1, n)
        (y,) = run_command(text, tmp_path, ["y"], x=x[:, 0], z=z[0])
        np.testing.assert_array_equal(y, np.concatenate([x + z, x - z], axis=1))
