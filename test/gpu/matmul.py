# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand: matmuls of all element types, sizes and layouts on a GPU, compared with FP64.

python test/gpu/matmul.py build LIBRARIES  # where Tegula is
python test/gpu/matmul.py run LIBRARIES [CHIP...]  # where the GPU is: needs torch; of all chips or these
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from gpu import Kernel

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

SOURCE = """import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")
N = pl.dynamic("N")


@pl.jit
def plain(a: pl.Tensor[[M, K], pl.{0}], b: pl.Tensor[[K, N], pl.{0}], c: pl.Out[pl.Tensor[[M, N], pl.{1}]]):
    c[:] = pl.matmul(a, b, out_dtype=pl.{1}, precision={2})


@pl.jit
def transposed(a: pl.Tensor[[K, M], pl.{0}], b: pl.Tensor[[N, K], pl.{0}], c: pl.Out[pl.Tensor[[M, N], pl.{1}]]):
    c[:] = pl.matmul(a, b, a_trans=True, b_trans=True, out_dtype=pl.{1}, precision={2})


@pl.jit
def scaled(
    a: pl.Tensor[[M, K], pl.{0}],
    b: pl.Tensor[[K, N], pl.{0}],
    scale: pl.Tensor[[1, N], pl.FP32],
    residual: pl.Tensor[[M, N], pl.BF16],
    c: pl.Out[pl.Tensor[[M, N], pl.BF16]],
):
    s = pl.cast(pl.matmul(a, b, out_dtype=pl.{1}, precision={2}), pl.FP32) * scale
    c[:] = pl.cast(s + pl.cast(residual, pl.FP32), pl.BF16)
"""
SUMS = {"FP32": "FP32", "BF16": "FP32", "FP16": "FP32", "INT8": "INT32", "UINT8": "INT32"}
SUMS |= {"FP8E4M3FN": "FP32", "FP8E5M2": "FP32"}
# FP32 that may be rounded, and FP8 whose accumulators may be.
ROUNDED = {"TF32": ("FP32", "tf32"), "E4M3FN": ("FP8E4M3FN", "fp8"), "E5M2": ("FP8E5M2", "fp8")}
SUMS |= dict.fromkeys(ROUNDED, "FP32")
KERNELS = ("plain", "transposed", "scaled")
# Code for sm_80 is text, which the driver assembles for later chips as well.
CHIPS = ("sm_90a", "sm_80")
LAYOUTS = ("dense", "padded", "odd", "transposed", "apart")
# How far results were off, as a share of the size of their terms.
furthest: dict[str, float] = {}


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for dtype, sums in SUMS.items():
        source = folder / f"products_{dtype}.py"
        elements, precision = ROUNDED.get(dtype, (dtype, None))
        source.write_text(SOURCE.format(elements, sums, repr(precision)))
        for chip in CHIPS:
            for kernel in KERNELS:
                target = folder / f"libproducts_{dtype}_{chip}_{kernel}.so"
                entry = f"{source}:{kernel}"
                command = [ROOT / "build/bin/tegula", "build", entry, "--target", f"cuda:{chip}", "-o", target]
                environment = {**os.environ, "TEGULA_PTXAS": ""} if chip == "sm_80" else None
                subprocess.run(command, check=True, env=environment)


def make(shape: tuple[int, int], dtype: str, layout: str) -> "torch.Tensor":
    """A matrix of random numbers that lies in memory in one of several ways."""
    import torch

    rows, columns = shape
    sizes = {
        "dense": (rows, columns),
        "padded": (rows, columns + 32 - columns % 16),
        "odd": (rows + 1, columns + 3),
        "transposed": (columns, rows),
        "apart": (rows, 2 * columns),
    }
    if dtype.endswith("INT8"):
        low = 0 if dtype == "UINT8" else -128
        type_ = torch.uint8 if dtype == "UINT8" else torch.int8
        memory = torch.randint(low, low + 256, sizes[layout], device="cuda", dtype=torch.int32).to(type_)
    else:
        types = {"FP32": torch.float32, "TF32": torch.float32, "BF16": torch.bfloat16, "FP16": torch.float16}
        types |= {"FP8E4M3FN": torch.float8_e4m3fn, "FP8E5M2": torch.float8_e5m2}
        types |= {"E4M3FN": torch.float8_e4m3fn, "E5M2": torch.float8_e5m2}
        type_ = types[dtype]
        memory = torch.randn(sizes[layout], device="cuda").to(type_)
    views = {"odd": memory[1:, 1:], "transposed": memory.t(), "apart": memory[:, ::2]}
    return views.get(layout, memory)[:rows, :columns]


def check(
    call: Callable[..., None], dtype: str, kernel: str, sizes: tuple[int, int, int], layouts: tuple[str, str, str]
) -> bool:
    """Whether all results are right, and what lies around them is as before."""
    import torch

    m, n, k = sizes
    is_transposed, is_exact = kernel == "transposed", dtype.endswith("INT8") and kernel != "scaled"
    a = make((k, m) if is_transposed else (m, k), dtype, layouts[0])
    b = make((n, k) if is_transposed else (k, n), dtype, layouts[1])
    left, right = (x.float().double().t() if is_transposed else x.float().double() for x in (a, b))
    wanted, size = left @ right, left.abs() @ right.abs()
    more = ()
    if kernel == "scaled":
        more = (torch.randn(1, n, device="cuda"), torch.randn(m, n, device="cuda").bfloat16())
        wanted = wanted * more[0].double() + more[1].double()
        size = size * more[0].double().abs() + more[1].double().abs()
    type_ = torch.bfloat16 if kernel == "scaled" else torch.int32 if is_exact else torch.float32
    around = torch.full((m + 2, n + 35), 77, device="cuda", dtype=type_)
    first = 1 if layouts[2] == "odd" else 0
    c = around[1 : m + 1, first : first + n]
    call(a, b, *more, c)
    torch.cuda.synchronize()
    rounding = 2.0**-8 * wanted.abs() if kernel == "scaled" else 0
    # Both operands of TF32 are rounded to the nearest; of FP8 tensor cores keep 13 bits behind the leading one of the
    # largest of 33 terms, of which random numbers seldom lose all that they could.
    factors = {"TF32": 2.0**-10 + 2.0**-22, "E4M3FN": 2.0**-10, "E5M2": 2.0**-10}.get(dtype, 0)
    limit = 0 if is_exact else rounding + (factors + (k + 8) * 2.0**-24) * size
    off = (c.double() - wanted).abs()
    if dtype in ROUNDED and kernel != "scaled" and off.numel():
        furthest[dtype] = max(furthest.get(dtype, 0.0), float((off / size.clamp(min=1e-30)).max()))
    is_right = bool((off <= limit).all())
    c.fill_(77)
    return is_right and bool((around == 77).all())


def load(folder: Path, dtype: str, chip: str, kernel: str) -> "Kernel":
    import ctypes

    from gpu import Kernel

    library = Kernel.__new__(Kernel)
    library.name = f"products_{dtype}_{chip}_{kernel}"
    library.function = getattr(ctypes.CDLL(str(folder / f"lib{library.name}.so")), kernel)
    return library


def roundings(bits: "torch.Tensor") -> "dict[str, torch.Tensor]":
    """What bits of FP32 become in TF32, by the ways to round."""
    size, sign = bits & 0x7FFFFFFF, bits & -0x80000000
    odd = (size >> 13) & 1
    return {
        "towards zero": size & ~0x1FFF | sign,
        "to the nearest, to even in the middle": (size + 0xFFF + odd) & ~0x1FFF | sign,
        "to the nearest, away from zero in the middle": (size + 0x1000) & ~0x1FFF | sign,
    }


def check_rounding(folder: Path, chip: str) -> bool:
    """How a chip rounds to TF32: a matmul with ones gives the rounded operand. Whether that is the nearest."""
    import torch

    side = 128
    # Exponents and signs of all kinds; each last 13 bits below, at and above the middle, behind even and odd ones.
    low = torch.tensor([0, 1, 0x0FFF, 0x1000, 0x1001, 0x1FFF, 0x2000, 0x2FFF, 0x3000, 0x3001, 0x3FFF])
    bits = torch.randint(0x20000000, 0x5F000000, (side, side)) & ~0x3FFF
    bits = (
        bits | low[torch.randint(0, len(low), (side, side))] | -0x80000000 * torch.randint(0, 2, (side, side))
    ).int()
    values, one = bits.cuda().view(torch.float32), torch.eye(side, device="cuda")
    product = load(folder, "TF32", chip, "plain")
    are_right = True
    for name, pair in {"left": (values, one), "right": (one, values)}.items():
        c = torch.empty(side, side, device="cuda")
        product.prepare(*pair, c)()
        found = c.view(torch.int32).cpu()
        ways = [way for way, wanted in roundings(bits).items() if bool((found == wanted).all())]
        print(f"TF32 on {chip}: the {name} operand is rounded", *ways or ["in no way that is known"])
        are_right &= any(way.startswith("to the nearest") for way in ways)
    odd = [0x7F800000, -0x00800000, 0x7FC00000, 0x7F800001, -1, 0x7F7FFFFF, 0x7F7FEFFF, 1, -0x80000000]
    c = torch.empty(len(odd), 1, device="cuda")
    product.prepare(torch.tensor(odd).int().cuda().view(torch.float32).reshape(-1, 1), torch.ones(1, 1).cuda(), c)()
    print(f"TF32 on {chip}: inf, -inf, three NaN, two of the largest, the least and -0 become", c.flatten().tolist())
    return are_right


def run(folder: Path, chips: list[str]) -> None:
    sides = [(1, 1, 1), (1, 129, 97), (65, 129, 97), (63, 65, 7), (64, 64, 8), (128, 128, 32), (129, 257, 33)]
    sides += [(257, 384, 515), (300, 1000, 1), (1000, 3, 1031), (70, 70, 5000), (0, 5, 5), (5, 0, 5), (5, 5, 0)]
    # Several tiles for each block of a chip, with whole columns and others.
    sides += [(2048, 2304, 1024), (2500, 2599, 700), (3000, 3000, 131)]
    wrong = sum(not check_rounding(folder, chip) for chip in chips)
    count = len(chips)
    for dtype in SUMS:
        for chip in chips:
            for kernel in KERNELS:
                library = load(folder, dtype, chip, kernel)
                for number, sizes in enumerate(sides):
                    for index, layout in enumerate(LAYOUTS):
                        layouts = (layout, LAYOUTS[(index + number) % len(LAYOUTS)], LAYOUTS[number % 3])
                        is_right = check(lambda *a: library.prepare(*a)(), dtype, kernel, sizes, layouts)  # noqa: B023
                        wrong, count = wrong + (not is_right), count + 1
                        if not is_right:
                            print(library.name, sizes, layouts, "WRONG")
    for dtype, share in furthest.items():
        print(f"{dtype}: off by {share:.2e} of the size of the terms at most")
    print(f"{wrong} of {count} are wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    libraries = Path(sys.argv[2]).resolve()
    if sys.argv[1] == "build":
        build(libraries)
    else:
        run(libraries, sys.argv[3:] or list(CHIPS))
