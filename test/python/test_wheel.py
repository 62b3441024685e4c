# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `make wheel` has put into dist: complete, and in need of nothing but the system's C and C++ libraries."""

import pathlib
import re
import subprocess
import zipfile

import pytest

WHEELS = sorted((pathlib.Path(__file__).parents[2] / "dist").glob("tegula-*.whl"))
pytestmark = pytest.mark.skipif(not WHEELS, reason="no wheel was built")

SYSTEM = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "libpthread.so.0"}
SYSTEM |= {"libdl.so.2", "librt.so.1"}
# Only where ranks run over MPI.
OPTIONAL = {"libtegula-mpi.so.0": {"libmpi.so.40"}}


@pytest.fixture(scope="module", params=WHEELS, ids=lambda path: path.name)
def package(request, tmp_path_factory):
    assert re.fullmatch(r"tegula-[\d.]+-cp3\d+-cp3\d+-manylinux_2_36_x86_64\.whl", request.param.name)
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(request.param) as wheel:
        wheel.extractall(folder)
    return folder / "tegula"


def test_holds_what_is_used_at_run_time(package):
    for name in ("bin/tegula", "bin/tegula-rank", "lib/libtegula.so.0", "lib/libtegula-launch.so.0",
                 "lib/libtegula-launch.a", "language/__init__.pyi", "py.typed", "torch/__init__.py",
                 "share/tegula/machines/tpuv3.toml", "include/tegula/runtime/CApi.h"):  # fmt: skip
        assert (package / name).is_file(), name


def test_needs_nothing_but_the_system(package):
    inside = {path.name for path in (package / "lib").iterdir()}
    programs = [path for path in package.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    assert len(programs) >= 7
    for path in programs:
        entries = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", entries))
        assert needed <= inside | SYSTEM | OPTIONAL.get(path.name, set()), path.name
        for folders in re.findall(r"\(RUNPATH\).*\[(.*)\]", entries):
            assert all(folder.startswith("$ORIGIN") for folder in folders.split(":")), path.name


def test_shows_nothing_of_llvm(package):
    library = package / "lib" / "libtegula.so.0"
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1] for line in symbols.splitlines()]
    assert "tegulaCompilerService" in names
    assert not [name for name in names if re.match(r"_Z(N|NK|TV|TI)(4llvm|4mlir|3lld)", name)]
