# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The JIT from Python: required behaviours B1 to B9."""

import importlib.util
import pathlib
import types

import numpy as np
import pytest
from captured import load_file

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
FACTOR = 2.0
PAIRS = pathlib.Path(__file__).parents[1] / "runtime" / "pairs"


def random(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32)


@pytest.mark.parametrize("kind", ["incore", "inline", "opaque", "host"])
@pytest.mark.parametrize("with_parentheses", [False, True])
def test_b1_kinds_bare_and_with_parentheses(kind, with_parentheses):
    decorator = getattr(pl.jit, kind)
    if with_parentheses:
        decorator = decorator()

    @decorator
    def twice(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = x + x

    @pl.jit()
    def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        twice(x, out)

    np.testing.assert_array_equal(twice(random(5)), random(5) * 2)
    np.testing.assert_array_equal(k(random(5)), random(5) * 2)


def test_b2_specialises_on_shapes_and_types_but_for_dynamic_axes():
    @pl.jit
    def k(x, out: pl.Out[pl.Tensor]):
        x.bind_dynamic(0, M)
        out.bind_dynamic(0, M)
        out[:] = x + x

    for rows, columns, dtype in [(1, 4, "f4"), (9, 4, "f4"), (9, 5, "f4"), (3, 5, "i4"), (0, 5, "i4")]:
        x = np.ones((rows, columns), dtype)
        out = np.zeros_like(x)
        k(x, out)
        np.testing.assert_array_equal(out, x * 2)
    assert [variant.signature for variant in k.variants] == [
        "k(x: Tensor[[M, 4], FP32], out: Out[Tensor[[M, 4], FP32]])",
        "k(x: Tensor[[M, 5], FP32], out: Out[Tensor[[M, 5], FP32]])",
        "k(x: Tensor[[M, 5], INT32], out: Out[Tensor[[M, 5], INT32]])",
    ]


def test_b3_a_changed_constant_or_helper_is_a_new_program(monkeypatch):
    @pl.jit.inline
    def helper(x):
        return x * FACTOR

    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = helper(x) + shift

    shift = 1.0
    x = random(6)
    np.testing.assert_array_equal(k(x), x * 2 + 1)
    first = k.key
    k(random(7))
    assert k.key == first and len(k.variants) == 1

    shift = 3.0
    np.testing.assert_array_equal(k(x), x * 2 + 3)
    second = k.key
    monkeypatch.setitem(globals(), "FACTOR", 4.0)
    np.testing.assert_array_equal(k(x), x * 4 + 3)
    assert len({first, second, k.key}) == 3

    @pl.jit.inline
    def helper(x):  # noqa: F811
        return x - 1.0

    np.testing.assert_array_equal(k(x), x - 1 + 3)
    shift = 1.0
    monkeypatch.undo()
    np.testing.assert_array_equal(k(x), x - 1 + 1)


def test_b3_a_list_that_is_changed_in_place_is_a_new_program():
    shape = [2, 3]

    @pl.jit
    def k(out: pl.Out[pl.Tensor[[1], pl.INT32]]):
        out[0] = shape[0] * 10 + shape[1]

    assert k()[0] == 23
    shape[1] = 7
    assert k()[0] == 27


def test_b3_a_file_changed_on_disk_counts_when_it_is_loaded_again(tmp_path):
    text = """
        import tegula.language as pl
        M = pl.dynamic("M")

        @pl.jit.inline
        def helper(x):
            return x + 1.0

        @pl.jit
        def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            out[:] = helper(x)
        """
    module = load_file(tmp_path / "changing.py", text)
    x = random(3)

    @pl.jit
    def user(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = module.helper(x)

    np.testing.assert_array_equal(module.k(x), x + 1)
    np.testing.assert_array_equal(user(x), x + 1)
    old = module.k
    (tmp_path / "changing.py").write_text("broken(")
    np.testing.assert_array_equal(module.k(x), x + 1)
    module = load_file(tmp_path / "changing.py", text.replace("x + 1.0", "x + 20.0"))
    np.testing.assert_array_equal(module.k(x), x + 20)
    np.testing.assert_array_equal(user(x), x + 20)
    # As in Python, the old function finds the new helper in its module.
    np.testing.assert_array_equal(old(x), x + 20)


def test_b4_helpers_through_attributes_and_aliases(tmp_path):
    load_file(
        tmp_path / "base_layers.py",
        """
        import tegula.language as lang

        @lang.jit.inline
        def scale(x):
            return x * 3.0
        """,
    )
    layers = load_file(
        tmp_path / "more_layers.py",
        """
        from tegula.language import jit as compiled
        import base_layers as b
        from base_layers import scale as s

        @compiled.inline
        def scale(x):
            return b.scale(x) + s(x)
        """,
    )
    space = types.SimpleNamespace(inner=types.SimpleNamespace(scale=layers.scale))

    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = space.inner.scale(x) + layers.b.scale(x)

    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(k(x), x * 9)


def test_b5_helpers_take_keywords_and_defaults():
    @pl.jit.inline
    def affine(x, scale=FACTOR, shift=1.0):
        return x * scale + shift

    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = affine(shift=5.0, x=x) + affine(x, shift=0.0, scale=1.0)

    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(k(x), x * 3 + 5)

    @pl.jit
    def wrong(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = affine(x, size=2.0)

    with pytest.raises(tegula.CompileError, match="unexpected keyword argument 'size'"):
        wrong(x)


def test_b6_symbols_keep_their_literals_and_stay_apart(tmp_path):
    layers = load_file(
        tmp_path / "with_symbol.py",
        """
        import tegula.language as pl
        M = pl.dynamic("COLUMNS")

        @pl.jit.inline
        def total(x: pl.Tensor[[M], pl.FP32]):
            return x * 1.0
        """,
    )
    rows = pl.dynamic("ROWS")

    @pl.jit
    def k(x: pl.Tensor[[rows], pl.FP32], y: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = y
        if rows > 0:
            out[0:1] = layers.total(x)[0:1]

    assert "x: Tensor[[ROWS], FP32], y: Tensor[[M], FP32]" in k.signature
    x, y = random(3), random(5)
    np.testing.assert_array_equal(k(x, y), np.append(x[:1], y[1:]))


def test_b7_a_number_is_in_the_key_only_if_the_program_needs_it():
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.INDEX], a: pl.FP32, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        acc = x * a
        for i in pl.unroll(n):
            acc = acc + pl.cast(i, pl.FP32)
        out[:] = acc

    x = random(4)
    for n, a in [(2, 1.0), (2, 3.0), (3, 0.5), (2, -1.0)]:
        np.testing.assert_array_equal(k(x, n, a), x * np.float32(a) + np.float32(sum(range(n))))
    assert len(k.variants) == 2
    explained = k.explain()
    assert "'n' is the constant 2: line" in explained and "must be known at compile time" in explained

    @pl.jit
    def runs(x: pl.Tensor[[M], pl.FP32], n, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        acc = x + 0.0
        for _ in pl.range(n):
            acc = acc + 1.0
        out[:] = acc

    for n in range(5):
        np.testing.assert_array_equal(runs(x, n), x + np.float32(0) + n)
    assert len(runs.variants) == 1


def test_b7_dynamic_true_keeps_every_axis_dynamic_unless_it_is_needed():
    @pl.jit(dynamic=True)
    def k(x, out: pl.Out[pl.Tensor]):
        acc = x * 1.0
        for i in pl.unroll(x.shape[1]):
            acc = acc + pl.cast(i, pl.FP32)
        out[:] = acc

    for rows, columns in [(3, 2), (9, 2), (4, 3), (0, 3)]:
        x = random(rows, columns)
        out = np.zeros_like(x)
        k(x, out)
        np.testing.assert_allclose(out, x + sum(range(columns)), rtol=1e-6)
    assert len(k.variants) == 2
    assert "'x' axis 1 is 2: line" in k.explain()


def test_b7_dynamic_true_compiles_extents_of_1_by_themselves():
    @pl.jit(dynamic=True)
    def k(x, bias, out: pl.Out[pl.Tensor]):
        out[:] = x + bias

    for number, (shape, other) in enumerate([((5, 8), (5, 8)), ((5, 8), (1, 8)), ((1, 8), (1, 8)), ((5, 8), (1, 1))]):
        for _ in range(2):
            x, bias, out = random(*shape), random(*other), np.zeros(shape, np.float32)
            k(x, bias, out)
            np.testing.assert_array_equal(out, x + bias)
            assert len(k.variants) == number + 1
    out = np.zeros((9, 3), np.float32)
    k(random(9, 3), random(9, 3), out)
    assert len(k.variants) == 4


def test_b7_a_number_that_is_needed_is_converted_as_any_other():
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], a: pl.FP32, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        pl.static_assert(a > 0.5)
        out[:] = x * a

    x = random(3)
    for a in (2, 2.0, np.float32(2), 2):
        np.testing.assert_array_equal(k(x, a), x * 2)
    assert len(k.variants) == 1
    with pytest.raises(tegula.CompileError, match="assertion failed"):
        k(x, 0.25)

    @pl.jit
    def repeated(x: pl.Tensor[[M], pl.FP32], n: pl.INDEX, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        for _ in pl.unroll(n):
            out[:] = x

    for wrong in (2.5, float("nan")):
        with pytest.raises(tegula.CallError, match="argument 'n': INDEX is wanted, got a float"):
            repeated(x, wrong)


def load_pairs():
    """Every kernel of the pairs, with the program one would write by hand."""
    pairs = []
    for path in sorted(PAIRS.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"pairs_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        named: dict[str, list] = {}
        for name, member in vars(module).items():
            capture = getattr(member, "_capture", None)
            if capture is not None and capture.decorator in ("jit", "program") and not capture.method:
                named.setdefault(name.replace("_", "").lower(), []).append(member)
        pairs += [(name, *both) for name, both in named.items() if len(both) == 2]
    return pairs


def test_b8_a_kernel_is_the_program_one_would_write_by_hand():
    pairs = load_pairs()
    assert len(pairs) >= 23
    for name, kernel, program in pairs:
        assert kernel.difference(program) == "", name
    assert not pairs[0][1].equals(pairs[1][2])


def test_b9_a_source_that_cannot_be_found_is_said():
    found = {"pl": pl}
    exec("@pl.jit\ndef k(x):\n    x = x\n", found)
    with pytest.raises(tegula.SourceError, match="the source of 'k' cannot be found"):
        found["k"](random(2))


def test_errors_show_the_line_of_the_kernel():
    @pl.jit
    def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x + nobody

    with pytest.raises(tegula.CompileError, match="name 'nobody' is not defined") as caught:
        k(random(2))
    assert caught.value.path == __file__
    line = open(__file__).read().split("\n")[caught.value.line - 1]
    assert line == "        out[:] = x + nobody"
    assert f"{line}\n" in str(caught.value) or "out[:] = x + nobody" in str(caught.value)


def test_a_class_runs():
    @pl.program
    class Scaled:
        @pl.function(type=pl.FunctionType.InCore)
        def scale(self, t: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
            y[:] = t * FACTOR

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, x: pl.Tensor[[M, 8], pl.FP32], out: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
            self.scale(x, out)
            return out

    x = random(3, 8)
    np.testing.assert_array_equal(Scaled(x), x * 2)
    np.testing.assert_array_equal(Scaled.scale(x), x * 2)


def test_results_are_returned():
    @pl.jit
    def k(x: pl.In[pl.Tensor[[M], pl.FP32]], a: pl.Out[pl.Tensor[[M], pl.FP32]], b: pl.InOut[pl.Tensor[[M], pl.FP32]]):
        a[:] = x + b
        b[:] = x
        return b, a

    x, a, b = random(4), np.zeros(4, np.float32), np.ones(4, np.float32)
    first, second = k(x, a, b)
    assert first is b and second is a
    np.testing.assert_array_equal(a, x + 1)
