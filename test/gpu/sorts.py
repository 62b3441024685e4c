# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand where there is a GPU, on what `bench/gpu.py build LIBRARIES` wrote: sorts, scatters, running sums and the
like of all sizes, with equal elements, NaN, infinities and zeros of both signs, bit by bit as one thread has them. Sums
that are rounded only have to be near those, and have the same bits in every call.

    python test/gpu/sorts.py LIBRARIES
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "bench"))

from gpu import Kernel  # noqa: E402
from gpu_sorts import KEPT, SEGMENTS  # noqa: E402

WIDTHS = [0, 1, 2, 31, 32, 33, 63, 65, 127, 511, 512, 513, 1023, 1024, 1025, 2049, 4095, 4096, 4097, 8193, 9973, 70001]
# Few rows that all blocks share, some more than there are blocks, and as many as there are.
LONG = [(1, 262147), (1, 1000003), (2, 100003), (4, 262144), (7, 16384), (64, 32768), (300, 5000), (2113, 4097)]
# Some at a time, now more and now fewer.
LONG += [(10, 500000), (206, 32768)]
BINS = [1, 255, 256, 257, 2047, 2048, 2049, 4096, 4097, 50021]


def awkward(*shape: int) -> Tensor:
    """Few numbers that differ, some of them special."""
    special = torch.tensor([float("nan"), float("inf"), float("-inf"), 0.0, -0.0])
    small = torch.randint(-20, 20, shape) / 4
    return torch.where(torch.rand(shape) < 0.1, special[torch.randint(0, 5, shape)], small)


def integers(*shape: int) -> Tensor:
    """As floats, so that sums are exact in every order."""
    return torch.randint(-50, 50, shape).float()


def numbers(below: int, *shape: int) -> Tensor:
    return torch.randint(0, max(below, 1), shape, dtype=torch.int32)


def empty(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.full(shape, 7, dtype=dtype)


def ordered(x: Tensor, descending: bool, kept: int) -> tuple[Tensor, Tensor]:
    values, indices = torch.sort(x, dim=1, descending=descending, stable=True)
    return values[:, :kept], indices[:, :kept].int()


def sort_cases() -> Iterator[tuple]:
    for m, n in [(3 if n > 3000 else 67, n) for n in WIDTHS] + LONG:
        x = awkward(m, n)
        yield "sort", (x, empty(m, n), empty(m, n, dtype=torch.int32)), ordered(x, False, n)
        long = torch.randint(-(2**62), 2**62, (m, n)) // 2 ** torch.randint(0, 62, (m, n))
        outputs = (empty(m, n, dtype=torch.int64), empty(m, n, dtype=torch.int32))
        yield "sort_int64", (long, *outputs), ordered(long, False, n)
        outputs = (empty(m, n, dtype=torch.int8), empty(m, n, dtype=torch.int32))
        yield "sort_int8", (long.to(torch.int8), *outputs), ordered(long.to(torch.int8), False, n)
        outputs = (empty(n), empty(n, dtype=torch.int32))
        yield "sort_list", (x[0], *outputs), [one[0] for one in ordered(x[:1], False, n)]
        if n >= KEPT:
            outputs = (empty(m, KEPT), empty(m, KEPT, dtype=torch.int32))
            yield "topk", (x, *outputs), ordered(x, True, KEPT)
        if n > 0:
            yield "argmax", (x, empty(m, 1, dtype=torch.int32)), ordered(x, True, 1)[1:]
        y = integers(m, n)
        yield "cumsum", (y, empty(m, n)), (torch.cumsum(y, 1),)
        yield "cumsum_columns", (y.t().contiguous(), empty(n, m)), (torch.cumsum(y.t(), 0),)


def put_cases() -> Iterator[tuple]:
    for m, n, s in [(1, 1, 1), (3, 33, 31), (2, 5, 1024), (5, 700, 1025), (300, 3, 20), (40, 40, 40)]:
        x, i, put = awkward(m, n), numbers(n, m, s), awkward(m, s)
        wanted = x.clone()
        for index in range(s):
            at = slice(index, index + 1)
            wanted.scatter_(1, i[:, at].long(), put[:, at])
        yield "scatter", (x, i, put, empty(m, n)), (wanted,)
    for n, m in [(0, 3), (1, 1), (1023, 1), (5000, 4099), (100003, 1), (100003, 1009), (1000003, 50021)]:
        yield from sum_cases(numbers(m, n), m)
    for m in BINS:
        for n in (4097, 16383, 16384, 16385, 65536, 300007):
            yield from sum_cases(numbers(m, n), m)
        in_order = numbers(m, 200003).sort().values
        for i in (in_order, in_order.flip(0), torch.full((200003,), m - 1, dtype=torch.int32)):
            yield from sum_cases(i, m)
    for m, n in [
        (0, 3),
        (1, 1),
        (1100, 64),
        (9001, 3),
        (9001, 300),
        (16385, 7),
        (100003, 5),
        (4097, 2049),
        (65536, 64),
    ]:
        i = numbers(SEGMENTS, m)
        for ids in (i, i.sort().values, i.sort().values.flip(0), torch.full_like(i, 7)):
            for x in (integers(m, n), torch.randn(m, n)):
                yield "segment_sum", (x, ids, empty(SEGMENTS, n)), (torch.zeros(SEGMENTS, n).index_add_(0, ids, x),)


def sum_cases(i: Tensor, bins: int) -> Iterator[tuple]:
    yield "histogram", (i, empty(bins, dtype=torch.int32)), (torch.bincount(i, minlength=bins).int(),)
    for x in (integers(len(i)), torch.randn(len(i))):
        sums = torch.zeros(bins, dtype=torch.float64).index_add_(0, i, x.double())
        yield "scatter_add", (x, i, empty(bins)), (sums,)


def is_right(found: Tensor, wanted: Tensor, is_rounded: bool) -> bool:
    if is_rounded:
        return torch.allclose(found.double(), wanted.double(), rtol=1e-4, atol=1e-2)
    bits = {1: torch.int8, 4: torch.int32, 8: torch.int64}[found.element_size()]
    return torch.equal(found.contiguous().view(bits), wanted.to(found.dtype).contiguous().view(bits))


def check(kernel: Kernel, arguments: tuple, wanted: tuple) -> int:
    """Twice, as nothing may depend on which thread comes first."""
    wrong, before = 0, None
    is_sum = kernel.name in ("scatter_add", "segment_sum")
    is_rounded = is_sum and not torch.equal(arguments[0], arguments[0].round())
    for _ in range(2):
        given = [argument.cuda() for argument in arguments]
        kernel.prepare(*given)()
        torch.cuda.synchronize()
        found = [tensor.cpu() for tensor in given[-len(wanted) :]]
        before = before or found
        for one, other, earlier in zip(found, wanted, before, strict=True):
            if not is_right(one, other, is_rounded) or not is_right(one, earlier, False):
                shapes = [tuple(argument.shape) for argument in arguments]
                print(f"{kernel.name} {shapes}: {(one != other).sum().item()} of {one.numel()} differ")
                wrong += 1
    return wrong


def main() -> None:
    folder, wrong, count = Path(sys.argv[1]).resolve(), 0, 0
    torch.set_num_threads(1)
    torch.manual_seed(0)
    kernels = {}
    for cases in (sort_cases(), put_cases()):
        for name, arguments, wanted in cases:
            kernel = kernels.setdefault(name, Kernel(folder, name))
            wrong += check(kernel, arguments, wanted)
            count += 2
    print(f"{count} calls, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
