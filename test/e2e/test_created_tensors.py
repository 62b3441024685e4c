# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is in a tensor that a kernel makes, before anything is written to it."""

import os
import pathlib
import subprocess

import pytest
from kernel_text import write_kernel
from tegula_library import ROOT

BINARIES = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin"))
LATER = "    y[:] = x\n    for i in range(n):\n        if i > 0:\n            y[:] = t\n        t[:] = x\n"
HEAD = "def k(x: pl.Tensor[[M, 4], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):\n"
MADE = "    t = pl.create_tensor([M, 4], dtype=pl.FP32)\n"

REFUSED = {
    "nothing is written": "    y[:] = x + t\n",
    "written too late": "    y[:] = x + t\n    t[:] = x\n",
    "one element": "    y[:] = x\n    y[0, 0] = t[0, 0]\n",
    "a part": "    y[:] = x\n    y[0:1, :] = t[0:1, :]\n",
    "another shape": "    y[:] = pl.reshape(pl.reshape(t, [4 * M]), [M, 4])\n",
    "added to": "    pl.store(x + 0.0, [0, 0], t, atomic=pl.AtomicType.Add)\n    y[:] = t\n",
    "another branch": "    y[:] = x\n    if n > 3:\n        t[:] = x\n    else:\n        y[:] = t\n",
}
ACCEPTED = {
    "written": "    t[:] = x\n    y[:] = t\n",
    "written in part": "    t[0:1, :] = x[0:1, :]\n    y[:] = t\n",
    "written in a loop": LATER,
    "written if something holds": "    if n > 3:\n        t[:] = x\n    y[:] = t\n",
    "filled": "    u = pl.create_tensor([M, 4], dtype=pl.FP32, init_value=0.0)\n    y[:] = u\n",
    "only its shape is used": "    y[:] = x + pl.cast(t.shape[0], pl.FP32)\n",
}


def tegula(*words) -> subprocess.CompletedProcess:
    return subprocess.run([BINARIES / "tegula", *words], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("body", REFUSED)
def test_what_nothing_was_written_to_is_not_read(body, tmp_path):
    path = write_kernel(HEAD + MADE + REFUSED[body], tmp_path)
    done = tegula("check", path)
    assert done.returncode == 1
    assert "error: a tensor is read to which nothing has been written" in done.stderr
    assert f"{path}:12:9: note: made here; write to it first" in done.stderr


@pytest.mark.parametrize("body", ACCEPTED)
def test_what_may_have_been_written_is_read(body, tmp_path):
    path = write_kernel(HEAD + MADE + ACCEPTED[body], tmp_path)
    done = tegula("check", path)
    assert (done.returncode, "error" in done.stderr) == (0, False), done.stderr


def test_the_rest_is_zero_while_debugging(tmp_path):
    body = "    t[0:1, :] = x[0:1, :]\n    y[:] = t + 0.0\n"
    path = write_kernel(HEAD + MADE + body, tmp_path)
    for m in (1, 7, 300):
        done = tegula("run", path, "--dim", f"M={m}", "--scalar", "n=1", "--check", "--debug")
        assert done.returncode == 0 and "check y: ok" in done.stdout, done.stdout + done.stderr


def test_the_decorator_may_say_so(tmp_path):
    body = "    t[0:1, :] = x[0:1, :]\n    y[:] = t + 0.0\n"
    path = write_kernel(HEAD + MADE + body, tmp_path)
    assert tegula("ir", path, "--stage", "inferred").stdout.count("pl.store") == 2
    path.write_text(path.read_text().replace("@pl.jit\n", "@pl.jit(debug=True)\n"))
    assert tegula("ir", path, "--stage", "inferred").stdout.count("pl.store") == 3
