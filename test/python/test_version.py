# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One version, wherever it is asked for."""

import pathlib
import re
import subprocess

import pytest
from conftest import BUILD

import tegula

ROOT = pathlib.Path(__file__).parents[2]
VERSION = re.search(r"project\(Tegula VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def test_is_semantic_and_the_newest_of_the_changes():
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    newest = re.search(r"^## (\S+), (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest[1] == VERSION
    assert re.fullmatch(r"not released yet|\d{4}-\d{2}-\d{2}", newest[2])


def test_of_the_command():
    done = subprocess.run([BUILD / "bin" / "tegula", "--version"], capture_output=True, text=True, check=False)
    assert re.fullmatch(rf"tegula {re.escape(VERSION)}, LLVM 22\.\d+\.\d+\n", done.stdout)
    assert (done.returncode, done.stderr) == (0, "")


def test_of_the_package():
    assert tegula.__version__ == VERSION
    with pytest.raises(AttributeError, match="module 'tegula' has no attribute 'versoin'"):
        tegula.versoin  # noqa: B018


def test_stands_nowhere_else():
    stated = [
        f"{path}: {line}"
        for path in ("pyproject.toml", "python/tegula/__init__.py")
        for line in (ROOT / path).read_text().splitlines()
        if VERSION in line
    ]
    assert not stated
