# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `make deb` has put into dist: the right files, and the packages that they need."""

import pathlib
import re
import subprocess

import pytest

DIST = pathlib.Path(__file__).parents[2] / "dist"
PACKAGES = {path.name.split("_")[0]: path for path in sorted(DIST.glob("*.deb"))}
pytestmark = pytest.mark.skipif(not PACKAGES, reason="no package was built")


def ask(*words):
    return subprocess.run(["dpkg-deb", *words], capture_output=True, text=True, check=True).stdout


def test_there_are_two():
    assert sorted(PACKAGES) == ["python3-tegula", "tegula"]


def test_of_the_command_and_the_libraries():
    needed = ask("--field", PACKAGES["tegula"], "Depends")
    assert {"libllvm22", "libmlir-22", "libstdc++6"} <= set(re.findall(r"[\w+.-]+", needed))
    assert "-dev" not in needed
    files = ask("--contents", PACKAGES["tegula"])
    for name in ("bin/tegula", "bin/tegula-rank", "lib/libtegula.so.0", "lib/libtegula-launch.a",
                 "lib/cmake/Tegula/TegulaConfig.cmake", "include/tegula/runtime/Compiler.h"):  # fmt: skip
        assert f"./usr/{name}" in files, name


def test_of_python():
    version = ask("--field", PACKAGES["tegula"], "Version").strip()
    needed = ask("--field", PACKAGES["python3-tegula"], "Depends")
    assert f"tegula (= {version})" in needed and re.search(r"python3 \(<< 3\.\d+\)", needed)
    files = ask("--contents", PACKAGES["python3-tegula"])
    assert files.count("/_tegula.cpython-") == 1 and "/tegula/torch/__init__.py" in files and "/py.typed" in files
    assert "__pycache__" not in files
