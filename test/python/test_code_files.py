# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that debuggers and profilers can read, with the lines of the kernel."""

import os
import re
import subprocess
import sys

KERNEL = """
import numpy as np
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit(target="cpu:lines")
def triple(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    for i in pl.range(0, N, 64):
        y[i : i + 64] = x[i : i + 64] * 3.0


assert triple(np.ones(100, np.float32)).sum() == 300
"""
DUMP = "/usr/lib/llvm-22/bin/llvm-dwarfdump"


def test_code_is_in_a_folder(tmp_path):
    script, folder = tmp_path / "triple.py", tmp_path / "code"
    script.write_text(KERNEL)
    folder.mkdir()
    environment = {**os.environ, "TEGULA_CODE_DIR": str(folder), "TEGULA_CACHE_DIR": str(tmp_path / "cache")}
    # Compiled by the first process, and from the cache in the second.
    for count in (1, 2):
        subprocess.run([sys.executable, script], env=environment, check=True)
        assert len(list(folder.iterdir())) == count
    for library in folder.iterdir():
        lines = subprocess.run([DUMP, "--debug-line", library], capture_output=True, text=True, check=True).stdout
        assert '"triple.py"' in lines
        found = {int(line) for line in re.findall(r"^0x[0-9a-f]+ +(\d+)", lines, re.MULTILINE)}
        assert {10, 11} <= found and max(found) == 11


def test_a_folder_that_cannot_be_used_is_left_alone(tmp_path):
    script = tmp_path / "triple.py"
    script.write_text(KERNEL)
    environment = {**os.environ, "TEGULA_CODE_DIR": str(tmp_path / "missing")}
    subprocess.run([sys.executable, script], env=environment, check=True)
    assert not (tmp_path / "missing").exists()
