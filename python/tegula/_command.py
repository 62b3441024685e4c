# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `tegula` of an installed package: the program that is next to this file."""

import os
import sys


def main() -> None:
    path = os.path.join(os.path.dirname(__file__), "bin", "tegula")
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"tegula: cannot run '{path}': {error.strerror}")
