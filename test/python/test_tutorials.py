# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tutorials run, and what they say holds."""

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import BUILD

TUTORIALS = sorted((pathlib.Path(__file__).parents[2] / "docs" / "tutorials").glob("*.py"))


@pytest.mark.parametrize("path", TUTORIALS, ids=[path.stem for path in TUTORIALS])
def test_tutorial(path):
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_tutorials():
    assert len(TUTORIALS) == 10
