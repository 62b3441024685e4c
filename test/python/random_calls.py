# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls in random order, of kernels whose modules, functions and symbols have the same names, against NumPy.

    python test/python/random_calls.py [--seed N] [--count N]

A session makes two modules, both called `kernels`, whose functions, constants and symbols have equal names and
different meanings, and of which each calls the other. Its calls alternate between the modules, element types, numbers
of axes, strides, NumPy and PyTorch, targets, and values of the constants: what one call compiled may not serve another
one that differs. A session that fails is named by its seed, with the calls until then.
"""

import argparse
import importlib
import os
import random
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TEGULA_BIN", ROOT / "build/bin")).parent
sys.path.insert(0, str(BUILD / "python"))
os.environ.setdefault("TEGULA_CACHE_DIR", tempfile.mkdtemp(prefix="tegula-calls-"))

import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402

import tegula  # noqa: E402

MODULE = """import tegula.language as pl
{imported}
T_DYN = pl.dynamic("T_DYN")
N = pl.dynamic("N")
FACTOR = {factor}
STEP = {step}


@pl.jit.inline
def change(t):
    return t {operator} FACTOR


@pl.jit.incore
def fill(t: pl.Tensor[[T_DYN, N], pl.FP32], result: pl.Out[pl.Tensor[[T_DYN, N], pl.FP32]]):
    for i in pl.range(0, T_DYN, STEP):
        result[i : i + STEP, :] = t[i : i + STEP, :] {operator} FACTOR


@pl.jit
def plain(x, out: pl.Out[pl.Tensor]):
    out[:] = change(x) + 1


@pl.jit(dynamic=True)
def any_size(x, out: pl.Out[pl.Tensor]):
    out[:] = change(x) - x


@pl.jit
def blocks(x, out: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, T_DYN)
    for i in pl.parallel(0, T_DYN, STEP):
        out[i : i + STEP] = change(x[i : i + STEP])


@pl.jit
def rows(x: pl.Tensor[[T_DYN, N], pl.FP32], out: pl.Out[pl.Tensor[[T_DYN, 1], pl.FP32]]):
    out[:] = pl.row_sum(change(x))


@pl.jit
def halves(x: pl.Tensor[[N, T_DYN], pl.FP32], out: pl.Out[pl.Tensor[[N, T_DYN], pl.FP32]]):
    {other}.fill(x[0 : N // 2, :], out[0 : N // 2, :])
    fill(x[N // 2 :, :], out[N // 2 :, :])


@pl.jit
def scaled(x, s, out: pl.Out[pl.Tensor]):
    out[:] = change(x) * s
"""

DTYPES = [
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint32,
    np.float16,
    ml_dtypes.bfloat16,
    np.float32,
    np.float64,
]
TARGETS = ["cpu", "cpu", "cpu", "interpreter", "cpu:no-threads", "interpreter:tiles", "cpu:x86-64-v3", "cuda:emulate"]
NAMES = ("first", "second")


class Module:
    """A module and what it computes."""

    def __init__(self, module: types.ModuleType, operator: str) -> None:
        self.module, self.operator = module, operator

    @property
    def change(self) -> Callable:
        factor = self.module.FACTOR
        return (lambda x: x * factor) if self.operator == "*" else (lambda x: x + factor)


def make_modules(folder: Path, choose: random.Random) -> list[Module]:
    operators = []
    for name, other in (NAMES, NAMES[::-1]):
        operators.append(choose.choice("*+"))
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
        text = MODULE.format(
            imported=f"import {other}.kernels",
            other=f"{other}.kernels",
            factor=choose.randint(1, 3),
            step=choose.randint(1, 9),
            operator=operators[-1],
        )
        (folder / name / "kernels.py").write_text(text)
    for name in NAMES:
        for known in (name, f"{name}.kernels"):
            sys.modules.pop(known, None)
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        return [
            Module(importlib.import_module(f"{name}.kernels"), operator)
            for name, operator in zip(NAMES, operators, strict=True)
        ]
    finally:
        sys.path.remove(str(folder))


def laid_out(x: np.ndarray, choose: random.Random) -> np.ndarray:
    """The same elements, anywhere in memory."""
    way = choose.choice(["dense", "dense", "backwards", "column-major", "apart"])
    if way == "backwards":
        return np.ascontiguousarray(np.flip(x))[tuple(slice(None, None, -1) for _ in x.shape)]
    if way == "column-major":
        return np.asfortranarray(x)
    if way == "apart":
        wide = np.zeros([2 * size for size in x.shape], x.dtype)
        wide[tuple(slice(None, None, 2) for _ in x.shape)] = x
        return wide[tuple(slice(None, None, 2) for _ in x.shape)]
    return x


def make_input(choose: random.Random, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    numbers = np.random.default_rng(choose.randrange(1 << 30)).integers(0, 4, shape).astype(dtype)
    if choose.random() < 0.1 and shape and shape[0]:
        return np.broadcast_to(numbers[:1], shape)
    return laid_out(numbers, choose)


def expected(name: str, own: Module, other: Module, x: np.ndarray, scalar: int) -> np.ndarray:
    # Small whole numbers: no type rounds them.
    exact = x.astype(np.float64)
    if name == "plain":
        return own.change(exact) + 1
    if name == "any_size":
        return own.change(exact) - exact
    if name == "rows":
        return own.change(exact).sum(1, keepdims=True)
    if name == "halves":
        half = len(x) // 2
        return np.concatenate([other.change(exact[:half]), own.change(exact[half:])])
    return own.change(exact) * (scalar if name == "scaled" else 1)


def as_torch(x: np.ndarray) -> bool:
    return x.dtype != ml_dtypes.bfloat16 and all(stride >= 0 for stride in x.strides) and x.flags.writeable


def call(choose: random.Random, modules: list[Module], done: list[str]) -> None:
    """One call, whose result is as NumPy's."""
    at = choose.randrange(2)
    own, other = modules[at], modules[1 - at]
    if choose.random() < 0.15:
        own.module.FACTOR = choose.randint(1, 3)
    name = choose.choice(["plain", "plain", "any_size", "blocks", "blocks", "rows", "halves", "scaled"])
    is_typed = name in ("rows", "halves")
    rank = 2 if is_typed else choose.randint(1, 4)
    dtype = np.float32 if is_typed else choose.choice(DTYPES)
    shape = tuple(choose.choice([0, 1, 2, 3, 5, 8]) for _ in range(rank))
    x = make_input(choose, shape, dtype)
    scalar = choose.randint(0, 3)
    wanted = expected(name, own, other, x, scalar)
    out = laid_out(np.zeros(wanted.shape, dtype), choose)
    target = choose.choice(TARGETS)
    is_torch = as_torch(x) and as_torch(out) and choose.random() < 0.25
    done.append(
        f"{NAMES[at]}.{name} FACTOR={own.module.FACTOR} {np.dtype(dtype)}{list(shape)} {x.strides} {target} {is_torch}"
    )
    given = [torch.from_numpy(each) if is_torch else each for each in (x, out)]
    with tegula.config(target=target):
        getattr(own.module, name)(given[0], *([scalar] if name == "scaled" else []), given[1])
    np.testing.assert_array_equal(out.astype(np.float64), wanted)


def run(seed: int, calls: int = 40) -> str:
    """What goes wrong in a session; nothing if nothing does."""
    choose = random.Random(seed)
    done: list[str] = []
    with tempfile.TemporaryDirectory(prefix="tegula-calls-") as folder:
        modules = make_modules(Path(folder), choose)
        try:
            for _ in range(calls):
                call(choose, modules, done)
        except Exception as problem:
            text = " ".join(str(problem).split())[:500]
            return f"seed {seed}: {type(problem).__name__}: {text}\n  " + "\n  ".join(done)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        if problem := run(seed):
            wrong += 1
            print(problem, flush=True)
    print(f"{options.count - wrong} of {options.count} sessions of random calls agree with NumPy")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
