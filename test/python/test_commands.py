# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command that README and docs show is taken as it stands there; only sizes are smaller."""

import json
import os
import pathlib
import re
import shlex
import subprocess

import numpy as np
import pytest
from conftest import BUILD

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *ROOT.glob("editors/*/*.md"),
]
LARGEST = 200
# What is not run here, and why.
ELSEWHERE = {
    "make": "its targets are looked for in the Makefile",
    "ninja": "builds",
    "cmake": "configures",
    "cc": "compiles what other commands wrote",
    "ln": "changes the reader's home",
    "python": "needs a GPU, or is the reader's own program",
    "TEGULA_BIN=$PWD/build/bin": "runs tests",
    "pip": "installs",
}


def commands():
    for page in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
            for line in block.replace("\\\n", " ").splitlines():
                command = line.split("  #")[0].split(" # ")[0].strip()
                if command and not command.startswith("#"):
                    yield pytest.param(command, id=f"{page.stem}: {command[:60]}")


def shrink(word: str) -> str:
    """Sizes behind a `=` or a `..` become small; so that it takes no time."""
    if not re.match(r"[\w./:]*[A-Z]+=\d|.*,[A-Z]+=\d", word):
        return word
    return re.sub(r"(?<=[=.,])\d{3,}(?=[,.:+]|$)", str(LARGEST), word)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the commands take for granted."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "examples").symlink_to(ROOT / "examples")
    softmax = (ROOT / "examples" / "softmax.py").read_text()
    for name in ("old.py", "new.py"):
        (folder / name).write_text(softmax)
    np.save(folder / "x.npy", np.ones((5, 7), np.float32))
    one_size = "import tegula.language as pl\n\nM = pl.dynamic('M')\n"
    for name, kernel in (("a.py", "first"), ("b.py", "second")):
        head = f"def {kernel}(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):"
        text = f"\n\n@pl.jit\n{head}\n    y[:] = x + 1.0\n"
        (folder / name).write_text(one_size + text)
    (folder / "program.py").write_text((ROOT / "examples" / "ranks" / "allreduce.py").read_text())
    run(folder, "tegula build examples/gemm.py --target npu:tpuv3 -o gemm")
    run(folder, "tegula build a.py --target npu:tpuv4 -o c")
    machine = run(folder, "tegula sim --npu tpuv3 --print-machine")
    (folder / "mine.toml").write_text(machine.stdout)
    return folder


def run(folder: pathlib.Path, command: str) -> subprocess.CompletedProcess:
    words = [shrink(word) for word in shlex.split(command)]
    environment = {
        **os.environ,
        "PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
    return done


@pytest.mark.parametrize("command", commands())
def test_it_works(command, folder):
    first = shlex.split(command)[0]
    if first == "make":
        target = shlex.split(command)[1]
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), f"make {target}"
    elif first.startswith("build/bin/"):
        assert (BUILD / "bin" / pathlib.Path(first).name).exists()
    elif command.startswith("mpirun") and " python " in command:
        pytest.skip(ELSEWHERE["python"])
    elif first in ELSEWHERE:
        pytest.skip(ELSEWHERE[first])
    elif command.startswith(("tegula demo", "tegula lsp", "tegula serve", "tegula sim --fidelity")):
        # A test of their own has them; here their help.
        run(folder, f"tegula {shlex.split(command)[1]} --help")
    else:
        assert first in ("tegula", "mpirun"), f"who runs '{first}'?"
        run(folder, command)


def test_there_are_commands():
    assert len(list(commands())) > 40


def test_help_lists_every_command_and_readme_shows_it():
    overview = run(ROOT, "tegula --help").stdout
    listed = set(re.findall(r"^  tegula (\w+)", overview, re.MULTILINE))
    source = (ROOT / "tools" / "tegula.cpp").read_text()
    assert listed == {name.lower() for name in re.findall(r"\{describe(\w+)\(\)", source)}
    shown = set(re.findall(r"^tegula (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert listed <= shown, f"README.md does not show {listed - shown}"


def test_help_lists_every_name():
    listed = set(re.findall(r"^  pl\.([\w.]+)", run(ROOT, "tegula help pl").stdout, re.MULTILINE))
    import tegula.language as pl

    spaces = {"tensor", "tile", "JITFunction", "distributed", "array", "system", "prefetch"}
    missing = {name for name in dir(pl) if name not in listed} - spaces
    assert not missing
    for name in ("parallel", "exp", "Level", "FP32"):
        assert run(ROOT, f"tegula help pl.{name}").stdout.startswith(f"pl.{name}")


def test_what_json_says_is_json(folder):
    assert json.loads(run(folder, "tegula check examples/softmax.py --json").stdout) == []
