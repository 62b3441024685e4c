# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the Python package, from the build folder."""

import atexit
import os
import pathlib
import shutil
import sys
import tempfile

BUILD = pathlib.Path(os.environ.get("TEGULA_BIN", pathlib.Path(__file__).parents[2] / "build" / "bin")).parent
sys.path.insert(0, str(BUILD / "python"))

# Kernels of an earlier run, perhaps of another compiler, are not what is tested.
os.environ["TEGULA_CACHE_DIR"] = tempfile.mkdtemp(prefix="tegula-cache-")
atexit.register(shutil.rmtree, os.environ["TEGULA_CACHE_DIR"], ignore_errors=True)
