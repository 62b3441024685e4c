# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges torch.compile(backend="tegula") by PyTorch's own samples of its operations (OpInfo).

    python test/torch/opinfo.py [--every N] [--op NAME...] [--dtype NAME...] [--jobs N] [--write docs/torch-ops.md]

Each sample runs in eager mode and compiled, in one full graph: axes of tensors vary, numbers are constants. What is
left to eager mode counts as not supported. A sample that fails is named by its operation, its element type and its
number, and exits with 1.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TEGULA_BIN", ROOT / "build/bin")).parent
sys.path.insert(0, str(BUILD / "python"))
os.environ.setdefault("TEGULA_CACHE_DIR", tempfile.mkdtemp(prefix="tegula-opinfo-"))

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402

import tegula.torch  # noqa: E402

torch._dynamo.config.specialize_int = True
# How long guards take is not asked here, and takes a while to find out.
torch._dynamo.guards.profile_guard_manager = lambda *_: 0.0
from tegula.torch import FallbackWarning  # noqa: E402

OPERATIONS = """
abs add addcdiv addcmul addbmm addmm addmv addr all amax amin any arange argmax argmin argsort baddbmm bitwise_and
bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bmm broadcast_to cat ceil chunk clamp clone
constant_pad_nd contiguous cos cumprod cumsum diff div_no_rounding_mode div_floor_rounding div_trunc_rounding dot einsum
eq erf exp exp2 expand expand_as expm1 eye fill flatten flip floor floor_divide fmod frac full full_like gather ge gt
index_add index_copy index_fill index_put index_select isfinite isinf isnan le lerp linspace log log10 log1p log2
log_softmax logical_and logical_not logical_or logical_xor logsumexp lt masked_fill matmul max_binary
max_reduction_no_dim max_reduction_with_dim maximum mean min_binary min_reduction_no_dim min_reduction_with_dim minimum
mm movedim msort mul mv narrow ne neg new_full new_ones new_zeros nn.functional.adaptive_avg_pool1d
nn.functional.adaptive_avg_pool2d nn.functional.avg_pool1d nn.functional.avg_pool2d nn.functional.batch_norm
nn.functional.celu nn.functional.conv1d nn.functional.conv2d nn.functional.elu nn.functional.embedding
nn.functional.gelu nn.functional.glu nn.functional.group_norm nn.functional.hardsigmoid nn.functional.hardswish
nn.functional.hardtanh nn.functional.layer_norm nn.functional.leaky_relu nn.functional.linear
nn.functional.logsigmoid nn.functional.max_pool1d nn.functional.max_pool2d nn.functional.mish nn.functional.mse_loss
nn.functional.normalize nn.functional.one_hot nn.functional.pad_constant nn.functional.pad_reflect nn.functional.relu
nn.functional.relu6 nn.functional.rms_norm nn.functional.scaled_dot_product_attention nn.functional.selu
nn.functional.silu nn.functional.softplus nn.functional.softsign nn.functional.tanhshrink nn.functional.threshold ones
ones_like outer permute pow prod reciprocal remainder repeat repeat_interleave reshape reshape_as roll round rsqrt rsub
scalar_tensor scatter scatter_add select select_scatter sigmoid sign sin slice_scatter softmax sort split split_list
split_with_sizes sqrt square squeeze stack std std_mean sub sum swapaxes t tan tanh tile topk transpose tril triu
true_divide trunc unbind unflatten unsqueeze var var_mean vdot view view_as where zeros zeros_like
""".split()
# These have more samples than all others together.
SPARSE = {"nn.functional.max_pool1d": 11, "nn.functional.max_pool2d": 21}
# Where equal elements come from is not said.
TIES = {"sort", "topk"}
DTYPES = [torch.float32, torch.bfloat16, torch.int64]


PAGE = """# Operations of PyTorch

Samples of PyTorch's own tests (OpInfo) that pass, of those tried, with `torch.compile(backend="tegula", dynamic=True,
fullgraph=True)`; numbers are constants. What is left to eager mode is right, but not ours: the last column says which
operations, or why. Of max_pool1d every 11th sample is tried and of max_pool2d every 21st: they have more than all
others together. Written by `make operations`.

"""


def entries(names: list[str]) -> dict[str, object]:
    """OpInfo's entries by the name they are asked by; variants have theirs behind an underscore."""
    found = {}
    for entry in op_db:
        variant = entry.variant_test_name
        found.setdefault(f"{entry.name}_{variant}" if variant else entry.name, entry)
    return {name: found[name] for name in names if name in found}


def tolerance(dtype: torch.dtype) -> dict[str, float]:
    return {"rtol": 1.6e-2, "atol": 1e-2} if dtype is torch.bfloat16 else {"rtol": 1e-4, "atol": 1e-4}


def agrees_with_wide(function: Callable, sample: object, found: object) -> bool:
    """True if it is eager mode that is off: it rounds within some operations, where kernels round after them."""
    wide, named = pytree.tree_map_only(
        torch.Tensor,
        lambda value: value.float() if value.dtype is torch.bfloat16 else value,
        ((sample.input, *sample.args), sample.kwargs),
    )
    expected = pytree.tree_map_only(torch.Tensor, lambda value: value.bfloat16(), function(*wide, **named))
    try:
        torch.testing.assert_close(found, expected, equal_nan=True, **tolerance(torch.bfloat16))
    except AssertionError:
        return False
    return True


def agrees_with_graph(function: Callable, sample: object, found: object) -> bool:
    """True if the graph that Dynamo makes gives the same: it has several operations for some that are one, and each is
    rounded."""
    torch._dynamo.reset()
    graph = torch.compile(function, backend="eager", dynamic=True, fullgraph=True)
    try:
        expected = graph(sample.input, *sample.args, **sample.kwargs)
        torch.testing.assert_close(found, expected, equal_nan=True, **tolerance(torch.bfloat16))
    except AssertionError:
        return False
    return True


def elements_at(sample: object, indices: torch.Tensor) -> torch.Tensor:
    """The elements at the indices that an order is: equal elements may change theirs."""
    axis = sample.args[0] if sample.args else sample.kwargs.get("dim", -1)
    return torch.take_along_dim(sample.input, indices, axis) if sample.input.dim() else sample.input


def judge(entry: object, dtype: torch.dtype, sample: object) -> str:
    """'pass', 'eager: ' and why, or what is wrong."""

    # What the entry of this one calls is something that Dynamo does not look into.
    is_attention = entry.name == "nn.functional.scaled_dot_product_attention"
    operation = torch.nn.functional.scaled_dot_product_attention if is_attention else entry.op

    def function(first: object, *rest: object, **named: object) -> object:
        return operation(first, *rest, **named)

    call = (sample.input, *sample.args)
    torch.manual_seed(0)
    try:
        expected = function(*call, **sample.kwargs)
    except Exception:
        return "refused by torch"
    torch._dynamo.reset()
    torch.manual_seed(0)
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run = torch.compile(function, backend="tegula", dynamic=True, fullgraph=True)
            found = run(*call, **sample.kwargs)
    except (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError):
        return "refused by torch"
    except Exception as problem:
        return f"{type(problem).__name__}: {' '.join(str(problem).split())[:200]}"
    if entry.name in TIES and not sample.kwargs.get("stable"):
        found, expected = found[0], expected[0]
    if entry.name == "argsort" and not sample.kwargs.get("stable"):
        found, expected = elements_at(sample, found), elements_at(sample, expected)
    try:
        torch.testing.assert_close(found, expected, equal_nan=True, **tolerance(dtype))
    except AssertionError as problem:
        is_rounded = dtype is torch.bfloat16
        if not is_rounded or not (
            agrees_with_wide(function, sample, found) or agrees_with_graph(function, sample, found)
        ):
            return "wrong: " + " ".join(str(problem).split())[:160]
    why = [str(entry.message) for entry in said if issubclass(entry.category, FallbackWarning)]
    return "eager: " + why[0].split("eager mode")[-1].strip(":, ") if why else "pass"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every so manieth sample")
    parser.add_argument("--op", nargs="*", default=OPERATIONS)
    parser.add_argument("--dtype", nargs="*", default=[str(dtype).removeprefix("torch.") for dtype in DTYPES])
    parser.add_argument("--jobs", type=int, default=1, help="so many processes share the operations")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    rows, wrong = judge_apart(options) if options.jobs > 1 else judge_all(options)
    heads = " | ".join(options.dtype)
    table = [f"| operation | {heads} | left to eager mode |", "|---" * (len(options.dtype) + 2) + "|", *rows]
    if options.write:
        options.write.write_text(PAGE + "\n".join(table) + "\n")
    return 1 if wrong else 0


def judge_apart(options: argparse.Namespace) -> tuple[list[str], bool]:
    """The same by several processes, each with its share of the operations. What is wrong is printed."""
    words = [sys.executable, __file__, "--every", str(options.every), "--dtype", *options.dtype, "--op"]
    shares = [options.op[number :: options.jobs] for number in range(options.jobs)]
    runs = [subprocess.Popen([*words, *share], stdout=subprocess.PIPE, text=True) for share in shares if share]
    rows: dict[str, str] = {}
    with concurrent.futures.ThreadPoolExecutor(len(runs)) as pool:
        for lines in pool.map(lambda run: list(run.stdout), runs):
            for line in lines:
                print(line, end="", flush=True)
                if line.startswith("| `"):
                    rows[line.split("`")[1]] = line.rstrip("\n")
    wrong = any(run.wait() for run in runs)
    return [rows[name] for name in options.op if name in rows], wrong


def judge_all(options: argparse.Namespace) -> tuple[list[str], bool]:
    """A row for each operation, and whether something is wrong."""
    dtypes = [getattr(torch, name) for name in options.dtype]
    rows, wrong = [], 0
    for name, entry in entries(options.op).items():
        cells, reasons = [], []
        for dtype in dtypes:
            if dtype not in entry.supported_dtypes("cpu"):
                cells.append("")
                continue
            counts = count_samples(name, entry, dtype, options.every * SPARSE.get(name, 1), reasons)
            tegula.torch.forget()
            wrong += counts["wrong"]
            tried = counts["pass"] + counts["eager"] + counts["wrong"]
            left = f", {counts['eager']} eager" if counts["eager"] else ""
            cells.append(
                f"{counts['pass']} of {tried}{left}" + (f", {counts['wrong']} WRONG" if counts["wrong"] else "")
            )
        rows.append(f"| `{name}` | {' | '.join(cells)} | {'; '.join(dict.fromkeys(reasons))} |")
        print(rows[-1], flush=True)
    return rows, wrong > 0


def count_samples(name: str, entry: object, dtype: torch.dtype, every: int, reasons: list[str]) -> collections.Counter:
    """How many samples pass, are left to eager mode (reasons say why), are refused by torch, or are wrong."""
    counts: collections.Counter = collections.Counter()
    with torch.no_grad():
        for number, sample in enumerate(entry.sample_inputs("cpu", dtype, requires_grad=False)):
            if number % every:
                continue
            result = judge(entry, dtype, sample)
            kind = result.split(":")[0]
            kind = kind if kind in ("pass", "eager", "refused by torch") else "wrong"
            counts[kind] += 1
            if kind == "eager":
                # Where in a kernel that is, nobody can look up.
                reason = re.sub(r"(<[^>]*>|\S+\.py):\d+:\d+: ", "", result.removeprefix("eager: "))
                reasons.append(reason.splitlines()[0][:160].replace("|", "").strip())
            if kind == "wrong":
                print(f"{name} {dtype} {number}: {result}", flush=True)
    return counts


if __name__ == "__main__":
    sys.exit(main())
