# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type checkers agree with what examples and tutorials do, and editors find what names mean."""

import inspect
import json
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import BUILD

import tegula.language as pl

ROOT = pathlib.Path(__file__).parents[2]
FOLDERS = [
    ROOT / name for name in ("examples", "examples/decoder", "examples/ranks", "examples/torch", "docs/tutorials")
]
WRONG = """
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def twice(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]) -> None:
    y[:] = x * 2.0 + M


twice.lower(stage=3)
twice.unknown()
pl.sofmax
pl.exp(1, 2, 3)
text: int = twice.signature
"""


def check(checker: str, folder: pathlib.Path, *arguments: str) -> str:
    environment = {**os.environ, "MYPYPATH": str(BUILD / "python")}
    command = [sys.executable, "-m", checker, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment).stdout


def run_mypy(folder: pathlib.Path, cache: pathlib.Path) -> str:
    files = [path.name for path in sorted(folder.glob("*.py"))]
    return check("mypy", folder, "--strict", "--follow-imports=silent", f"--cache-dir={cache}", *files)


def run_pyright(folder: pathlib.Path, folders: list[pathlib.Path]) -> list[dict]:
    # Files that stand together import each other.
    settings = {
        "include": [os.path.relpath(each / "*.py", folder) for each in folders],
        "extraPaths": [str(path) for path in (BUILD / "python", *folders)],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    text = check("pyright", folder, "--pythonpath", sys.executable, "--outputjson", "-p", str(folder))
    found = json.loads(text)
    assert found["summary"]["filesAnalyzed"] > 0
    return [each for each in found["generalDiagnostics"] if each["severity"] == "error"]


def test_mypy_finds_nothing_wrong(tmp_path):
    for folder in FOLDERS:
        assert run_mypy(folder, tmp_path).startswith("Success"), folder


def test_pyright_finds_nothing_wrong(tmp_path):
    decoder = ROOT / "examples" / "decoder"
    others = [folder for folder in FOLDERS if folder != decoder]
    assert run_pyright(tmp_path, others) == []
    assert run_pyright(tmp_path, [decoder]) == []


def test_mypy_finds_mistakes(tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    found = run_mypy(tmp_path, tmp_path)
    assert [line.split(":")[1] for line in found.splitlines() if ": error:" in line] == ["12", "13", "14", "15", "16"]


def test_pyright_finds_mistakes(tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    found = run_pyright(tmp_path, [tmp_path])
    assert [each["range"]["start"]["line"] for each in found] == [11, 12, 13, 14, 15]


@pytest.mark.parametrize("name", sorted({*dir(pl)} - {"JITFunction", "distributed", "tensor", "tile"}))
def test_every_name_says_what_it_is(name):
    text = inspect.getdoc(getattr(pl, name))
    assert text and text.rstrip().endswith((".", ")", "`")), text


@pytest.mark.parametrize(
    "path", ["array.create", "tensor.exp", "distributed.allreduce", "system.syncall", "jit.incore"]
)
def test_names_below_others_do_too(path):
    found = pl
    for part in path.split("."):
        found = getattr(found, part)
    assert inspect.getdoc(found)


def test_signatures():
    assert str(inspect.signature(pl.exp)) == "(x)"
    assert [*inspect.signature(pl.parallel).parameters] == ["bounds", "independent", "init_values", "hints"]
    assert [*inspect.signature(pl.Level).parameters] == ["args", "kwargs"], "that of any name"
