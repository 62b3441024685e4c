# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges torch.compile(backend="tegula") by PyTorch's own samples of its operations (OpInfo).

    python test/torch/opinfo.py [--every N] [--op NAME...] [--dtype NAME...] [--write docs/torch-ops.md]

Each sample runs in eager mode and compiled, in one full graph; what is left to eager mode counts as not supported. A
sample that fails is named by its operation, its element type and its number, and exits with 1.
"""

import argparse
import collections
import os
import sys
import tempfile
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TEGULA_BIN", ROOT / "build/bin")).parent
sys.path.insert(0, str(BUILD / "python"))
os.environ.setdefault("TEGULA_CACHE_DIR", tempfile.mkdtemp(prefix="tegula-opinfo-"))

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

import tegula.torch  # noqa: E402
from tegula.torch import FallbackWarning  # noqa: E402

OPERATIONS = """
abs add addcdiv addcmul addmm all amax amin any arange argmax argmin baddbmm bitwise_and bitwise_not bitwise_or
bitwise_xor bmm broadcast_to cat ceil chunk clamp clone contiguous cos cumprod cumsum div_no_rounding_mode
div_floor_rounding div_trunc_rounding einsum eq erf exp exp2 expand expand_as expm1 flatten flip floor floor_divide fmod
full full_like gather ge gt index_select isinf isnan le log log10 log1p log2 log_softmax logical_and logical_not
logical_or logical_xor lt masked_fill matmul max_binary max_reduction_no_dim max_reduction_with_dim maximum mean
min_binary min_reduction_no_dim min_reduction_with_dim minimum mm movedim mul mv ne neg new_full new_ones new_zeros
nn.functional.adaptive_avg_pool2d nn.functional.batch_norm nn.functional.conv2d nn.functional.embedding
nn.functional.gelu nn.functional.group_norm nn.functional.hardsigmoid nn.functional.hardswish nn.functional.hardtanh
nn.functional.layer_norm nn.functional.leaky_relu nn.functional.linear nn.functional.max_pool2d nn.functional.mish
nn.functional.relu nn.functional.relu6 nn.functional.rms_norm nn.functional.scaled_dot_product_attention
nn.functional.silu nn.functional.softplus ones ones_like outer permute pow prod reciprocal remainder repeat_interleave
reshape reshape_as round rsqrt rsub scalar_tensor scatter select sigmoid sign sin softmax split split_list
split_with_sizes sqrt square squeeze stack std sub sum t tanh topk transpose tril triu true_divide trunc unbind unflatten
unsqueeze var view view_as where zeros zeros_like
""".split()
# This one has more samples than all others together.
SPARSE = {"nn.functional.max_pool2d": 20}
DTYPES = [torch.float32, torch.bfloat16, torch.int64]


def entries(names: list[str]) -> dict[str, object]:
    """OpInfo's entries by the name they are asked by; variants have theirs behind an underscore."""
    found = {}
    for entry in op_db:
        variant = entry.variant_test_name
        found.setdefault(f"{entry.name}_{variant}" if variant else entry.name, entry)
    return {name: found[name] for name in names if name in found}


def tolerance(dtype: torch.dtype) -> dict[str, float]:
    return {"rtol": 1.6e-2, "atol": 1e-2} if dtype is torch.bfloat16 else {"rtol": 1e-4, "atol": 1e-4}


def judge(entry: object, dtype: torch.dtype, sample: object) -> str:
    """'pass', 'eager', or what is wrong."""

    def function(first: object, *rest: object, **named: object) -> object:
        return entry.op(first, *rest, **named)

    call = (sample.input, *sample.args)
    try:
        expected = function(*call, **sample.kwargs)
    except Exception:
        return "refused by torch"
    torch._dynamo.reset()
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run = torch.compile(function, backend="tegula", dynamic=True, fullgraph=True)
            found = run(*call, **sample.kwargs)
    except torch._dynamo.exc.Unsupported:
        return "refused by torch"
    except Exception as problem:
        return f"{type(problem).__name__}: {' '.join(str(problem).split())[:200]}"
    try:
        torch.testing.assert_close(found, expected, equal_nan=True, **tolerance(dtype))
    except AssertionError as problem:
        return "wrong: " + " ".join(str(problem).split())[:160]
    is_eager = any(issubclass(entry.category, FallbackWarning) for entry in said)
    return "eager" if is_eager else "pass"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every so manieth sample")
    parser.add_argument("--op", nargs="*", default=OPERATIONS)
    parser.add_argument("--dtype", nargs="*", default=[str(dtype).removeprefix("torch.") for dtype in DTYPES])
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    dtypes = [getattr(torch, name) for name in options.dtype]
    rows, wrong = [], 0
    for name, entry in entries(options.op).items():
        cells = []
        for dtype in dtypes:
            if dtype not in entry.supported_dtypes("cpu"):
                cells.append("")
                continue
            counts = collections.Counter()
            with torch.no_grad():
                for number, sample in enumerate(entry.sample_inputs("cpu", dtype, requires_grad=False)):
                    if number % (options.every * SPARSE.get(name, 1)):
                        continue
                    result = judge(entry, dtype, sample)
                    kind = result if result in ("pass", "eager", "refused by torch") else "wrong"
                    counts[kind] += 1
                    if kind == "wrong":
                        wrong += 1
                        print(f"{name} {dtype} {number}: {result}", flush=True)
            tegula.torch.forget()
            tried = counts["pass"] + counts["eager"] + counts["wrong"]
            left = f", {counts['eager']} eager" if counts["eager"] else ""
            cells.append(
                f"{counts['pass']} of {tried}{left}" + (f", {counts['wrong']} WRONG" if counts["wrong"] else "")
            )
        rows.append(f"| `{name}` | " + " | ".join(cells) + " |")
        print(rows[-1], flush=True)
    heads = " | ".join(options.dtype)
    table = "\n".join([f"| operation | {heads} |", "|---" * (len(dtypes) + 1) + "|", *rows]) + "\n"
    if options.write:
        options.write.write_text(
            "# Operations of PyTorch\n\nSamples of PyTorch's own tests (OpInfo) that pass, of those tried, with "
            '`torch.compile(backend="tegula", dynamic=True, fullgraph=True)`; what is left to eager mode is right, '
            "but not ours. Written by `python test/torch/opinfo.py --write docs/torch-ops.md`.\n\n" + table
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
