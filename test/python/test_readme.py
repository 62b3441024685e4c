# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the README shows can be copied: its Python, run by the Python that `make` sets up, as a reader would."""

import os
import pathlib
import re
import subprocess

import pytest
from conftest import BUILD

ROOT = pathlib.Path(__file__).parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"


@pytest.mark.skipif(BUILD.resolve() != (ROOT / "build").resolve(), reason="that Python knows the build folder only")
def test_the_python_of_the_readme_runs(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 2, "the kernel, and its call"
    script = tmp_path / "readme.py"
    script.write_text("\n\n".join(blocks) + "\nprint(y.shape, round(float(y[0, 0]) * 256, 3))\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["TEGULA_CACHE_DIR"] = str(tmp_path / "cache")
    done = subprocess.run([PYTHON, script], capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120)
    assert (done.stdout, done.stderr) == ("(1000, 256) 1.0\n", "")
