# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels_rows.py on an NVIDIA GPU with PyTorch, compiled by it, and with a copy, interleaved in one run.

    python bench/gpu_rows.py build LIBRARIES           # where Tegula is
    python bench/gpu_rows.py run LIBRARIES [RESULTS]   # where the GPU is: needs torch and the output of `build`

Prints a table, and writes it to RESULTS: for each kernel and size microseconds, the time of a copy of as many bytes
over ours, and the time of what torch.compile makes over ours. Kernels run without the tuned variants of whole rows.
"""

import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from gpu import ROOT, Kernel, error_of, microseconds

NAMES = (
    "softmax_row",
    "residual_rms_norm",
    "layer_norm_passes",
    "row_sums",
    "head_norm",
    "quantize_rows",
    "scale_rows",
    "column_sums",
    "bias_and_gate",
    "scale_vector",
)
TARGET = "cuda:sm_90a,general"
EPSILON = 1e-5
# Of kernels_rows.py, which needs Tegula to be read.
HEAD = 128
SIZES = ((65536, 256), (16384, 1024), (4096, 4096), (8192, 4096), (4096, 8192), (4096, 4097), (1024, 32768))


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        source = f"{ROOT / 'bench/kernels_rows.py'}:{name}"
        command = [ROOT / "build/bin/tegula", "build", source, "--target", TARGET, "-o", folder / f"lib{name}.so"]
        subprocess.run(command, check=True)


def load(folder: Path, name: str) -> Kernel:
    kernel = Kernel.__new__(Kernel)
    kernel.name = name
    kernel.function = getattr(ctypes.CDLL(str(folder / f"lib{name}.so")), name)
    return kernel


def rival(name: str) -> Callable:
    """What a kernel computes, in PyTorch: from its inputs, a tuple of its results."""
    import torch

    def normalize(t: torch.Tensor, gamma: torch.Tensor) -> torch.Tensor:
        scale = torch.rsqrt((t * t).mean(-1, keepdim=True) + EPSILON)
        return (t * scale * gamma.float()).bfloat16()

    def residual_rms_norm(x, residual, gamma):
        t = x.float() + residual.float()
        return t.bfloat16(), normalize(t, gamma)

    def layer_norm_passes(x, gamma, beta):
        middle = x.mean(1, keepdim=True)
        variance = (x * x).mean(1, keepdim=True) - middle * middle
        return middle, (x - middle) * torch.rsqrt(variance + EPSILON) * gamma + beta

    def quantize_rows(x):
        most = x.float().abs().amax(1, keepdim=True).clamp_min(1e-8)
        return most * (1.0 / 127.0), torch.round(x.float() * (127.0 / most)).to(torch.int8)

    return {
        "softmax_row": lambda x: (torch.softmax(x, 1),),
        "residual_rms_norm": residual_rms_norm,
        "layer_norm_passes": layer_norm_passes,
        "row_sums": lambda x: (x.sum(1, keepdim=True),),
        "head_norm": lambda x, gamma: (normalize(x.float(), gamma),),
        "quantize_rows": quantize_rows,
        "scale_rows": lambda x, scale: (x * scale[:, None],),
        "column_sums": lambda x: (x.sum(0, keepdim=True),),
        "bias_and_gate": lambda x, bias, gate: ((x + bias) * gate,),
        "scale_vector": lambda x, scale: (x * scale,),
    }[name]


def inputs(name: str, rows: int, columns: int) -> list:
    import torch

    def make(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return torch.randn(*shape, device="cuda", dtype=dtype)

    half = torch.bfloat16
    return {
        "softmax_row": lambda: [make(rows, columns)],
        "residual_rms_norm": lambda: [
            *(make(rows, columns, dtype=half) for _ in range(2)),
            make(1, columns, dtype=half),
        ],
        "layer_norm_passes": lambda: [make(rows, columns), make(1, columns), make(1, columns)],
        "row_sums": lambda: [make(rows, columns)],
        "head_norm": lambda: [make(2, rows // 2, max(columns // HEAD, 1), HEAD, dtype=half), make(1, HEAD, dtype=half)],
        "quantize_rows": lambda: [make(rows, columns, dtype=half)],
        "scale_rows": lambda: [make(rows, columns), make(rows)],
        "column_sums": lambda: [make(rows, columns)],
        "bias_and_gate": lambda: [
            make(2, rows // 2, columns, dtype=half),
            make(columns, dtype=half),
            make(2, rows // 2, 1, dtype=half),
        ],
        "scale_vector": lambda: [make(rows * columns), 1.5],
    }[name]()


def cases() -> Iterator[tuple[str, int, int]]:
    for name in NAMES:
        for rows, columns in SIZES:
            yield name, rows, columns


def measure(folder: Path, name: str, arguments: list) -> tuple[dict[str, float], float]:
    """Microseconds of ours, PyTorch's and a copy of as many bytes, and our largest error."""
    import torch

    compute = rival(name)
    wanted = compute(*arguments)
    found = [torch.empty_like(each) for each in wanted]
    ours = load(folder, name).prepare(*arguments, *found)
    ours()
    torch.cuda.synchronize()
    error = max(error_of(*pair) for pair in zip(found, wanted, strict=True))
    tensors = [each for each in (*arguments, *found) if isinstance(each, torch.Tensor)]
    count = sum(each.numel() * each.element_size() for each in tensors) // 2
    source = torch.empty(count, device="cuda", dtype=torch.uint8)
    target = torch.empty_like(source)
    compiled = torch.compile(compute)
    compiled(*arguments)
    calls = {"ours": ours, "PyTorch": lambda: compiled(*arguments), "copy": lambda: target.copy_(source)}
    return microseconds(calls, rounds=5), error


def run(folder: Path, results: Path | None) -> None:
    import torch

    torch._dynamo.config.cache_size_limit = 64
    lines = [
        f"{torch.cuda.get_device_name()}, torch {torch.__version__}",
        "",
        "| kernel | rows x columns | Tegula, us | of a copy | of torch.compile | largest error |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name, rows, columns in cases():
        times, error = measure(folder, name, inputs(name, rows, columns))
        ours = times["ours"]
        lines.append(
            f"| {name} | {rows} x {columns} | {ours:.1f} | {times['copy'] / ours:.2f} "
            f"| {times['PyTorch'] / ours:.2f} | {error:.1e} |"
        )
        print(lines[-1], flush=True)
        if results:
            results.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    where = Path(sys.argv[2])
    if sys.argv[1] == "build":
        build(where)
    else:
        run(where, Path(sys.argv[3]) if len(sys.argv) > 3 else None)
