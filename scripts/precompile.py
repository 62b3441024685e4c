# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the compiler on a header, and writes a digest of all it read to OUTPUT.sum.

ccache takes OUTPUT.sum for the precompiled header itself, whose bytes differ between build folders.
"""

import hashlib
import subprocess
import sys
from pathlib import Path


def inputs(depfile: Path) -> list[str]:
    """Returns the files that a depfile names, its target left out."""
    text = depfile.read_text().replace("\\\n", " ")
    return text.split(": ", 1)[1].split()


def digest(names: list[str]) -> str:
    """Returns a digest of the files' bytes; of other precompiled headers, that of their sums."""
    total = hashlib.sha256()
    for name in names:
        path = Path(name)
        total_of = path.with_name(path.name + ".sum")
        total.update(hashlib.sha256((total_of if total_of.exists() else path).read_bytes()).digest())
    return total.hexdigest()


def main() -> None:
    command = sys.argv[1:]
    code = subprocess.run(command).returncode
    if code == 0:
        output = command[command.index("-o") + 1]
        depfile = Path(command[command.index("-MF") + 1])
        Path(f"{output}.sum").write_text(digest(inputs(depfile)) + "\n")
    sys.exit(code)


main()
