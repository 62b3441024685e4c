# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sizes that `tegula check --explain` shows are put to the test: they are what it says, and the call goes wrong."""

import importlib.util
import itertools
import json
import random
import re
import subprocess

import numpy as np
import pytest
from conftest import BUILD

import tegula

COUNT = 25
NAMES = ["M", "N", "n"]
HEADER = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
"""


def expression(source, depth=3):
    """Arithmetic on two sizes and a number, as text that means the same in Python."""
    if depth == 0 or source.random() < 0.2:
        return source.choice([*NAMES, str(source.randint(1, 9))])
    lhs, rhs = expression(source, depth - 1), expression(source, depth - 1)
    kind = source.choice(["+", "-", "*", "//", "%", "min", "max"])
    if kind in ("//", "%"):
        return f"({lhs} {kind} {source.randint(2, 9)})"
    return f"{kind}({lhs}, {rhs})" if kind in ("min", "max") else f"({lhs} {kind} {rhs})"


def condition(source):
    kind = source.choice(["<=", "==", "<", "!="])
    return f"{expression(source, 2)} {kind} {expression(source, 1)}"


def write(source, number):
    """One kernel of three lines, its index and what it assumes."""
    index, assumed = expression(source), condition(source)
    text = f"""
@pl.jit
def k{number}(n: pl.INDEX, x: pl.Tensor[[M], pl.FP32], z: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[1], pl.FP32]]):
    pl.assume({assumed})
    y[0] = x[{index} + 0 * n]
"""
    return text, index, assumed


@pytest.mark.parametrize("seed", [1, 2])
def test_examples_are_true(seed, tmp_path):
    source = random.Random(seed)
    shown = 0
    for number in range(COUNT):
        text, index, assumed = write(source, number)
        path = tmp_path / f"kernel{seed}_{number}.py"
        path.write_text(HEADER + text)
        found = subprocess.run(
            [BUILD / "bin" / "tegula", "check", path, "--explain", "--json"], capture_output=True, text=True, timeout=60
        )
        for remark in json.loads(found.stdout or "[]"):
            match = re.search(r"for (.*) it is (-?\d+) and the extent (\d+)", remark["message"])
            if match and "axis 0" in remark["message"]:
                check(path, number, match, index, assumed)
                shown += 1
    assert shown > COUNT // 4


def complete(sizes, assumed):
    """All sizes, those that are not said being small ones that meet what is assumed; None if there are none."""
    choices = [[sizes[name]] if name in sizes else range(0 if name.isupper() else -20, 20) for name in NAMES]
    for values in itertools.product(*choices):
        every = dict(zip(NAMES, values, strict=True))
        if eval(assumed, dict(every)):
            return every
    return None


def check(path, number, match, index, assumed):
    """What is said holds for Python's integers, and the kernel says so at these sizes."""
    said = {name: int(value) for name, value in (part.split(" = ") for part in match[1].split(", "))}
    where = f"{path.read_text()}\n{match[0]}"
    assert set(said) <= set(NAMES), where
    sizes = complete(said, assumed)
    assert sizes, where
    assert eval(index, dict(sizes)) == int(match[2]), where
    assert sizes["M"] == int(match[3]), where
    assert not 0 <= int(match[2]) < int(match[3]), where
    if max(sizes["M"], sizes["N"]) > 1000:
        return
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kernel = getattr(module, f"k{number}")
    x, z = np.ones(sizes["M"], np.float32), np.ones(sizes["N"], np.float32)
    with pytest.raises((tegula.RunError, tegula.CompileError), match="out of range"):
        kernel(sizes["n"], x, z)
