#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the tables of functions that `tegula help --markdown` prints into the pages of docs/ops."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
TABLE = re.compile(r"^\| function \|.*?\n(?!\|)", re.DOTALL | re.MULTILINE)


def main() -> int:
    command = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin")) / "tegula"
    for page in sorted((ROOT / "docs" / "ops").glob("*.md")):
        done = subprocess.run([command, "help", "--markdown", page.stem], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{page}: {done.stderr}")
        text = page.read_text()
        page.write_text(TABLE.sub(lambda _, table=done.stdout: table, text, count=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
