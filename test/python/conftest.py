# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the Python package, from the build folder."""

import os
import pathlib
import sys

BUILD = pathlib.Path(os.environ.get("TEGULA_BIN", pathlib.Path(__file__).parents[2] / "build" / "bin")).parent
sys.path.insert(0, str(BUILD / "python"))
