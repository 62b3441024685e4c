# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tutorials run, what they say holds, and they print what their comments show."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import BUILD

ROOT = pathlib.Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.py"))


@pytest.fixture
def outputs(monkeypatch):
    """The script that writes the comments."""
    monkeypatch.setenv("TEGULA_BIN", str(BUILD / "bin"))
    spec = importlib.util.spec_from_file_location("update_tutorials", ROOT / "scripts" / "update-tutorials.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", TUTORIALS, ids=[path.stem for path in TUTORIALS])
def test_tutorial_prints_what_it_shows(path, outputs):
    """If it does not: scripts/update-tutorials.py."""
    assert outputs.updated(path, outputs.load_site()) == path.read_text()


def test_a_tutorial_runs_as_a_script():
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    done = subprocess.run([sys.executable, TUTORIALS[1]], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("shown", "printed", "does_match"),
    [
        (["took 12 us"], "took 3.5 ms", True),
        (["took 12 us"], "needed 12 us", False),
        (["k.py:3:5: error"], "k.py:4:5: error", False),
        (["key ..., 2 variants"], "key 0123456789abcdef, 3 variants", True),
        (["first", "...", "last"], "first\na\nb\nlast", True),
        (["first", "...", "last"], "first\na\nb", False),
        (["a"], "a\nb", False),
    ],
)
def test_numbers_may_differ_and_words_may_not(shown, printed, does_match, outputs):
    assert outputs.matches(shown, printed) == does_match


def test_there_are_tutorials():
    assert len(TUTORIALS) == 10
