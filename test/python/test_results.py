# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel returns that is none of its parameters, from Python and from the command line."""

import os
import pathlib
import subprocess
import textwrap

import numpy as np
import pytest
from captured import run_text

import tegula
import tegula.language as pl

SIZES = [(0, 3), (1, 1), (7, 16), (8, 5), (33, 64), (130, 1)]
BIN = pathlib.Path(os.environ.get("TEGULA_BIN", pathlib.Path(__file__).parents[2] / "build" / "bin"))


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).integers(-9, 10, shape).astype(np.float32)


def kernel(text: str, name: str = "k"):
    """The kernel of a text in which M and N are symbols."""
    symbols = 'M = pl.dynamic("M")\nN = pl.dynamic("N")\n'
    return run_text(symbols + textwrap.dedent(text), pl=pl)[name]


def run_command(
    text: str, folder: pathlib.Path, outputs: list[str], name: str = "", **arrays: np.ndarray
) -> list[np.ndarray]:
    """The outputs of the same kernel when `tegula run` calls it; they agree with the reference interpreter."""
    path = folder / "k.py"
    symbols = 'import tegula.language as pl\nM = pl.dynamic("M")\nN = pl.dynamic("N")\n'
    path.write_text(symbols + textwrap.dedent(text))
    command = [str(BIN / "tegula"), "run", f"{path}:{name}" if name else str(path), "--check"]
    for argument, array in arrays.items():
        np.save(folder / f"{argument}.npy", array)
        command += ["--in", f"{argument}={folder / argument}.npy"]
    for output in outputs:
        command += ["--out", f"{output}={folder / output}.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return [np.load(folder / f"{output}.npy") for output in outputs]


RETURNED = {
    "a tile": ("return x + 1.0", lambda x: x + 1),
    "a tensor it made": (
        "r = pl.create_tensor([M, N], dtype=pl.FP32)\n    r[:] = x * 2.0\n    return r",
        lambda x: x * 2,
    ),
    "an input": ("return x", lambda x: x),
    "a part": ("return x[0 : M // 2, :]", lambda x: x[: len(x) // 2]),
    "a column": ("return pl.row_sum(x)", lambda x: x.sum(axis=1, keepdims=True)),
    "what a helper made": ("return made(x)", lambda x: x - 1),
    "one of two": (
        "if M > 7:\n        r = x + 1.0\n    else:\n        r = x - 1.0\n    return r",
        lambda x: x + 1 if len(x) > 7 else x - 1,
    ),
}

HELPER = """
    @pl.jit.incore
    def made(x):
        r = pl.create_tensor([x.shape[0], x.shape[1]], dtype=pl.FP32)
        r[:] = x - 1.0
        return r

    @pl.jit
    def k(x: pl.Tensor[[M, N], pl.FP32]):
        """


@pytest.mark.parametrize("what", RETURNED)
def test_a_value_is_returned_at_every_size(what, tmp_path):
    body, reference = RETURNED[what]
    text = HELPER + body.replace("\n", "\n    ")
    k = kernel(text)
    for m, n in SIZES:
        x = numbers(m, n)
        result = k(x)
        assert isinstance(result, np.ndarray) and result is not x
        np.testing.assert_array_equal(result, reference(x))
    assert k.compile_count <= 1
    (printed,) = run_command(text, tmp_path, ["result"], x=numbers(33, 5))
    np.testing.assert_array_equal(printed, reference(numbers(33, 5)))


def test_several_values_and_an_output_are_returned_in_order(tmp_path):
    text = """
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = x * 3.0
        r = pl.create_tensor([2, M], dtype=pl.FP32)
        r[0, :] = x
        r[1, :] = x + 1.0
        return r, y, r, M
    """
    k = kernel(text)
    for m in (0, 1, 9, 100):
        x = numbers(m)
        first, y, again, size = k(x)
        np.testing.assert_array_equal(first, np.stack([x, x + 1]))
        np.testing.assert_array_equal(again, first)
        np.testing.assert_array_equal(y, x * 3)
        assert size == m and size.dtype == np.int64
    first, size = run_command(text, tmp_path, ["result0", "result2"], x=numbers(5))
    np.testing.assert_array_equal(first, np.stack([numbers(5), numbers(5) + 1]))
    assert size == 5


def test_the_caller_may_bring_the_memory():
    k = kernel("""
    @pl.jit
    def k(x: pl.Tensor[[M, 4], pl.FP32]) -> pl.Tensor[[M // 2, 4], pl.FP32]:
        return x[0 : M // 2, :] * 2.0
    """)
    x, wide = numbers(9, 4), np.zeros((4, 8), np.float32)
    assert k(x, result=wide[:, ::2]) is not None
    np.testing.assert_array_equal(wide[:, ::2], x[:4] * 2)
    with pytest.raises(tegula.CallError, match=r"argument 'result': .*M // 2"):
        k(x, result=np.zeros((5, 4), np.float32))


def test_a_result_of_another_type_than_declared_is_an_error():
    k = kernel("""
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32]) -> pl.Tensor[[M], pl.FP16]:
        return x + 1.0
    """)
    with pytest.raises(tegula.CompileError, match="the result is declared as a tensor of FP16"):
        k(numbers(3))


def test_the_program_class_finds_out_what_is_written(tmp_path):
    text = """
    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.InCore)
        def add_one(self, x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[M], pl.FP32]):
            y = pl.store(pl.load(x, [0], [8]) + 1.0, [0], y)
            return y

        @pl.function
        def main(self, x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[M], pl.FP32]) -> pl.Tensor[[M], pl.FP32]:
            y = self.add_one(x, y)
            return y
    """
    k = kernel(text, "P")
    for m in (0, 1, 8, 20):
        x, y = numbers(m), np.full(m, 50, np.float32)
        wanted = y.copy()
        wanted[:8] = x[:8] + 1
        assert k(x, y) is y
        np.testing.assert_array_equal(y, wanted)
    (y,) = run_command(text, tmp_path, ["y"], x=numbers(9), y=np.zeros(9, np.float32))
    np.testing.assert_array_equal(y, np.append(numbers(9)[:8] + 1, 0))


def test_a_tensor_that_a_kernel_writes_without_saying_so_is_written(tmp_path):
    text = """
    @pl.jit.inline
    def put(row: pl.Scalar[pl.INT32], cache: pl.Tensor[[M, 4], pl.FP32]):
        cache = pl.assemble(cache, pl.full([1, 4], dtype=pl.FP32, value=7.0), [row, 0])
        return cache

    @pl.jit
    def k(cache: pl.Tensor[[M, 4], pl.FP32], z: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
        put(1, cache)
        z[:] = cache
    """
    k, cache = kernel(text), np.zeros((3, 4), np.float32)
    with pytest.warns(tegula.KernelWarning, match="'cache' is written and has no direction; it is taken for pl.InOut"):
        z = k(cache)
    np.testing.assert_array_equal(cache, [[0] * 4, [7] * 4, [0] * 4])
    np.testing.assert_array_equal(z, cache)
    read_only = np.zeros((3, 4), np.float32)
    read_only.flags.writeable = False
    with pytest.raises(tegula.CallError, match="argument 'cache': it is read-only, but the kernel writes it"):
        k(read_only)
    (written,) = run_command(text, tmp_path, ["cache"], cache=np.zeros((2, 4), np.float32))
    np.testing.assert_array_equal(written, [[0] * 4, [7] * 4])


def test_a_kernel_with_open_parameters_asks_for_annotations():
    k = kernel("""
    @pl.jit
    def k(x):
        return x + 1.0
    """)
    with pytest.raises(tegula.CompileError, match="'k' returns what is none of its parameters; annotate all of them"):
        k(numbers(3))


def test_numbers_of_the_call_say_how_long_a_result_is():
    k = kernel("""
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.INT64], i: pl.Scalar[pl.INDEX]):
        r = pl.create_tensor([n, M * i + 1], dtype=pl.FP32)
        r[:] = 3.0
        return r, x[0:i] * 2.0
    """)
    for n, i in ((0, 0), (4, 3), (100, 2)):
        filled, part = k(numbers(3), n, i)
        np.testing.assert_array_equal(filled, np.full((n, 3 * i + 1), 3.0))
        np.testing.assert_array_equal(part, numbers(3)[:i] * 2)
    assert k.compile_count == 1


def test_an_output_cannot_have_less_than_no_elements():
    k = kernel("""
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M - 5], pl.FP32]]):
        y[:] = x[5:]
    """)
    np.testing.assert_array_equal(k(numbers(9)), numbers(9)[5:])
    with pytest.raises(tegula.CallError, match="argument 'y': M - 5 comes to -2; an extent cannot be negative"):
        k(numbers(3))


def test_sizes_of_results_are_solved_for():
    """Symbols that stand in sums and products only."""
    M, N = pl.dynamic("M"), pl.dynamic("N")

    @pl.jit
    def halves(x: pl.Tensor[[2 * M + 1], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]) -> None:
        y[:] = x[0:M]

    @pl.jit
    def shorter(
        x: pl.Tensor[[M + 1, N], pl.FP32], z: pl.Tensor[[M * N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]
    ) -> None:
        y[:] = x[0:M, :]

    for size in (0, 1, 5):
        x = np.arange(2 * size + 1, dtype="f")
        np.testing.assert_array_equal(halves(x), x[:size])
        x = np.ones((size + 1, 3), "f")
        assert shorter(x, np.ones(size * 3, "f")).shape == (size, 3)
    with pytest.raises(tegula.CallError):
        halves(np.ones(4, "f"))
    with pytest.raises(tegula.CallError):
        shorter(np.ones((3, 3), "f"), np.ones(5, "f"))
