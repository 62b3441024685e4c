# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small random graphs of operations as kernels, against eager mode, each at three sizes after one compile.

    python test/torch/random_graphs.py [--seed N] [--count N]

Every other graph goes through torch.compile, the others through tegula.torch.compile, for a target that spoils the
memory of intermediates as soon as nothing needs them: what still reads it, or reads what was never written, differs. A
third of the graphs is tried at size 0, and a third at 1. A graph that differs is named by
its seed, printed as its operations, and exits with 1.
"""

import argparse
import logging
import os
import random
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TEGULA_BIN", ROOT / "build/bin")).parent
sys.path.insert(0, str(BUILD / "python"))
os.environ.setdefault("TEGULA_CACHE_DIR", tempfile.mkdtemp(prefix="tegula-graphs-"))

import torch  # noqa: E402
from graph_operations import ASK, EXACT, IN_PLACE, ROUNDED  # noqa: E402

import tegula.torch  # noqa: E402

# What torch.export says of axes that it takes for constants.
logging.disable(logging.WARNING)

LARGEST = 1e6
NARROW = (torch.bfloat16, torch.float16)
TYPES = [torch.float32, torch.int64, torch.bfloat16, torch.float16, torch.float64, torch.int32, torch.int16, torch.int8]
TYPES += [torch.uint8, torch.bool]


def inputs(size: int, generator: torch.Generator, types: list[torch.dtype]) -> list[torch.Tensor]:
    def make(*shape: int) -> torch.Tensor:
        return torch.randint(-4, 5, shape, generator=generator)

    usual = [make(size, 4).float() / 2, make(size, 4), make(4).float(), make(size, 1).float()]
    return [
        value.abs().to(dtype) if dtype == torch.uint8 else value.to(dtype)
        for value, dtype in zip(usual, types, strict=True)
    ]


def apply(name: str, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return (EXACT.get(name) or ROUNDED[name])(left, right)


class Graph(torch.nn.Module):
    """Steps, and whether each value is exact, and was rounded to 16 bits."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.steps: list[tuple[str, int, int]] = []
        self.is_exact, self.is_coarse = [True] * count, False

    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, d: torch.Tensor) -> tuple[torch.Tensor, ...]:
        values = [a, b, c, d]
        for name, left, right in self.steps:
            values.append(apply(name, values[left], values[right]))
        return values[-1], values[-2], values[-3]


def is_small(value: torch.Tensor) -> bool:
    return value.numel() < 2000 and value.dim() < 5 and bool((value.float().abs() < LARGEST).all())


def is_whole(value: torch.Tensor) -> bool:
    """Few bits before and after the point, which no type rounds."""
    quarters = value.float() * 4
    return value.dtype not in NARROW or bool(((quarters == quarters.round()) & (quarters.abs() <= 128)).all())


def make_graph(seed: int) -> tuple[Graph, list[list[torch.Tensor]]]:
    """Steps that eager mode can take at the first size, and at the others."""
    choose = random.Random(seed)
    usual = [torch.float32, torch.int64, torch.float32, torch.float32]
    types = [choose.choice(TYPES) if seed % 2 and choose.random() < 0.5 else dtype for dtype in usual]
    sets = [inputs(size, torch.Generator().manual_seed(seed), types) for size in (5, seed % 3, 8)]
    values = [[value.clone() for value in given] for given in sets]
    graph = Graph(len(usual))
    length = choose.randint(3, 16)
    while len(graph.steps) < length:
        name = choose.choice([*EXACT, *ROUNDED])
        # What was made last is used most.
        count = len(graph.is_exact)
        left = max(choose.randrange(count), choose.randrange(count))
        right = choose.randrange(count)
        exact = graph.is_exact[left] and graph.is_exact[right]
        if name in ASK and not exact:
            continue
        try:
            # An attempt that fails leaves everything as it was.
            for made in values:
                apply(name, made[left].clone(), made[right].clone())
            found = [apply(name, made[left], made[right]) for made in values]
        except (RuntimeError, IndexError, TypeError, ValueError):
            if name in IN_PLACE:
                break
            continue
        if not all(is_small(value) for value in found):
            if name in IN_PLACE:
                break
            continue
        for made, value in zip(values, found, strict=True):
            made.append(value)
        graph.steps.append((name, left, right))
        graph.is_exact.append(exact and name in EXACT and all(is_whole(value) for value in found))
        graph.is_coarse |= found[0].dtype in NARROW or "autocast" in name
    return graph, sets


def assert_same(graph: Graph, run: Callable, given: list[torch.Tensor]) -> None:
    """The same results, and the same changes of what is given."""
    ours, theirs = ([value.clone() for value in given] for _ in range(2))
    wanted, found = graph(*theirs), run(*ours)
    for exact, result, value in zip(graph.is_exact[:-4:-1], found, wanted, strict=True):
        allowed = 5e-2 if graph.is_coarse and not exact else 1e-4
        finite = value.float()[torch.isfinite(value.float())].abs()
        largest = max(1.0, float(finite.max())) if finite.numel() else 1.0
        torch.testing.assert_close(result, value, rtol=allowed, atol=10 * allowed * largest, equal_nan=True)
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-3, equal_nan=True)


def compare(seed: int) -> str:
    """What differs; nothing if nothing does."""
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph, sets = make_graph(seed)
        try:
            # torch.export takes the size of such a pool for a constant.
            if seed % 2 or any(name == "max_pool1d" for name, _, _ in graph.steps):
                run = torch.compile(graph, backend="tegula", dynamic=True)
            else:
                run = tegula.torch.compile(graph, tuple(value.clone() for value in sets[0]), target="cpu:poison")
            for given in sets:
                assert_same(graph, run, given)
        except Exception as problem:
            text = " ".join(str(problem).split())[:300]
            return f"seed {seed}: {type(problem).__name__}: {text}\n  {graph.steps}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        if problem := compare(seed):
            wrong += 1
            print(problem, flush=True)
    print(f"{options.count - wrong} of {options.count} random graphs agree with eager mode")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
