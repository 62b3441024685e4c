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
from torch.nn import functional  # noqa: E402

import tegula.torch  # noqa: E402

# What torch.export says of axes that it takes for constants.
logging.disable(logging.WARNING)

# Exact operations give the same in any order of summation on the small numbers that inputs are, and questions are only
# asked of such; the others may be off by a rounding.
EXACT: dict[str, Callable] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: torch.sub(x, y, alpha=2),
    "rsub": lambda x, _: 3 - x,
    "mul": lambda x, y: x * y,
    "half": lambda x, _: x * 0.5,
    "neg": lambda x, _: -x,
    "abs": lambda x, _: x.abs(),
    "relu": lambda x, _: functional.relu(x),
    "clamp": lambda x, _: x.clamp(-1, 2),
    "maximum": lambda x, y: torch.maximum(x, y),
    "where": lambda x, y: torch.where(x > y, x, y - 1),
    "masked_fill": lambda x, y: x.masked_fill(y == 0, 2),
    "sign": lambda x, _: torch.sign(x),
    "floor": lambda x, _: torch.floor(x.float()),
    "round": lambda x, _: torch.round(x.float()),
    "floor_divide": lambda x, _: torch.div(x, 3, rounding_mode="floor"),
    "remainder": lambda x, _: torch.remainder(x, 3),
    "long": lambda x, _: x.long(),
    "float": lambda x, _: x.float(),
    "bool": lambda x, _: (x > 0).float() + (x <= 1),
    "sum": lambda x, _: x.sum(0),
    "sum, kept": lambda x, _: x.sum(-1, keepdim=True),
    "amax": lambda x, _: x.amax(-1, keepdim=True),
    "argmax": lambda x, _: x.argmax(0),
    "any": lambda x, _: x.bool().any(-1),
    "cumsum": lambda x, _: x.cumsum(0),
    "transpose": lambda x, _: x.transpose(0, -1),
    "unsqueeze": lambda x, _: x.unsqueeze(-1),
    "flatten": lambda x, _: x.flatten(),
    "expand": lambda x, _: x.unsqueeze(0).expand(3, *x.shape),
    "cat": lambda x, y: torch.cat([x, y], 0),
    "stack": lambda x, _: torch.stack([x, x + 1], -1),
    "slice": lambda x, _: x[1:],
    "slice from the end": lambda x, _: x[..., :-1],
    "every other": lambda x, _: x[::2],
    "select": lambda x, _: x[0],
    "flip": lambda x, _: x.flip(0),
    "roll": lambda x, _: x.roll(1, 0),
    "chunk": lambda x, _: x.chunk(2, -1)[0],
    "pad": lambda x, _: functional.pad(x, (1, 2)),
    "tril": lambda x, _: x.tril(),
    "sort": lambda x, _: x.sort(-1)[0],
    "topk": lambda x, _: x.float().topk(2, -1)[0],
    "gather": lambda x, _: x[torch.arange(x.shape[0]) // 2],
    "index_put": lambda x, _: x.index_put((torch.arange(x.shape[0]) // 2,), x[:1].flatten()[0]),
    "changed": lambda x, _: x.clone().mul_(2).add_(1),
    "changed in part": lambda x, _: _change(x),
    "matmul": lambda x, y: x.float() @ y.float(),
    "outer": lambda x, y: x.flatten().unsqueeze(1) * y.flatten(),
    "avg_pool1d": lambda x, _: functional.avg_pool1d(x.float().reshape(1, 1, -1), 2),
    "max_pool1d": lambda x, _: functional.max_pool1d(x.float().reshape(1, 1, -1), 3, 2, 1),
}
ROUNDED: dict[str, Callable] = {
    "exp": lambda x, _: torch.exp(x.float().clamp(max=3)),
    "sigmoid": lambda x, _: torch.sigmoid(x.float()),
    "tanh": lambda x, _: torch.tanh(x.float()),
    "gelu": lambda x, _: functional.gelu(x.float()),
    "softmax": lambda x, _: functional.softmax(x.float(), -1),
    "layer_norm": lambda x, _: functional.layer_norm(x.float(), x.shape[-1:]),
    "mean": lambda x, _: x.float().mean(-1),
    "var": lambda x, _: x.float().var(-1, unbiased=False),
    "div": lambda x, y: x / (y.abs() + 1),
    "rsqrt": lambda x, _: torch.rsqrt(x.abs() + 1),
    "logsumexp": lambda x, _: x.float().logsumexp(-1),
}
# Operations that ask: a rounding may change what they say.
ASK = "where masked_fill sign floor round floor_divide remainder long bool argmax any sort topk".split()
LARGEST = 1e6


def _change(x: torch.Tensor) -> torch.Tensor:
    y = x + 0
    y[0] = 1
    y[-1:] += 2
    return y


def inputs(size: int, generator: torch.Generator) -> list[torch.Tensor]:
    def make(*shape: int) -> torch.Tensor:
        return torch.randint(-4, 5, shape, generator=generator)

    return [make(size, 4).float() / 2, make(size, 4), make(4).float(), make(size, 1).float()]


class Graph(torch.nn.Module):
    def __init__(self, steps: list[tuple[str, int, int]]) -> None:
        super().__init__()
        self.steps = steps

    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, d: torch.Tensor) -> tuple[torch.Tensor, ...]:
        values = [a, b, c, d]
        for name, left, right in self.steps:
            values.append((EXACT.get(name) or ROUNDED[name])(values[left], values[right]))
        return values[-1], values[-2], values[-3]


def is_small(value: torch.Tensor) -> bool:
    return value.numel() < 2000 and value.dim() < 5 and bool((value.float().abs() < LARGEST).all())


def make_graph(seed: int) -> tuple[Graph, list[torch.Tensor]]:
    """Steps that eager mode can take at the first size, and at the others."""
    choose = random.Random(seed)
    sets = [inputs(size, torch.Generator().manual_seed(seed)) for size in (5, seed % 3, 8)]
    values = [list(given) for given in sets]
    is_exact = [True] * len(sets[0])
    steps: list[tuple[str, int, int]] = []
    length = choose.randint(3, 16)
    while len(steps) < length:
        name = choose.choice([*EXACT, *ROUNDED])
        # What was made last is used most.
        left = max(choose.randrange(len(is_exact)), choose.randrange(len(is_exact)))
        right = choose.randrange(len(is_exact))
        exact = is_exact[left] and is_exact[right]
        if name in ASK and not exact:
            continue
        try:
            found = [(EXACT.get(name) or ROUNDED[name])(made[left], made[right]) for made in values]
        except (RuntimeError, IndexError, TypeError):
            continue
        if not all(is_small(value) for value in found):
            continue
        for made, value in zip(values, found, strict=True):
            made.append(value)
        steps.append((name, left, right))
        is_exact.append(exact and name in EXACT)
    return Graph(steps), sets


def compare(seed: int) -> str:
    """What differs; nothing if nothing does."""
    graph, sets = make_graph(seed)
    torch._dynamo.reset()
    tegula.torch.forget()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            # torch.export takes the size of such a pool for a constant.
            if seed % 2 or any(name == "max_pool1d" for name, _, _ in graph.steps):
                run = torch.compile(graph, backend="tegula", dynamic=True)
            else:
                run = tegula.torch.compile(graph, tuple(sets[0]), target="cpu:poison")
            for given in sets:
                for found, expected in zip(run(*given), graph(*given), strict=True):
                    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-3, equal_nan=True)
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
