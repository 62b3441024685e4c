# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What GPUs take for attention is attention. Random changes of the example make something that is not taken, or a
kernel whose result on the CPU is that of the attention which was noted."""

import random
import re
import subprocess
from pathlib import Path

import numpy as np
from tegula_library import BINARIES, EXAMPLES, Kernel
from test_models import assert_close, blank, normal

NOTE = re.compile(r"cuda\.attention = #cuda\.attention<([^>]*)>")
# Some of these change nothing, some change what is computed, and some do so only together with others.
CHANGES = [
    ("QUERIES = 64", "QUERIES = 32"),
    ("KEYS = 64", "KEYS = 16"),
    ("CAUSAL = True", "CAUSAL = False"),
    ("LOWEST = -1e30", "LOWEST = -3e38"),
    ("LOWEST = -1e30", "LOWEST = -1.0"),
    ("past = SK - SQ", "past = SK - SQ - 1"),
    ("past = SK - SQ", "past = SK - SQ + 1"),
    ("past = SK - SQ", "past = 0"),
    ("* scale", "* 0.25"),
    ("* scale", "* scale * scale"),
    ("* scale", "+ scale"),
    ("columns <= rows", "rows >= columns"),
    ("columns <= rows, scores, LOWEST", "columns > rows, LOWEST, scores"),
    ("columns <= rows, scores, LOWEST", "rows > columns, LOWEST, scores"),
    ("columns <= rows, scores, LOWEST", "rows < columns, LOWEST, scores"),
    ("columns <= rows", "columns < rows"),
    ("columns <= rows", "columns <= rows + 1"),
    ("if CAUSAL and j + KEYS > past + i + 1:", "if CAUSAL:"),
    ("j + KEYS > past + i + 1:", "past + i < j + KEYS:"),
    ("j + KEYS > past + i + 1:", "j + KEYS > past + i + 3:"),
    ("j + KEYS > past + i + 1:", "j > past + i:"),
    ("min(past + i + QUERIES, SK)", "min(past + i + 2 * QUERIES, SK)"),
    ("min(past + i + QUERIES, SK)", "min(past + i + QUERIES - 1, SK)"),
    ("min(past + i + QUERIES, SK)", "SK"),
    ("pl.arange(past + i,", "pl.arange(past + i + 1,"),
    ("pl.arange(past + i,", "pl.arange(past,"),
    ("pl.arange(j,", "pl.arange(j + 1,"),
    ("pl.range(0,", "pl.range(KEYS,"),
    ("k[h, j : j + KEYS", "k[h, j + 1 : j + 1 + KEYS"),
    ("v[h, j :", "v[h // 2, j :"),
    ("k[h, j :", "k[h // 2, j :"),
    ("pl.maximum(largest, pl.row_max(scores))", "pl.maximum(pl.row_max(scores), largest)"),
    ("pl.maximum(largest, pl.row_max(scores))", "pl.row_max(scores)"),
    ("total * faded + pl.row_sum(weights)", "pl.row_sum(weights) + faded * total"),
    ("total * faded + pl.row_sum(weights)", "total + pl.row_sum(weights)"),
    ("largest - higher", "higher - largest"),
    ("row_expand_mul(result, faded)", "row_expand_mul(result, total)"),
    ("pl.row_expand_div(result, total)", "result * pl.recip(total)"),
    ("pl.row_expand_div(result, total)", "pl.recip(total) * total"),
    ("pl.matmul_acc(pl.row_expand_mul(result, faded), ", "result * faded + pl.matmul("),
]


def find_attention(path: Path) -> dict[str, str] | None:
    """The fields of the variant that was noted, if the kernel was taken."""
    tiles = subprocess.run(
        [BINARIES / "tegula", "ir", path, "--target", "cuda", "--stage", "tiles"], capture_output=True
    )
    if tiles.returncode != 0:
        return None
    command = [BINARIES / "tegula-opt", "--tegula-cuda-find-attention"]
    noted = subprocess.run(command, input=tiles.stdout, capture_output=True, check=True)
    found = NOTE.search(noted.stdout.decode())
    if not found:
        return None
    fields = (field.partition(" = ") for field in found[1].split(", "))
    return {name: value for name, _, value in fields}


def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float, variant: dict[str, str]) -> np.ndarray:
    if "scale_parameter" not in variant:
        scale = float(variant["scale"])
    is_causal, sharing = "causal" in variant, int(variant["heads_per_key_head"])
    heads = np.arange(q.shape[0]) // sharing
    q, k, v = q.astype(np.float64), k[heads].astype(np.float64), v[heads].astype(np.float64)
    scores = q @ k.transpose(0, 2, 1) * scale
    if is_causal:
        rows = np.arange(q.shape[1])[:, None] + k.shape[1] - q.shape[1]
        scores = np.where(np.arange(k.shape[1]) <= rows, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    return weights @ v / weights.sum(axis=2, keepdims=True)


def test_what_is_taken_is_attention(tmp_path):
    chance, rng = random.Random(7), np.random.default_rng(7)
    example = (EXAMPLES / "flash_attention_bf16.py").read_text()
    taken = 0
    for number in range(40):
        text = example
        changes = chance.sample(CHANGES, chance.choice((1, 1, 1, 2, 2, 3)))
        for before, after in changes:
            text = text.replace(before, after)
        path = tmp_path / f"changed_{number}.py"
        path.write_text(text)
        variant = find_attention(path)
        if variant is None:
            continue
        taken += 1
        kernel = Kernel(path)
        for heads, queries, keys in ((4, 70, 131), (2, 1, 40)):
            tensors = [normal(rng, heads, rows, 64, dtype="BF16") for rows in (queries, keys, keys)]
            out = blank(heads, queries, 64, dtype="BF16")
            kernel(*tensors, 0.5, out)
            assert_close(out, attend(*tensors, 0.5, variant).astype(out.dtype), None, f"{changes}")
    # Neither all nor none.
    assert 5 <= taken <= 20
