# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sorts, scans and scatters that bench/gpu.py measures."""

from collections.abc import Iterator

HEADER = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
S = pl.dynamic("S")


@pl.jit
"""
KEPT = 8
BODIES = {
    "sort": """def sort(x: pl.Tensor[[M, N], pl.FP32], v: pl.Out[pl.Tensor[[M, N], pl.FP32]],
         i: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    values, indices = pl.sort(x)
    v[:] = values
    i[:] = indices
""",
    "sort_int64": """def sort_int64(x: pl.Tensor[[M, N], pl.INT64], v: pl.Out[pl.Tensor[[M, N], pl.INT64]],
               i: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    values, indices = pl.sort(x)
    v[:] = values
    i[:] = indices
""",
    "sort_int8": """def sort_int8(x: pl.Tensor[[M, N], pl.INT8], v: pl.Out[pl.Tensor[[M, N], pl.INT8]],
              i: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    values, indices = pl.sort(x)
    v[:] = values
    i[:] = indices
""",
    "sort_list": """def sort_list(x: pl.Tensor[[N], pl.FP32], v: pl.Out[pl.Tensor[[N], pl.FP32]],
              i: pl.Out[pl.Tensor[[N], pl.INT32]]):
    values, indices = pl.sort(x)
    v[:] = values
    i[:] = indices
""",
    "topk": f"""def topk(x: pl.Tensor[[M, N], pl.FP32], v: pl.Out[pl.Tensor[[M, {KEPT}], pl.FP32]],
         i: pl.Out[pl.Tensor[[M, {KEPT}], pl.INT32]]):
    values, indices = pl.topk(x, {KEPT})
    v[:] = values
    i[:] = indices
""",
    "argmax": """def argmax(x: pl.Tensor[[M, N], pl.FP32], i: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
    i[:] = pl.row_argmax(x)
""",
    "cumsum": """def cumsum(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = pl.cumsum(x, axis=1)
""",
    "cumsum_columns": """def cumsum_columns(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = pl.cumsum(x, axis=0)
""",
    "scatter": """def scatter(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, S], pl.INT32],
            s: pl.Tensor[[M, S], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = pl.scatter(x, dim=-1, index=i, src=s)
""",
    "scatter_add": """def scatter_add(x: pl.Tensor[[N], pl.FP32], i: pl.Tensor[[N], pl.INT32],
                y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = pl.full([M], pl.FP32, 0.0)
    pl.mscatter(x, i, y, atomic=pl.AtomicType.Add)
""",
    "histogram": """def histogram(x: pl.Tensor[[N], pl.INT32], y: pl.Out[pl.Tensor[[S], pl.INT32]]):
    y[:] = pl.histogram(x, S)
""",
    "segment_sum": """def segment_sum(x: pl.Tensor[[M, N], pl.FP32], ids: pl.Tensor[[M], pl.INT32],
                y: pl.Out[pl.Tensor[[S, N], pl.FP32]]):
    y[:] = pl.segment_sum(x, ids, S)
""",
}
# Sizes, and whether older code, which counts or uses one thread per tile, is fast enough to compare.
SIZES = {
    "sort": [
        (1, 1, True),
        (97, 129, True),
        (4096, 64, True),
        (512, 1024, True),
        (4096, 1024, True),
        (1024, 4096, True),
        (64, 32768, False),
        (4, 262144, False),
        (1, 1048576, False),
    ],
    "sort_int64": [(512, 1024, True), (1024, 4096, True)],
    "sort_int8": [(512, 1024, False), (206, 32768, False)],
    "sort_list": [(1, 1000, True), (1, 32768, True), (1, 1048576, False)],
    "topk": [(4096, 64, True), (512, 1024, True), (4096, 4096, True), (64, 32768, False)],
    "argmax": [(4096, 64, True), (512, 1024, True), (4096, 8192, True), (8, 131072, True)],
    "cumsum": [(4096, 64, True), (512, 1024, True), (4096, 8192, True), (1, 262144, True)],
    "cumsum_columns": [(512, 1024, True), (8192, 4096, True)],
    "scatter": [(512, 1024, True), (4096, 4096, True)],
    "scatter_add": [(4096, 65536, True), (4096, 1048576, False)],
    "histogram": [(256, 65536, True), (256, 1048576, False)],
    "segment_sum": [(8192, 64, True), (65536, 64, False), (8192, 1024, True)],
}
SEGMENTS = 1000


def cases(name: str) -> Iterator[tuple]:
    """As the cases of gpu.py, with all outputs, and whether older code is measured too."""
    import torch

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, device="cuda")

    def numbers(below: int, *shape: int) -> torch.Tensor:
        return torch.randint(0, below, shape, device="cuda", dtype=torch.int32)

    def ordered(x: torch.Tensor, largest: bool) -> tuple:
        return torch.sort(x, dim=1, descending=largest, stable=True)

    for m, n, is_old in SIZES[name]:
        x, size = normal(m, n), f"{m}x{n}"
        i = torch.empty(m, KEPT if name == "topk" else 1 if name == "argmax" else n, device="cuda", dtype=torch.int32)
        v = torch.empty(i.shape, device="cuda")
        if name == "sort":
            yield size, (x, v, i), (v, i), lambda x=x: ordered(x, False), is_old
        elif name == "sort_list":
            rival = lambda x=x: [one[0] for one in ordered(x, False)]  # noqa: E731
            yield f"{n}", (x[0], v[0], i[0]), (v[0], i[0]), rival, is_old
        elif name in ("sort_int64", "sort_int8"):
            x = torch.randint(-(2**62), 2**62, (m, n), device="cuda")
            if name == "sort_int8":
                x = x.to(torch.int8)
            v = torch.empty_like(x)
            yield size, (x, v, i), (v, i), lambda x=x: ordered(x, False), is_old
        elif name == "topk":
            yield size, (x, v, i), (v, i), lambda x=x: torch.topk(x, KEPT), is_old
        elif name == "argmax":
            yield size, (x, i), (i,), lambda x=x: (torch.argmax(x, 1, keepdim=True),), is_old
        elif name.startswith("cumsum"):
            axis = 0 if name.endswith("columns") else 1
            yield size, (x, v), (v,), lambda x=x, a=axis: (torch.cumsum(x, a),), is_old
        elif name == "scatter":
            # Distinct indices: PyTorch does not define which of several writes stays.
            indices = normal(m, n).argsort(1)[:, : n // 4]
            s, y = normal(m, n // 4), torch.empty_like(x)
            rival = lambda x=x, p=indices, s=s: (torch.scatter(x, 1, p, s),)  # noqa: E731
            yield f"{m}x{n // 4} to {size}", (x, indices.int(), s, y), (y,), rival, is_old
        elif name == "scatter_add":
            x, indices, y = normal(n), numbers(m, n), normal(m)
            rival = lambda x=x, p=indices, m=m: (torch.zeros(m, device="cuda").index_add_(0, p, x),)  # noqa: E731
            yield f"{n} to {m}", (x, indices, y), (y,), rival, is_old
        elif name == "histogram":
            x, y = numbers(m, n), torch.empty(m, device="cuda", dtype=torch.int32)
            yield f"{n} in {m}", (x, y), (y,), lambda x=x, m=m: (torch.bincount(x, minlength=m),), is_old
        else:
            ids, y = numbers(SEGMENTS, m), normal(SEGMENTS, n)
            rival = lambda x=x, p=ids: (torch.zeros(SEGMENTS, x.shape[1], device="cuda").index_add_(0, p, x),)  # noqa: E731
            yield f"{size} to {SEGMENTS}", (x, ids, y), (y,), rival, is_old
