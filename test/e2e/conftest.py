# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that count compiles, or look at messages of the compiler, must not find kernels of an earlier run."""

import os

os.environ.setdefault("TEGULA_CACHE", "off")
