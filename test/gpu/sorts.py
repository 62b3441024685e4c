# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand where there is a GPU, on what `bench/gpu.py build LIBRARIES` wrote: sorts, scatters, running sums and the
like of all sizes, with equal elements, NaN, infinities and zeros of both signs, bit by bit as one thread has them.

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

WIDTHS = [0, 1, 2, 31, 32, 33, 63, 65, 127, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 4099, 9973, 70001]


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
    values, places = torch.sort(x, dim=1, descending=descending, stable=True)
    return values[:, :kept], places[:, :kept].int()


def sort_cases() -> Iterator[tuple]:
    for n in WIDTHS:
        m = 3 if n > 3000 else 67
        x = awkward(m, n)
        yield "sort", (x, empty(m, n), empty(m, n, dtype=torch.int32)), ordered(x, False, n)
        long = torch.randint(-(2**62), 2**62, (m, n)) // 2 ** torch.randint(0, 62, (m, n))
        outputs = (empty(m, n, dtype=torch.int64), empty(m, n, dtype=torch.int32))
        yield "sort_int64", (long, *outputs), ordered(long, False, n)
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
        for place in range(s):
            at = slice(place, place + 1)
            wanted.scatter_(1, i[:, at].long(), put[:, at])
        yield "scatter", (x, i, put, empty(m, n)), (wanted,)
    for n, m in [(0, 3), (1, 1), (1023, 1), (5000, 4099), (100003, 1), (100003, 1009), (1000003, 50021)]:
        i = numbers(m, n)
        yield "histogram", (i, empty(m, dtype=torch.int32)), (torch.bincount(i, minlength=m).int(),)
        x = torch.randn(n)
        yield "scatter_add", (x, i, empty(m)), (torch.zeros(m).index_add_(0, i, x),)
    for m, n in [(0, 3), (1, 1), (1100, 64), (9001, 3), (9001, 300), (100003, 5)]:
        x, i = torch.randn(m, n), numbers(SEGMENTS, m)
        yield "segment_sum", (x, i, empty(SEGMENTS, n)), (torch.zeros(SEGMENTS, n).index_add_(0, i, x),)


def check(kernel: Kernel, arguments: tuple, wanted: tuple) -> int:
    """Twice, as nothing may depend on which thread comes first."""
    wrong = 0
    for _ in range(2):
        given = [argument.cuda() for argument in arguments]
        kernel.prepare(*given)()
        torch.cuda.synchronize()
        found = [tensor.cpu() for tensor in given[-len(wanted) :]]
        for one, other in zip(found, wanted, strict=True):
            bits = {4: torch.int32, 8: torch.int64}[one.element_size()]
            if not torch.equal(one.contiguous().view(bits), other.contiguous().view(bits)):
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
