# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a decorated function captures: its text, its names, and the functions it calls."""

import enum
import math
import types

import captured
import pytest
from captured import load_file, names, resolve, run_text, simple, values

import tegula
import tegula.language as pl

M = pl.dynamic("M")
rows = pl.dynamic("R")
TILE = 64
SCALE = 0.5
cfg = types.SimpleNamespace(hidden=128, inner=types.SimpleNamespace(bias=2.0))


class Mode(enum.IntEnum):
    FAST = 1
    SLOW = 2


class Colour(enum.Enum):
    RED = 3


@pytest.fixture(autouse=True)
def no_compiler():
    with captured.without_compiler():
        yield


def test_takes_the_text_and_its_location():
    # fmt: off
    @pl.jit
    def k(x: pl.Tensor[[M, TILE], pl.FP32],
          out: pl.Out[pl.Tensor[[M, TILE], pl.FP32]]):
        # a comment
        out[:] = x * SCALE

    # fmt: on
    path, line, text, name, decorator, _ = resolve(k)["blocks"][0]
    assert path == __file__
    assert name == "k" and decorator == "jit"
    assert text.startswith("    @pl.jit\n    def k(x:") and text.endswith("out[:] = x * SCALE\n")
    assert open(__file__).read().split("\n")[line - 1] == "    @pl.jit"


def test_captures_what_the_names_stand_for():
    @pl.jit
    def k(x: pl.Tensor[[M, TILE], pl.FP32]):
        y = x * SCALE + cfg.hidden + cfg.inner.bias + Mode.FAST + Mode.SLOW.value + Colour.RED.value + math.pi
        z = min(y, math.sqrt(2.0))
        return z

    assert values(k) == {
        "M": ("symbol", 0),
        "TILE": 64,
        "SCALE": 0.5,
        "pl": "language",
        "cfg.hidden": 128,
        "cfg.inner.bias": 2.0,
        "Mode.FAST": 1,
        "Mode.SLOW.value": 2,
        "Colour.RED.value": 3,
        "math.pi": math.pi,
        "math.sqrt": ("builtin", "math.sqrt"),
        "min": ("builtin", "min"),
    }
    assert [symbol[0] for symbol in resolve(k)["symbols"]] == ["M"]


def test_names_are_sorted():
    @pl.jit
    def k(x):
        return x + TILE + SCALE + cfg.hidden

    listed = [name for name, _ in resolve(k)["blocks"][0][5]]
    assert listed == sorted(listed)


VALUES = [
    (None, "none"),
    (..., "ellipsis"),
    (True, True),
    (-(1 << 63), -(1 << 63)),
    (float("inf"), float("inf")),
    ("text", "text"),
    ((1, [2.5, (None,)]), (1, (2.5, ("none",)))),
    ({"a": 1, 2: (3,)}, {"a": 1, 2: (3,)}),
    (pl.FP32, ("dtype", "FP32")),
    (pl.load, ("language", "load")),
    (pl.Level.CORE_GROUP, ("language", "Level.CORE_GROUP")),
    (Colour.RED, 3),
]


@pytest.mark.parametrize("given, expected", VALUES, ids=[repr(given) for given, _ in VALUES])
def test_converts_values(given, expected):
    @pl.jit
    def k(x):
        return x + given

    assert values(k)["given"] == expected


def test_converts_numbers_and_types_of_numpy():
    np = pytest.importorskip("numpy")
    eight, half, yes = np.int32(8), np.float64(0.5), np.bool_(True)
    dtype = np.dtype("float16")

    @pl.jit
    def k(x):
        return x + eight + half + yes + np.int64(3) + np.float32 + dtype

    assert values(k) == {
        "eight": 8,
        "half": 0.5,
        "yes": True,
        "np.int64": ("dtype", "INT64"),
        "np.float32": ("dtype", "FP32"),
        "dtype": ("dtype", "FP16"),
        "pl": "language",
    }


def test_says_why_a_value_cannot_be_used():
    np = pytest.importorskip("numpy")
    array = np.zeros(3)
    big = 1 << 63
    row = pl.Tensor[[M, 8], pl.FP32]

    @pl.jit
    def k(x):
        return array + big + row + resolve + math + sorted + Mode + cfg + cfg.nothing

    found = {name: text for name, (kind, _, _, text, _) in names(k).items() if kind == "unusable"}
    assert found["array"] == (
        "'array' is not something a kernel can use (a tensor, of the type 'ndarray'; pass it as an argument)"
    )
    assert "does not fit 64 bits" in found["big"]
    assert "write it in full" in found["row"]
    assert "a function without a kernel decorator at line" in found["resolve"]
    assert "the module 'math'" in found["math"]
    assert "'sorted'" in found["sorted"]
    assert "the class 'Mode'" in found["Mode"]
    assert "an object of the type 'SimpleNamespace'" in found["cfg"]
    assert found["cfg.nothing"] == "'cfg' has no attribute 'nothing'"


def test_local_names_are_not_captured():
    @pl.jit
    def k(x, TILE):
        for SCALE in pl.range(3):
            with pl.at(level=1) as cfg:
                a, (b, c) = SCALE, (TILE, cfg.hidden)
        return a + b + c + x.shape[0]

    assert set(values(k)) == {"pl"}


def test_closures_come_before_globals():
    TILE = 8

    @pl.jit
    def k(x):
        return x + TILE

    assert values(k)["TILE"] == 8


def test_annotations_see_the_function_around_them():
    def make(tile, symbol):
        class Holder:
            width = 4

            @pl.jit
            def k(x: pl.Tensor[[symbol, tile], pl.FP32], y: pl.Tensor[[symbol, width], pl.FP32]):
                return x

        return Holder.k

    assert values(make(16, rows)) == {"tile": 16, "symbol": ("symbol", 0), "width": 4, "pl": "language"}


def test_an_unbound_cell_is_no_mistake_until_it_is_used():
    @pl.jit
    def k(x):
        return later(x) if False else x

    kind, _, _, text, _ = names(k)["later"]
    assert (kind, text) == ("unusable", "the variable 'later' of the enclosing function has no value yet")

    @pl.jit.inline
    def later(x):
        return x

    assert simple(names(k)["later"]) == ("function", 1)


def test_undefined_names_are_left_to_the_compiler():
    @pl.jit
    def k(x):
        return x + nobody

    assert "nobody" not in names(k)


with captured.without_compiler():

    @pl.jit.inline
    def leaf(x):
        return x + TILE

    @pl.jit.incore()
    def middle(x):
        return leaf(x) + leaf(x)


def test_finds_helpers_through_helpers_each_once():
    space = types.SimpleNamespace(helper=middle)

    @pl.jit
    def k(x):
        return middle(x) + leaf(x) + space.helper(x)

    program = resolve(k)
    assert [(block[3], block[4]) for block in program["blocks"]] == [
        ("k", "jit"),
        ("leaf", "jit.inline"),
        ("middle", "jit.incore"),
    ]
    assert values(k) == {
        "leaf": ("function", 1),
        "middle": ("function", 2),
        "space.helper": ("function", 2),
        "pl": "language",
    }
    assert values(k, 2) == {"leaf": ("function", 1), "pl": "language"}


def test_keeps_symbols_apart_by_identity():
    other = pl.dynamic("M")

    @pl.jit
    def k(x: pl.Tensor[[M, other], pl.FP32], y: pl.Tensor[[M, other // 2], pl.FP32]):
        half = M // 2
        return half

    assert [symbol[0] for symbol in resolve(k)["symbols"]] == ["M", "M"]
    assert resolve(k)["symbols"][1][1] == __file__


def test_captures_arithmetic_on_symbols():
    part = (M + 1) // 2 * 4 - M % 3
    least = pl.min(M, 8)
    blocks = pl.cdiv(M, 16)

    @pl.jit
    def k(x: pl.Tensor[[part, least, blocks], pl.FP32]):
        return x

    m = ("symbol", 0)
    found = values(k)
    assert simple(names(k)["least"])[0] == "min"
    assert found["part"] == ("-", ("*", ("//", ("+", found["least"][1], 1), 2), 4), ("%", found["least"][1], 3))
    assert found["blocks"] == ("//", ("+", m, 15), 16)
    assert str(part) == "(((M + 1) // 2) * 4) - (M % 3)"


def test_decorates_without_the_syntax():
    def plain(x):
        return x

    k = pl.jit(plain)
    assert resolve(k)["blocks"][0][2] == "    def plain(x):\n        return x\n"
    assert resolve(k)["blocks"][0][4] == "jit"


def test_takes_options():
    @pl.jit(dynamic=True, target="npu")
    def k(x):
        return x

    program = resolve(k)
    assert (program["dynamic"], program["target"]) == (True, "npu")
    with tegula.config(target="interpreter:expanded"):
        assert resolve(pl.jit(k._capture.function))["target"] == "interpreter:expanded"
    assert resolve(pl.jit(k._capture.function))["target"] == "cpu"
    with pytest.raises(TypeError, match="takes no 'dynamc='; it takes dynamic, target"):
        pl.jit(dynamc=True)


def test_takes_a_class():
    half = 0.5

    @pl.program
    class Both:
        FACTOR = TILE

        @pl.function(type=pl.FunctionType.InCore)
        def scale(self, t: pl.Tensor[[M, 64], pl.FP32]):
            return t * half * self.FACTOR

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, x: pl.Tensor[[M, 64], pl.FP32]):
            return self.scale(x)

    path, line, text, name, decorator, _ = resolve(Both)["blocks"][0]
    assert (path, name, decorator) == (__file__, "Both", "program")
    assert text.startswith("    @pl.program\n    class Both:\n") and text.endswith("return self.scale(x)\n")
    assert values(Both) == {"half": 0.5, "TILE": 64, "M": ("symbol", 0), "pl": "language"}
    assert resolve(Both.main)["method"] == "main" and resolve(Both)["method"] == ""


def test_a_lambda_is_refused():
    with pytest.raises(TypeError, match="not to a lambda; write a 'def'"):
        pl.jit(lambda x: x)
    with pytest.raises(TypeError, match="a class takes @pl.program"):
        pl.jit(Mode)
    with pytest.raises(TypeError, match="@pl.program belongs to a class"):
        pl.program(resolve)
    with pytest.raises(TypeError, match="got an object of the type 'builtin_function_or_method'"):
        pl.jit(len)
    with pytest.raises(AttributeError, match="'pl.jit.outcore' is not a kind of kernel"):
        pl.jit.outcore  # noqa: B018


def test_a_string_with_a_registered_source():
    found = run_text(
        """
        @pl.jit
        def k(x):
            return x + TILE
        """,
        pl=pl,
        TILE=3,
    )
    assert values(found["k"])["TILE"] == 3
    assert resolve(found["k"])["blocks"][0][:2] == ("<kernel text>", 2)


def test_a_missing_source_is_said():
    found = {"pl": pl}
    exec("@pl.jit\ndef k(x):\n    return x\n", found)
    with pytest.raises(tegula.SourceError, match="the source of 'k' cannot be found"):
        resolve(found["k"])
    assert issubclass(tegula.SourceError, tegula.Error)


def test_a_reloaded_module_is_read_again(tmp_path):
    text = "import tegula.language as pl\n\n@pl.jit\ndef k(x):\n    return x + 1\n"
    module = load_file(tmp_path / "reloaded.py", text)
    first = module.k
    assert "x + 1" in resolve(first)["blocks"][0][2]
    module = load_file(tmp_path / "reloaded.py", text.replace("@pl", "# moved\n\n@pl").replace("x + 1", "x + 22"))
    assert "x + 22" in resolve(module.k)["blocks"][0][2]
    assert "x + 1" in resolve(first)["blocks"][0][2], "what was loaded before stays what it was"


def test_modules_are_captured_by_the_names_used(tmp_path):
    module = load_file(
        tmp_path / "layers.py",
        """
        import tegula.language as pl
        WIDTH = 7

        @pl.jit.inline
        def norm(x):
            return x * WIDTH
        """,
    )

    @pl.jit
    def k(x):
        return module.norm(x) + module.WIDTH

    assert values(k) == {"module.WIDTH": 7, "module.norm": ("function", 1), "pl": "language"}
    assert values(k, 1) == {"WIDTH": 7, "pl": "language"}
