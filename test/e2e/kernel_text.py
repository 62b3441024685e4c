# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written inside a test: compiled, run, and compared with the interpreter."""

import os
import pathlib
import subprocess
import textwrap

import numpy as np
from tegula_library import ROOT, Kernel

HEADER = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
L = pl.dynamic("L")


@pl.jit
"""


def write_kernel(text: str, folder: pathlib.Path) -> pathlib.Path:
    """A file with one kernel; K, L, M and N are its symbols."""
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return path


KERNELS: dict[pathlib.Path, Kernel] = {}


def run_kernel(text: str, folder: pathlib.Path, **arguments) -> dict:
    """Runs the kernel on copies of the arguments and gives the arrays as they are then. The first call in a folder
    compiles it, and compares it with the interpreter; later ones are for other sizes."""
    results = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    if folder not in KERNELS:
        path = write_kernel(text, folder)
        KERNELS[folder] = Kernel(path)
        check(path, folder, **arguments)
    KERNELS[folder](*results.values())
    return results


def check(path: pathlib.Path, folder: pathlib.Path, **arguments) -> None:
    """Compares the compiled kernel with the reference interpreter."""
    binaries = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin"))
    command = [str(binaries / "tegula"), "run", str(path), "--check"]
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            np.save(folder / f"{name}.npy", value)
            command += ["--in", f"{name}={folder / name}.npy"]
        else:
            command += ["--scalar", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
