# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sizes of the model, fixed at compile time. Batch, pages and context lengths are dynamic."""

import tegula.language as pl

T = pl.dynamic("T")
PAGES = pl.dynamic("PAGES")
LONGEST = pl.dynamic("LONGEST")

DTYPE = pl.FP32
HIDDEN = 256
HEADS = 8
KV_HEADS = 2
GROUP = HEADS // KV_HEADS
HEAD_DIM = 32
HALF = HEAD_DIM // 2
INNER = 512
PAGE = 16
EPSILON = 1e-6
SCALE = HEAD_DIM**-0.5
LOWEST = -1e30

ROWS = 16
COLUMNS = 128
