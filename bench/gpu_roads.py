# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares tuned variants of GPU kernels with what they are compiled to without, interleaved in one run.

    python bench/gpu_roads.py build LIBRARIES [KERNEL...]   # where Tegula is: each kernel twice
    python bench/gpu_roads.py run LIBRARIES RESULTS         # where the GPU is: needs torch and the output of `build`

The kernels are those of gpu.py, at its larger sizes. `general` in a target switches the tuned variants off, so that
tiles are registers by their layouts (decision 0081). Prints a table, and writes it to RESULTS: microseconds, the tuned
variant's time / the general one's (above 1, the general one is faster), and PyTorch's time / the general one's.
"""

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gpu
import gpu_sorts

NAMES = tuple(name for name in gpu.KERNELS if name not in gpu_sorts.BODIES and not name.endswith("_sm_80"))
# A kernel's sizes are those with so many elements, or multiply-adds, at least.
LEAST = {"bytes": 2**24, "operations": 2**31}
WORDS = "cuda:sm_90a,general"


def build(folder: Path, names: list[str]) -> None:
    gpu.build(folder, names)
    for name in names:
        entry = f"{folder / name}.py:{gpu.entry_of(name)}"
        command = [gpu.ROOT / "build/bin/tegula", "build", entry, "--target", WORDS]
        subprocess.run([*command, "-o", folder / f"lib{name}_general.so"], check=True)


def load(folder: Path, name: str) -> gpu.Kernel:
    kernel = gpu.Kernel.__new__(gpu.Kernel)
    kernel.name = f"{name}, general"
    kernel.function = getattr(ctypes.CDLL(str(folder / f"lib{name}_general.so")), gpu.entry_of(name))
    return kernel


def rows(folder: Path, name: str) -> Iterator[str]:
    import torch

    tuned, general = gpu.Kernel(folder, name), load(folder, name)
    for size, arguments, output, rivals, moved, operations in gpu.cases(name, folder):
        if moved < LEAST["bytes"] and operations < LEAST["operations"]:
            continue
        calls = {"torch": rivals["torch"]}
        errors = {}
        for word, kernel in (("tuned", tuned), ("general", general)):
            output.fill_(float("nan") if output.is_floating_point() else -1)
            calls[word] = kernel.prepare(*arguments)
            calls[word]()
            torch.cuda.synchronize()
            errors[word] = gpu.error_of(output, rivals["torch"]())
        times = gpu.microseconds(calls, rounds=3)
        ours, tuned_time, theirs = times["general"], times["tuned"], times["torch"]
        yield (
            f"| {name} | {size} | {tuned_time:.1f} | {ours:.1f} | {theirs:.1f} | {tuned_time / ours:.2f} "
            f"| {theirs / ours:.2f} | {errors['tuned']:.1e}, {errors['general']:.1e} |"
        )


def run(folder: Path, results: Path) -> None:
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    lines = [
        f"{torch.cuda.get_device_name()}, torch {torch.__version__}",
        "",
        "| kernel | size | tuned, µs | general, µs | torch, µs | tuned / general | torch / general | largest errors |",
        "|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name in NAMES:
        if not (folder / f"lib{name}_general.so").exists():
            continue
        try:
            for row in rows(folder, name):
                lines.append(row)
                print(row, flush=True)
        except (OSError, RuntimeError) as problem:
            print(f"{name}: {problem}", flush=True)
        results.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    if sys.argv[1] == "build":
        build(Path(sys.argv[2]), sys.argv[3:] or list(NAMES))
    else:
        run(Path(sys.argv[2]), Path(sys.argv[3]))
