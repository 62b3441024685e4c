# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand where there is a GPU, on what `bench/gpu_rows.py build LIBRARIES` wrote: rows in many styles, at widths
around vectors, warps and the widths of versions, in several layouts.

    python test/gpu/rows.py LIBRARIES
"""

import itertools
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "bench"))

from gpu_rows import NAMES, inputs, load, rival  # noqa: E402

WIDTHS = (1, 31, 32, 33, 127, 128, 129, 256, 1023, 1024, 2050, 4096, 4097, 8192, 8193, 262144)
ROWS = (2, 34, 70)
LAYOUTS = ("dense", "not aligned")


def arrange(layout: str, tensor: torch.Tensor) -> torch.Tensor:
    """The same numbers, lying in memory in one of several ways."""
    if layout == "dense":
        return tensor
    around = torch.full([*tensor.shape[:-1], tensor.shape[-1] + 1], 7.0, device="cuda").to(tensor.dtype)
    around[..., 1:] = tensor
    return around[..., 1:]


def is_right(folder: Path, name: str, layout: str, rows: int, columns: int) -> bool:
    arguments = inputs(name, rows, columns)
    wanted = rival(name)(*arguments)
    arguments = [arrange(layout, each) if isinstance(each, torch.Tensor) else each for each in arguments]
    found = [arrange(layout, torch.full_like(each, 3)) for each in wanted]
    load(folder, name).prepare(*arguments, *found)()
    torch.cuda.synchronize()
    for ours, theirs in zip(found, wanted, strict=True):
        scale = max(1.0, theirs.float().abs().max().item() / 4)
        # A quotient that is rounded to an integer may be off by one.
        tolerance = 1.0 if ours.dtype == torch.int8 else 2e-2 * scale
        if not torch.allclose(ours.float(), theirs.float(), rtol=2e-2, atol=tolerance):
            error = (ours.float() - theirs.float()).abs().max().item()
            print(f"{name} {rows} x {columns} {layout}: error {error:.1e}")
            return False
        if layout != "dense" and not bool((ours._base[..., 0] == 7).all()):
            print(f"{name} {rows} x {columns} {layout}: the rest is LOST")
            return False
    return True


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    # A sanitizer is slow: the number after the folder leaves out most of the sizes.
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cases = list(itertools.product(NAMES, LAYOUTS, ROWS, WIDTHS))[::every]
    wrong = 0
    for name, layout, rows, columns in cases:
        torch.manual_seed(rows + columns)
        wrong += not is_right(folder, name, layout, rows, columns)
    print(f"{len(cases)} calls, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
