# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package is found next to this folder; kernels of an earlier run are not."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
os.environ.setdefault("TEGULA_CACHE", "off")
