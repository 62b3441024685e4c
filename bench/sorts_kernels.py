# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of bench/sorts.py: for each kernel its source, data, results, rivals, and the target ratio."""

import numpy as np
import torch

HEADER = """
import tegula.language as pl
M = pl.dynamic("M")
N = pl.dynamic("N")
S = pl.dynamic("S")
"""
FP32, INT32 = np.float32, np.int32


def normal(*shapes: tuple) -> callable:
    return lambda random: [random.standard_normal(shape, dtype=FP32) for shape in shapes]


def topk(rows: int, columns: int, kept: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], v: pl.Out[pl.Tensor[[M, {kept}], pl.FP32]],
      i: pl.Out[pl.Tensor[[M, {kept}], pl.INT32]]):
    values, indices = pl.topk(x, {kept})
    v[:] = values
    i[:] = indices
"""
    outputs = [((rows, kept), FP32), ((rows, kept), INT32)]
    return {
        "text": text,
        "inputs": normal((rows, columns)),
        "outputs": outputs,
        "torch": lambda x: torch.topk(x, kept),
        "numpy": lambda x: np.argpartition(x, -kept, axis=1)[:, -kept:],
        "wanted": 2,
    }


def sort(rows: int, columns: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], v: pl.Out[pl.Tensor[[M, N], pl.FP32]],
      i: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    values, indices = pl.sort(x)
    v[:] = values
    i[:] = indices
"""
    return {
        "text": text,
        "inputs": normal((rows, columns)),
        "outputs": [((rows, columns), FP32), ((rows, columns), INT32)],
        "torch": lambda x: torch.sort(x, 1),
        "numpy": lambda x: np.take_along_axis(x, np.argsort(x, axis=1), 1),
        "wanted": 2,
    }


def merged_topk() -> dict:
    return topk(512, 1024, 16) | {"text": "topk", "kernel": "topk"}


def argmax(rows: int, columns: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
    i[:] = pl.row_argmax(x)
"""
    return {
        "text": text,
        "inputs": normal((rows, columns)),
        "outputs": [((rows, 1), INT32)],
        "torch": lambda x: torch.argmax(x, 1),
        "numpy": lambda x: np.argmax(x, 1),
        "wanted": 1,
    }


def cumsum(rows: int, columns: int, axis: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = pl.cumsum(x, axis={axis})
"""
    return {
        "text": text,
        "inputs": normal((rows, columns)),
        "outputs": [((rows, columns), FP32)],
        "torch": lambda x: torch.cumsum(x, axis),
        "numpy": lambda x: np.cumsum(x, axis),
        "wanted": 1,
        "atol": 1e-2,
    }


def histogram(count: int, bins: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[N], pl.INT32], y: pl.Out[pl.Tensor[[{bins}], pl.INT32]]):
    y[:] = pl.histogram(x, {bins})
"""
    return {
        "text": text,
        "inputs": lambda random: [random.integers(0, bins, count).astype(INT32)],
        "outputs": [((bins,), INT32)],
        "torch": lambda x: torch.bincount(x, minlength=bins),
        "numpy": lambda x: np.bincount(x, minlength=bins),
        "wanted": 1,
        "inductor": False,
    }


def histogram_of_floats(count: int, bins: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[{bins}], pl.INT32]]):
    y[:] = pl.histogram(x, {bins}, low=0.0, high=1.0)
"""
    return {
        "text": text,
        "inputs": lambda random: [random.random(count, dtype=FP32)],
        "outputs": [((bins,), INT32)],
        "torch": lambda x: torch.histc(x, bins, 0.0, 1.0),
        "numpy": lambda x: np.histogram(x, bins, (0.0, 1.0)),
        "wanted": 1,
        "inductor": False,
    }


def segments(rows: int, columns: int, count: int, name: str) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], ids: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[{count}, N], pl.FP32]]):
    y[:] = pl.segment_{name}(x, ids, {count})
"""

    def by_torch(x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        if name == "sum":
            return torch.zeros(count, columns).index_add_(0, ids, x)
        return torch.full((count, columns), torch.finfo(torch.float32).min).index_reduce_(0, ids, x, "amax")

    return {
        "text": text,
        "inputs": lambda random: [
            random.standard_normal((rows, columns), dtype=FP32),
            random.integers(0, count, rows).astype(INT32),
        ],
        "outputs": [((count, columns), FP32)],
        "torch": by_torch,
        "wanted": 1,
        "atol": 1e-3,
    }


def gather(rows: int, columns: int, kept: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, S], pl.INT32], y: pl.Out[pl.Tensor[[M, S], pl.FP32]]):
    y[:] = pl.gather(x, dim=-1, index=i)
"""
    return {
        "text": text,
        "inputs": lambda random: [
            random.standard_normal((rows, columns), dtype=FP32),
            random.integers(0, columns, (rows, kept)).astype(INT32),
        ],
        "outputs": [((rows, kept), FP32)],
        "torch": lambda x, i: torch.gather(x, 1, i.long()),
        "numpy": lambda x, i: np.take_along_axis(x, i, 1),
        "wanted": 1,
    }


def gather_rows(rows: int, columns: int, kept: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[S], pl.INT32], y: pl.Out[pl.Tensor[[S, N], pl.FP32]]):
    y[:] = pl.mgather(x, i)
"""
    return {
        "text": text,
        "inputs": lambda random: [
            random.standard_normal((rows, columns), dtype=FP32),
            random.integers(0, rows, kept).astype(INT32),
        ],
        "outputs": [((kept, columns), FP32)],
        "torch": lambda x, i: torch.index_select(x, 0, i),
        "numpy": lambda x, i: x[i],
        "wanted": 1,
    }


def scatter(rows: int, columns: int, put: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, S], pl.INT32], s: pl.Tensor[[M, S], pl.FP32],
      y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = pl.scatter(x, dim=-1, index=i, src=s)
"""

    def inputs(random: np.random.Generator) -> list:
        indices = random.permuted(np.tile(np.arange(columns, dtype=INT32), (rows, 1)), axis=1)[:, :put]
        return [
            random.standard_normal((rows, columns), dtype=FP32),
            indices,
            random.standard_normal((rows, put), dtype=FP32),
        ]

    return {
        "text": text,
        "inputs": inputs,
        "outputs": [((rows, columns), FP32)],
        "torch": lambda x, i, s: torch.scatter(x, 1, i.long(), s),
        "wanted": 1,
    }


def scatter_add(count: int, bins: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[N], pl.FP32], i: pl.Tensor[[N], pl.INT32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = pl.full([M], pl.FP32, 0.0)
    pl.mscatter(x, i, y, atomic=pl.AtomicType.Add)
"""
    return {
        "text": text,
        "inputs": lambda random: [
            random.standard_normal(count, dtype=FP32),
            random.integers(0, bins, count).astype(INT32),
        ],
        "outputs": [((bins,), FP32)],
        "torch": lambda x, i: torch.zeros(bins).index_add_(0, i, x),
        "numpy": lambda x, i: np.bincount(i, x, bins),
        "wanted": 1,
        "atol": 1e-2,
    }


def column_sum(rows: int, columns: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[1, N], pl.FP32]]):
    y[:] = pl.col_sum(x)
"""
    return {
        "text": text,
        "inputs": normal((rows, columns)),
        "outputs": [((1, columns), FP32)],
        "torch": lambda x: torch.sum(x, 0, keepdim=True),
        "numpy": lambda x: x.sum(0, keepdims=True),
        "wanted": 1,
        "atol": 1e-2,
    }


def depthwise(channels: int, rows: int, columns: int) -> dict:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[S, M, N], pl.FP32], w: pl.Tensor[[S, 3, 3], pl.FP32],
      y: pl.Out[pl.Tensor[[S, {rows - 2}, {columns - 2}], pl.FP32]]):
    for c in pl.parallel(S):
        for i in pl.parallel(0, {rows - 2}, 32):
            for j in pl.parallel(0, {columns - 2}, 64):
                acc = pl.full([32, 64], pl.FP32, 0.0)
                for a in pl.unroll(3):
                    for b in pl.unroll(3):
                        acc += x[c, i + a : i + a + 32, j + b : j + b + 64] * w[c, a, b]
                y[c, i : i + 32, j : j + 64] = acc
"""
    return {
        "text": text,
        "inputs": normal((channels, rows, columns), (channels, 3, 3)),
        "outputs": [((channels, rows - 2, columns - 2), FP32)],
        "torch": lambda x, w: torch.conv2d(x[None], w[:, None], groups=channels),
        "wanted": 0.8,
    }


def convolution(inputs: int, outputs: int, rows: int, columns: int) -> dict:
    """Pixels by channels, one matmul for each tap of the window."""
    text = f"""{HEADER}
C = {inputs}
@pl.jit
def k(x: pl.Tensor[[M, N, C], pl.FP32], w: pl.Tensor[[9, C, {outputs}], pl.FP32],
      y: pl.Out[pl.Tensor[[{rows - 2}, {columns - 2}, {outputs}], pl.FP32]]):
    for i in pl.parallel({rows - 2}):
        for j in pl.parallel(0, {columns - 2}, 64):
            acc = pl.full([64, {outputs}], pl.FP32, 0.0)
            for a in pl.range(3):
                for b in pl.range(3):
                    acc = pl.matmul_acc(acc, x[i + a, j + b : j + b + 64, :], w[3 * a + b])
            y[i, j : j + 64, :] = acc
"""

    def arrange(x: torch.Tensor, w: torch.Tensor) -> list:
        kernel = w.view(3, 3, inputs, outputs).permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
        return [x[None].permute(0, 3, 1, 2), kernel]

    return {
        "text": text,
        "inputs": normal((rows, columns, inputs), (9, inputs, outputs)),
        "outputs": [((rows - 2, columns - 2, outputs), FP32)],
        "arrange": arrange,
        "torch": lambda x, w: torch.conv2d(x, w)[0].permute(1, 2, 0),
        "wanted": 0.8,
        "atol": 1e-2,
    }


def unrolled_convolution(inputs: int, outputs: int, rows: int, columns: int) -> dict:
    """im2col first, then one matmul."""
    height, width = rows - 2, columns - 2
    case = convolution(inputs, outputs, rows, columns)
    case["text"] = f"""{HEADER}
C = {inputs}
@pl.jit
def k(x: pl.Tensor[[M, N, C], pl.FP32], w: pl.Tensor[[9, C, {outputs}], pl.FP32],
      y: pl.Out[pl.Tensor[[{height}, {width}, {outputs}], pl.FP32]]):
    windows = pl.create_tensor([{height * width}, 9 * C], dtype=pl.FP32)
    for i in pl.parallel({height}):
        for a in pl.range(3):
            for b in pl.range(3):
                start = (3 * a + b) * C
                windows[i * {width} : (i + 1) * {width}, start : start + C] = x[i + a, b : b + {width}, :]
    flat = pl.reshape(y, [{height * width}, {outputs}])
    flat[:] = pl.matmul(windows, pl.reshape(w, [9 * C, {outputs}]))
"""
    return case


CASES = {
    "topk 16 of 512x1024": topk(512, 1024, 16),
    "topk 8 of 4096x64": topk(4096, 64, 8),
    "topk 64 of 64x32768": topk(64, 32768, 64),
    "topk 1000 of 64x32768": topk(64, 32768, 1000),
    "topk by sort32 and mrgsort 512x1024": merged_topk(),
    "sort 512x1024": sort(512, 1024),
    "sort 4096x64": sort(4096, 64),
    "sort 4x262144": sort(4, 262144),
    "argmax 512x1024": argmax(512, 1024),
    "cumsum of rows 512x1024": cumsum(512, 1024, 1),
    "cumsum of columns 512x1024": cumsum(512, 1024, 0),
    "cumsum of one row of 1048576": cumsum(1, 1 << 20, 1),
    "histogram of 1048576 in 256": histogram(1 << 20, 256),
    "histogram of floats 1048576 in 100": histogram_of_floats(1 << 20, 100),
    "segment_sum 65536x64 to 1000": segments(65536, 64, 1000, "sum"),
    "segment_sum 262144x1 to 1000": segments(262144, 1, 1000, "sum"),
    "segment_max 65536x64 to 1000": segments(65536, 64, 1000, "max"),
    "gather 512x1024 of 512x4096": gather(512, 4096, 1024),
    "gather of 4096 rows of 1024": gather_rows(8192, 1024, 4096),
    "scatter 512x256 to 512x1024": scatter(512, 1024, 256),
    "scatter_add of 1048576 to 4096": scatter_add(1 << 20, 4096),
    "depthwise 3x3 32x130x130": depthwise(32, 130, 130),
    "convolution 3x3 58x58x64 to 64": convolution(64, 64, 58, 58),
    "convolution 3x3 30x30x128 to 128": convolution(128, 128, 30, 30),
    "convolution by im2col 3x3 58x58x64 to 64": unrolled_convolution(64, 64, 58, 58),
    "convolution by im2col 3x3 30x30x128 to 128": unrolled_convolution(128, 128, 30, 30),
    "sum of columns 512x1024": column_sum(512, 1024),
    "sum of columns 4096x1024": column_sum(4096, 1024),
    "sum of columns 5000x64": column_sum(5000, 64),
}
