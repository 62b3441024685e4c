# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check-tidy.py refuses functions that are too long."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST = 60


@pytest.fixture
def folder():
    """A build folder of one file, inside the tree: there the rules of the tree hold."""
    with tempfile.TemporaryDirectory(dir=ROOT, prefix="build-tidy-") as path:
        yield Path(path)


def check(folder: Path, lines: int) -> subprocess.CompletedProcess:
    """Checks a file with one function, which has so many lines after its head."""
    source = folder / "Long.cpp"
    source.write_text("int sum(int x) {\n" + (lines - 2) * "  x += 1;\n" + "  return x;\n}\n")
    command = {"directory": str(ROOT), "file": str(source), "arguments": ["clang++", "-c", str(source)]}
    (folder / "compile_commands.json").write_text(json.dumps([command]))
    script = [sys.executable, ROOT / "scripts/check-tidy.py", "--build", folder, source.relative_to(ROOT)]
    return subprocess.run(script, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not shutil.which("clang-tidy-22"), reason="there is no clang-tidy")
def test_a_function_may_have_sixty_lines_and_no_more(folder):
    fine = check(folder, LONGEST)
    assert (fine.returncode, fine.stdout) == (0, "")
    refused = check(folder, LONGEST + 1)
    assert refused.returncode == 1
    assert f"{LONGEST + 1} lines including whitespace and comments (threshold {LONGEST})" in refused.stdout
