# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that clang-format would change nothing; with --fix, lets it."""

import subprocess
import sys

from tree import ALL, files


def main() -> None:
    sources = [str(path) for path in files(ALL, (".h", ".cpp", ".c"))]
    mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
    sys.exit(subprocess.call(["clang-format-22", *mode, *sources]) if sources else 0)


main()
