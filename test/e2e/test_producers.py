# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tells a simulator the steps of a kernel, as files: every example costs the same as from its source."""

import json
import pathlib
import shutil
import subprocess

import pytest
from tegula_library import BINARIES, EXAMPLES
from test_kernels import CASES

SCALARS = {"add_scalar": ["--scalar=a=2"]}


def tegula(*words: object) -> str:
    run = subprocess.run([BINARIES / "tegula", *map(str, words)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def simulate(what: pathlib.Path, name: str, *options: str) -> dict:
    dims = [f"--dim={dim}={values[-1]}" for dim, values in CASES[name].sizes.items()]
    return json.loads(tegula("sim", what, *dims, *SCALARS.get(name, []), "--json", *options))


@pytest.mark.parametrize("name", CASES)
def test_a_producer_is_as_fast_as_its_source(name: str, tmp_path: pathlib.Path) -> None:
    tegula("build", EXAMPLES / f"{name}.py", "--target", "npu:edge8x8", "-o", tmp_path / "made")
    from_files = simulate(tmp_path / "made.json", name)
    assert from_files == simulate(EXAMPLES / f"{name}.py", name, "--npu=edge8x8")
    assert from_files["runs"][0]["summary"]["cycles"] > 0


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_the_c_source_replaces_the_library(tmp_path: pathlib.Path) -> None:
    tegula("build", EXAMPLES / "softmax.py", "--target", "npu:tpuv3", "-o", tmp_path / "softmax")
    before = simulate(tmp_path / "softmax.json", "softmax")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "softmax.so", tmp_path / "softmax.c"], check=True)
    description = json.loads((tmp_path / "softmax.json").read_text())
    description["library_digest"] = ""
    (tmp_path / "softmax.json").write_text(json.dumps(description))
    assert simulate(tmp_path / "softmax.json", "softmax") == before


def test_what_depends_on_data_has_no_c_source(tmp_path: pathlib.Path) -> None:
    written = tegula("build", EXAMPLES / "embedding_kv_cache.py", "--target", "npu:tpuv3", "-o", tmp_path / "e.so")
    assert [pathlib.Path(line.split()[0]).name for line in written.splitlines()] == ["e.json", "e.so"]
    assert json.loads((tmp_path / "e.json").read_text())["obstacle"]
