# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the Python package, from the checkout."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
