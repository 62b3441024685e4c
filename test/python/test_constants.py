# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants that a file computes: from the command line, without Python, they are what Python makes of them."""

import os
import subprocess
import textwrap
from pathlib import Path

import numpy as np
import pytest

BIN = Path(os.environ.get("TEGULA_BIN", Path(__file__).parents[2] / "build" / "bin"))

PROLOGUE = """\
import tegula.language as pl
import collections, dataclasses, enum, functools, itertools, math, operator
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, auto
from typing import NamedTuple

M = pl.dynamic("M")


class Color(Enum):
    RED = 1
    GREEN = 2
    ALSO = 1


class Level(IntEnum):
    LOW = auto()
    HIGH = auto()


class Point(NamedTuple):
    x: int
    y: int = 5


@dataclass(frozen=True)
class Config:
    heads: int = 4
    dims: tuple = (1, 2)
    names: list = field(default_factory=list)
    scale: float = field(default=0.5)

    @property
    def hidden(self):
        return self.heads * 16

    def tile(self, n, *, least=1):
        return max(n, self.heads, least)

    @staticmethod
    def half(n):
        return n // 2

    @classmethod
    def wide(cls, heads):
        return cls(heads=heads * 2)


@dataclass
class Counted:
    a: int
    b: int = 2

    def __post_init__(self):
        self.total = self.a + self.b


class Plain:
    LIMIT = 10

    def __init__(self, n, *rest, **named):
        self.n = n
        self.rest = rest
        self.named = named

    def __call__(self, k):
        return self.n * k


cfg = Config()
"""

EXPRESSIONS = r"""
-7 // 2
-7 % 3
7 % -3
-7.5 // 2
-7.5 % 2
5.5 % -2
1e300 * 10 // 3.0
0.1 + 0.2
7 / 2
2 ** 10
2 ** -1
2 ** 0.5
(-8) ** 3
1 << 40
-1 >> 3
5 & 3 | 8 ^ 2
~5
True + True
True & False
not 0
3 < 4 < 5
3 < 4 > 5
1 == 1.0
2 ** 53 + 1 == 2.0 ** 53
2 ** 53 + 1 > 2.0 ** 53
[1] == (1,)
(1, 2) < (1, 3)
[1, 2] < [1]
"abc" < "abd"
"a" in "abc"
"" in "abc"
1 in [1, 2]
3 not in {1: 2}
4 in range(0, 10, 2)
None is None
[] is []
(1, [2, {"a": 3}], "x")
{"a": 1, **{"b": 2, "a": 3}}
[*range(3), *"ab"]
(lambda x, y=2, *a, **k: (x, y, a, k))(1, 3, 4, z=5)
[x * y for x in range(3) for y in range(x) if (x + y) % 2]
{x: x ** 2 for x in range(4)}
sorted({x % 3 for x in range(10)})
len({1, 2, 2, 3})
sum(x for x in range(10) if x % 2)
[[i * j for j in range(3)] for i in range(2)]
list(zip(range(3), "abc"))
list(enumerate("ab", 1))
list(map(lambda x: x + 1, [1, 2]))
list(map(max, [1, 5], [3, 2]))
list(filter(None, [0, 1, "", "a"]))
list(filter(lambda x: x > 1, [1, 2, 3]))
list(reversed([1, 2, 3]))
list(range(10, 0, -3))
range(5)[1:4][-1]
len(range(0, 10, 3))
max([3, 1, 2]), min(3, 1, 2), max("b", "a")
max([1, -5, 3], key=abs)
min([], default=7)
sorted([3, 1, 2], reverse=True)
sorted(["b", "A", "c"], key=str.lower) if False else sorted("bca")
sorted([(1, "b"), (0, "z"), (1, "a")])
any(x > 2 for x in [1, 2, 3]), all([]), all([1, 0])
next(i for i in range(100) if i * i > 50)
next(iter([]), "none")
divmod(-7, 2), divmod(7.5, 2)
pow(2, 5), pow(2, 5, 7), pow(2.0, 3)
round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(7)
abs(-3), abs(-3.5), abs(True)
int("12"), int(" -0x1f ", 16), int("101", 2), int(3.9), int(-3.9), int(True)
float("1.5e3"), float("inf"), float(3)
bool([]), bool([0]), bool(""), bool("0"), bool(0.0)
str(1.0), str(1e16), str(1e-5), str(0.0001), str(123456789.0), str(1 / 3)
repr("it's"), repr('a"b'), repr("a\nb")
str([1, "a", None, True, 2.5]), str((1,)), str({"a": (1, 2)})
isinstance(True, int), isinstance(1, (str, float)), isinstance([], list), isinstance(cfg, Config)
"abc"[1], "abc"[-1], "abcdef"[1:4], "abcdef"[::-2], "abc"[5:]
[1, 2, 3, 4, 5][1:-1], [1, 2, 3][::-1], (1, 2, 3)[:2]
[1, 2] + [3], (1,) * 3, "ab" * 2, 2 * [0]
"a-b-c".split("-"), " a  b ".split(), "a-b-c".rsplit("-", 1), "a,b".split(",", 0)
"-".join(["a", "b"]), "abc".upper(), "a b".title(), "abc".replace("b", "xx")
" x ".strip(), "xxaxx".strip("x"), "abc".startswith(("b", "a")), "abc".endswith("bc")
"abcabc".find("c"), "abc".find("z"), "abcabc".count("bc"), "abc".index("c")
"7".zfill(3), "-7".zfill(4), "a".ljust(3) + "|", "a".rjust(3), "a".center(4) + "|"
"fp32".removeprefix("fp"), "x.py".removesuffix(".py"), "a=b=c".partition("=")
"123".isdigit(), "a1".isalnum(), "ab".isalpha(), "AB".isupper()
f"{3:5d}|{3:<5}|{3:^5}|{3:05d}|{-3:+d}|{3:+d}|{255:x}|{255:#X}|{5:b}|{5:#o}"
f"{3.14159:.2f}|{1e10:.3e}|{0.5:%}|{1234567:,}|{1234.5:,.1f}|{1e-7:g}|{3.0}|{2.5:8.2f}|"
f"{'a':>3}|{'abc':.2}|{'x'!r}|{[1, 2]}|{{}}|{1 + 1}|{10:{5}d}|{True}|{None}"
"{} {1} {x:>3}".replace("{1}", "b").format(1, x=2)
cfg.hidden, cfg.tile(3), cfg.tile(3, least=9), cfg.half(9), Config.half(7), Config.wide(3).heads
cfg, replace(cfg, heads=8), replace(cfg, heads=8).hidden, cfg == Config(), cfg == Config(heads=5)
Counted(1).total, Counted(1, b=5).total, Counted(a=3)
Point(1), Point(1, 2)[1], Point(y=3, x=4).x, Point(1)._replace(x=9), tuple(Point(1)), Point(1) == (1, 5)
Color.RED.value, Color.RED.name, Color.ALSO is Color.RED, Color(2), Color["GREEN"].value, [c.name for c in Color], len(Color)
Level.LOW + 1, Level.HIGH == 2, Level.HIGH > Level.LOW, max(Level), Level.HIGH * 2.5, [Level.LOW, Level.HIGH]
Plain(3).n, Plain(1, 2, 3).rest, Plain(1, a=2).named, Plain(4)(5), Plain.LIMIT, Plain(1).LIMIT
math.ceil(7 / 2), math.floor(-0.5), math.sqrt(16), math.log2(8), math.gcd(12, 18), math.prod([2, 3, 4]), math.lcm(4, 6), math.isqrt(17)
math.pi, math.inf, -math.inf, math.prod(x for x in (1, 2, 3)), math.ceil(2), math.isinf(math.inf)
functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]), functools.reduce(operator.add, [], 5)
functools.partial(lambda a, b, c: (a, b, c), 1, c=3)(2)
list(itertools.product([1, 2], "ab")), list(itertools.chain([1], (2, 3))), list(itertools.accumulate([1, 2, 3]))
{1, 2} | {2, 3} == {1, 2, 3}, sorted({1, 2} & {2, 3}), sorted({1, 2} - {2}), {1} <= {1, 2}, frozenset([1]) == {1}
dict(a=1, b=2), dict([("x", 1)]), list({"a": 1}.items()), {"a": 1}.get("b", 3), {"a": 1}.get("b")
list({"a": 1, "b": 2}), sorted({"b": 1, "a": 2}.items()), {"a": 1} | {"b": 2}
(n := 10) + n
1 if [] else 2
[] or "x", 0 and 1, None or 0
(5).bit_length(), (2.0).is_integer(), (-1).bit_length()
[i for i in range(20) if all(i % j for j in range(2, i))]
hex(255), bin(5), oct(8), chr(65), ord("a")
collections.namedtuple("P", "a b")(1, 2).b
dataclasses.asdict(Counted(1)) if False else Counted(1).b
getattr(cfg, "heads"), getattr(cfg, "none", 3), hasattr(cfg, "hidden")
-0.0, 0.0 == -0.0, 1e400, -1e400, 5e-324
1_000_000, 0x_ff, 0b101, 0o17
"a" "b" 'c'
"é" + "ü", len("éü"), "éü"[1], "éü"[::-1]
3 == "3", None == 0, (1, 2) == (1, 2), {"a": [1]} == {"a": [1]}
"""

PROGRAMS = [
    """
    a = b = []
    a.append(1)
    return b, a is b
    """,
    """
    rows = [[0] * 2] * 2
    rows[0][0] = 5
    return rows
    """,
    """
    x = [1, 2, 3]
    y = x
    y += [4]
    x = x + [5]
    return x, y
    """,
    """
    def f(n, seen=[]):
        seen.append(n)
        return list(seen)
    return f(1), f(2)
    """,
    """
    out = []
    items = [1, 2, 3]
    for i in items:
        if i < 3:
            items.append(i + 10)
        out.append(i)
        if len(out) > 8:
            break
    else:
        out.append("end")
    return out
    """,
    """
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)
    return [fib(i) for i in range(10)]
    """,
    """
    def gcd(a, b):
        while b:
            a, b = b, a % b
        return a
    return gcd(48, 36)
    """,
    """
    total = 0
    for i in range(10):
        if i % 2:
            continue
        total += i
    else:
        total += 100
    return total
    """,
    """
    n, k = 0, 100
    while True:
        n += 1
        k //= 2
        if not k:
            break
    return n, k
    """,
    """
    first, *middle, last = range(5)
    (a, b), c = (1, 2), 3
    return first, middle, last, a, b, c
    """,
    """
    fs = [lambda: i for i in range(3)]
    gs = [lambda i=i: i for i in range(3)]
    return [f() for f in fs], [g() for g in gs]
    """,
    """
    def make(n):
        def inner(k):
            return n * k
        return inner
    return make(3)(4), [f(10) for f in map(make, [1, 2])]
    """,
    """
    g = (x * x for x in range(4))
    return next(g), list(g), list(g)
    """,
    """
    source = [1, 2]
    g = (x for x in source)
    source.append(3)
    return list(g)
    """,
    """
    d = {}
    for word in "the cat the dog the end".split():
        d[word] = d.get(word, 0) + 1
    del d["end"]
    d.setdefault("new", []).append(1)
    return d, d.pop("cat"), len(d)
    """,
    """
    class A:
        x = 1
        y = x + 1
        def get(self):
            return self.x, type(self).__name__
    class B(A):
        x = 5
    return A.y, B().get(), B.y, isinstance(B(), A)
    """,
    """
    x = 1
    def f():
        return x
    x = 2
    return f()
    """,
    """
    l = [3, 1, 2]
    l.sort()
    l.insert(1, 9)
    l.reverse()
    m = l.copy()
    m.remove(9)
    m.extend((7, 8))
    return l, m, l.index(9), m.count(7), m.pop(), m.pop(0), l[::2]
    """,
    """
    @functools.lru_cache(maxsize=None)
    def f(n):
        return 1 if n == 0 else n * f(n - 1)
    return f(15)
    """,
    """
    def f(a, /, b, *, c=3, **rest):
        return a, b, c, rest
    args, named = (1, 2), {"c": 5, "d": 6}
    return f(*args, **named), f(1, b=2)
    """,
    """
    assert 1 + 1 == 2, "unreachable"
    if (n := len([1, 2])) > 1:
        n *= 10
    return n
    """,
    """
    s = {3, 1}
    s.add(2)
    s |= {4}
    s.discard(1)
    return sorted(s), len(s), max(s), 3 in s
    """,
    """
    best = None
    for bm, bn in itertools.product([16, 32, 64], repeat=2):
        use = bm * bn * 4
        if use <= 8192 and (best is None or use > best[0]):
            best = (use, bm, bn)
    return best
    """,
    """
    c = Counted(1)
    d = c
    d.a = 10
    return c.a, c == d, Counted(1) == Counted(1), c.total
    """,
    """
    x = 5
    def f():
        for x in range(3):
            pass
        return x
    return f(), x, [x for x in "ab"], x
    """,
]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("constants")


def check(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(text)
    done = subprocess.run([BIN / "tegula", "check", path], capture_output=True, text=True, timeout=120)
    return done.stderr


def kernel(number: int, condition: str) -> str:
    return (
        f"\n@pl.jit\ndef k{number}(y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
        f"    assert {condition}\n    y[:] = pl.full([M], pl.FP32, 1.0)\n"
    )


def compare(folder: Path, name: str, codes: list[str]) -> None:
    """Each code defines `p`; what it returns, written out, is what Python says."""
    text, kernels = PROLOGUE, ""
    for number, code in enumerate(codes):
        scope: dict = {}
        prologue = PROLOGUE.replace("import tegula.language as pl\n", "").replace('M = pl.dynamic("M")', "")
        exec(prologue + code, scope)
        wanted = repr(scope["p"]())
        text += f"\n{code.replace('def p', f'def p{number}')}\nR{number} = repr(p{number}())\n"
        kernels += kernel(number, f"R{number} == {wanted!r}")
    assert check(folder, name, text + kernels) == ""


def test_expressions_are_what_python_says(scratch):
    lines = [line for line in EXPRESSIONS.strip().splitlines() if line]
    compare(scratch, "expressions", [f"def p():\n    return {line}\n" for line in lines])


def test_programs_are_what_python_says(scratch):
    compare(
        scratch,
        "programs",
        ["def p():\n" + textwrap.indent(textwrap.dedent(program).strip(), "    ") + "\n" for program in PROGRAMS],
    )


def test_a_wrong_constant_is_seen(scratch):
    text = PROLOGUE + "R0 = repr([1])\n" + kernel(0, "R0 == '[2]'")
    assert "error" in check(scratch, "wrong", text)


# What never ends, grows without bounds, or is wrong in Python too: a word of what is said.
REFUSED = {
    "while True:\n    pass\nX = 1": None,
    "X = sum(i for i in range(10**12))": "steps",
    "def f(n):\n    return f(n + 1)\nX = f(0)": "nested",
    "f = lambda g: g(g)\nX = f(f)": "nested",
    "X = 'x' * 10**9": "too long",
    "X = [0] * 10**9": "too long",
    "X = [i for i in range(10**9)]": "steps",
    "a = [1]\nfor _ in range(40):\n    a += a\nX = len(a)": "steps",
    "s = 'ab'\nfor _ in range(40):\n    s += s\nX = len(s)": "too long",
    "a = []\nfor _ in range(100000):\n    a = [a]\nX = 1 if a == [a] else 2": "nested",
    "a = []\na.append(a)\nb = []\nb.append(b)\nX = 1 if a == b else 2": "nested",
    "a = []\na.append(a)\nX = len(str(a))": "",
    "g = (x for x in [1])\nfor _ in range(100000):\n    g = (x for x in g)\nX = next(g)": "nested",
    "X = 1 // 0": "division by zero",
    "X = 1 % 0": "division by zero",
    "X = 1.0 / 0": "division by zero",
    "X = 2 ** 64": "64 bits",
    "X = 9223372036854775807 + 1": "64 bits",
    "X = 1 << 100": "64 bits",
    "X = undefined + 1": "not defined",
    "def f():\n    y = z\n    z = 1\n    return y\nX = f()": "before it is assigned",
    "X = [1][3]": "out of range",
    "X = {'a': 1}['b']": "no key",
    "X = int('x')": "int()",
    "X = 'a' + 1": "cannot apply",
    "X = (1, 2) + [3]": "cannot apply",
    "X = {[1]: 2}": "key",
    "a, b = 1, 2, 3\nX = a": "elements",
    "d = {1: 2}\nfor k in d:\n    d[k + 1] = 0\nX = len(d)": "changed its size",
    "X = [x for x in {1, 2}][0]": "order of a set",
    "assert False, 'because'\nX = 1": None,
    "def f():\n    assert 1 > 2, 'because'\nX = f()": "because",
    "def f():\n    raise ValueError\nX = f()": "raised",
    "def f():\n    yield 1\nX = next(f())": "generator",
    "Config(heads=1).heads = 2\nX = 1": None,
    "X = Config(nothing=1).heads": "no 'nothing'",
    "X = Config(1, 2, 3, 4, 5).heads": "too many",
    "c = Config()\nc.heads = 3\nX = c.heads": "cannot be assigned",
    "X = Point().x": "without 'x'",
    "X = open('/etc/passwd').read()": "not defined",
    "X = __import__('os').getpid()": "not defined",
    "import numpy as np\nX = np.array(3)": "numpy",
    "import numpy as np\nX = np.float32(3)": "FP32",
    "import numpy as np\nif np.any([1]):\n    X = 1\nelse:\n    X = 2": "numpy",
    "X = 1\nimport numpy as np\nfor i in np.arange(3):\n    X += 1": "numpy",
    "L = [1]\nA = L\nimport numpy as np\nA.append(np.zeros(2))\nX = L[0]": "numpy",
    "import random\nL = [1, 2]\nrandom.shuffle(L)\nX = L[0]": "random",
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_has_no_value_is_said_where_a_kernel_needs_it(scratch, code):
    said = check(scratch, "refused", PROLOGUE + code + "\n" + kernel(0, "X == 1"))
    wanted = REFUSED[code]
    if wanted is None:
        assert said == ""
    else:
        assert "error" in said and wanted in said
    unneeded = code + "\nY = 1\n" + kernel(0, "Y == 1")
    assert check(scratch, "unneeded", PROLOGUE + unneeded) == ""


ENVIRONMENT = """import os
X = int(os.environ.get("TEGULA_TEST_TILE", "1")) + len(os.getenv("TEGULA_TEST_NAME", ""))
X += 10 * ("TEGULA_TEST_NAME" in os.environ)
"""


def test_the_environment_is_that_of_the_command(scratch, monkeypatch):
    said = check(scratch, "environment", PROLOGUE + ENVIRONMENT + kernel(0, "X == 1"))
    assert said == ""
    monkeypatch.setenv("TEGULA_TEST_TILE", "32")
    monkeypatch.setenv("TEGULA_TEST_NAME", "abc")
    assert check(scratch, "environment", PROLOGUE + ENVIRONMENT + kernel(0, "X == 45")) == ""
    wanted = PROLOGUE + 'import os\nX = os.environ["TEGULA_TEST_NOTHING"]\n' + kernel(0, "X == 1")
    assert "there is no variable 'TEGULA_TEST_NOTHING' in the environment" in check(scratch, "nothing", wanted)


def test_a_kernel_is_compiled_again_for_another_environment(tmp_path):
    """What is on disk counts for the values that were read while it was compiled."""
    file = tmp_path / "k.py"
    file.write_text(
        "import os\nimport tegula.language as pl\n"
        'TILE = int(os.environ.get("TEGULA_TEST_TILE", "1"))\n'
        "@pl.jit\ndef k(y: pl.Out[pl.Tensor[[2], pl.INT32]]):\n    y[:] = TILE\n"
    )
    out = tmp_path / "y.npy"
    for tile, wanted in ((None, 1), ("7", 7), ("8", 8), ("7", 7), (None, 1)):
        environment = {**os.environ, "TEGULA_CACHE": "on", "TEGULA_CACHE_DIR": str(tmp_path / "cache")}
        environment.pop("TEGULA_TEST_TILE", None)
        if tile is not None:
            environment["TEGULA_TEST_TILE"] = tile
        command = [BIN / "tegula", "run", file, "--out", f"y={out}"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        np.testing.assert_array_equal(np.load(out), [wanted, wanted])


def test_a_file_without_kernels_is_said_to_be_one(scratch):
    assert "there is no kernel in this file" in check(scratch, "empty", "X = 1\n")


def test_the_chain_that_needs_a_constant_is_shown(scratch):
    code = "import numpy as np\nA = np.zeros(3)\nB = A * 2\nC = B + 1\n"
    said = check(scratch, "chain", PROLOGUE + code + kernel(0, "C == 1"))
    first = PROLOGUE.count("\n") + 2
    assert "'A' has no value a kernel can use" in said and f"(line {first})" in said
    assert "'B' is computed from it" in said and "'C' is computed from it" in said
