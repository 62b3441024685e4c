#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the tables that `tegula help --markdown` prints into the documentation: those of functions into the pages of
docs/ops, that of parameters without effect into docs/language.md."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs" / "ops").glob("*.md")), ROOT / "docs" / "language.md"]
TABLE = re.compile(r"^\| (?:function|parameters without effect) \|.*?\n(?!\|)", re.DOTALL | re.MULTILINE)


def main() -> int:
    command = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin")) / "tegula"
    for page in PAGES:
        theme = "ignored" if page.stem == "language" else page.stem
        done = subprocess.run([command, "help", "--markdown", theme], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{page}: {done.stderr}")
        text = page.read_text()
        page.write_text(TABLE.sub(lambda _, table=done.stdout: table, text, count=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
