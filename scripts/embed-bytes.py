# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the bytes of a file as numbers with commas between, for C++ to include: embed-bytes.py FILE OUTPUT."""

import sys
from pathlib import Path

content = Path(sys.argv[1]).read_bytes()
lines = [",".join(str(byte) for byte in content[start : start + 32]) for start in range(0, len(content), 32)]
Path(sys.argv[2]).write_text(",\n".join(lines) + "\n")
