# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the models of examples/torch with eager mode and Inductor on one thread, interleaved; writes
bench/results/torch.md.

    python bench/torch_models.py [--no-inductor] [--seconds 2] [MODEL...]

Cold is the time to the first result, with nothing cached; imports are done before. Warm is the 10th
percentile of calls: `served` is tegula.torch.compile, `dynamo` is torch.compile(backend="tegula"). Kernels are those
compiled over the twenty sizes of a model; export is the time to a library. A ratio is the rival's time /
Tegula's time: above 1, Tegula is faster.
"""

import argparse
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable

from side_by_side import EXAMPLES, RESULTS, Table, geometric_mean, set_threads

set_threads(1)
os.environ["TEGULA_CACHE"] = "off"
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(prefix="inductor-")
sys.path.insert(0, str(EXAMPLES / "torch"))

import torch  # noqa: E402

torch.set_num_threads(1)

import tegula.torch  # noqa: E402

# Both sizes of each model: small, large.
SIZES = {
    "mlp": (8, 256),
    "convnet": (2, 16),
    "encoder": (32, 256),
    "decoder": (32, 512),
    "llama_block": (32, 256),
    "mixture": (16, 256),
    "vision": (2, 16),
}


def timed(action: Callable[[], object]) -> tuple[object, float]:
    start = time.perf_counter()
    result = action()
    return result, time.perf_counter() - start


def low_times(calls: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """The 10th percentile of each, in milliseconds; they are interleaved."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(next(iter(times.values()))) < 10:
        for name, call in calls.items():
            start = time.thread_time()
            call()
            times[name].append(time.thread_time() - start)
    return {name: sorted(values)[len(values) // 10] * 1e3 for name, values in times.items()}


def import_rivals(has_inductor: bool) -> None:
    """Compiles a small model with each, so that no measurement includes imports."""
    with torch.no_grad():
        for backend in ["tegula", "inductor"] if has_inductor else ["tegula"]:
            torch.compile(lambda x: torch.relu(x @ x.T) + 1, backend=backend, dynamic=True)(torch.ones(3, 3))
            torch._dynamo.reset()
        tegula.torch.compile(torch.nn.Linear(2, 2).eval(), (torch.ones(3, 2),))


HEAD = """# PyTorch models

`bench/torch_models.py`, interleaved, one thread. Ratios are the rival's time / Tegula's: above 1, Tegula is faster.
Cold, in seconds, is the time to the first result with nothing cached; `export` is the time to a library, and `kernels`
how many are compiled for twenty sizes. Warm, in milliseconds, is a call: `served` is `tegula.torch.compile`, `dynamo`
is `torch.compile(backend="tegula")`.

"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=list(SIZES))
    parser.add_argument("--no-inductor", action="store_true")
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    import_rivals(not options.no_inductor)
    ways = ("tegula.torch.compile", "torch.compile, tegula")
    cold = Table("cold, s", *ways, "Inductor", *(f"Inductor / {way}" for way in ways), "kernels", "export")
    warm = []
    shares: dict[str, list[float]] = {"export": [], "dynamo": [], "inductor": [], "eager": []}
    for name in options.models:
        file = importlib.import_module(name)
        torch.manual_seed(0)
        model = file.make().eval()
        example = file.inputs(5)
        runs: dict[str, Callable] = {"eager": model}
        with torch.no_grad():
            model(*example)
            served, exporting = timed(lambda: tegula.torch.compile(model, example, dynamic=file.DYNAMIC))
            exporting += timed(lambda: served(*example))[1]
            tegula.torch.forget()
            torch._dynamo.reset()
            ours = torch.compile(model, backend="tegula", dynamic=True)
            before = tegula.torch.count_kernels()
            compiling = timed(lambda: ours(*example))[1]
            for size in file.SIZES:
                ours(*file.inputs(size))
            kernels = tegula.torch.count_kernels() - before
            runs["tegula"] = served
            runs["dynamo"] = ours
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.so")
                library = timed(lambda: tegula.torch.export(model, example, path, dynamic=file.DYNAMIC))[1]
            theirs = None
            if not options.no_inductor:
                torch._dynamo.reset()
                inductor = torch.compile(file.make().eval(), dynamic=True)
                theirs = timed(lambda: inductor(*example))[1]
                runs["Inductor"] = inductor
                shares["export"].append(theirs / exporting)
                shares["dynamo"].append(theirs / compiling)
            ratios = [theirs / exporting, theirs / compiling] if theirs else [None, None]
            cold.add(name, exporting, compiling, theirs, *ratios, kernels, library)
            for size in SIZES[name]:
                values = file.inputs(size)
                calls = {rival: (lambda run=run: run(*values)) for rival, run in runs.items()}
                for call in calls.values():
                    call()
                warm.append((name, size, low_times(calls, options.seconds)))
    print()
    table = Table("warm, ms", "size", "eager", "Inductor", "served", "dynamo", "eager / served", "Inductor / served")
    for name, size, times in warm:
        over = {rival: times[rival] / times["tegula"] for rival in ("eager", "Inductor") if rival in times}
        shares["eager"].append(over["eager"])
        if "Inductor" in over:
            shares["inductor"].append(over["Inductor"])
        rivals = [times["eager"], times.get("Inductor"), times["tegula"], times["dynamo"]]
        table.add(name, size, *rivals, *over.values())
    means = {name: geometric_mean(values) for name, values in shares.items() if values}
    said = ", ".join(f"{name} {value:.2f}" for name, value in means.items())
    table.say(f"\nGeometric means of the rival's time / Tegula's time: {said}. One thread.")
    (RESULTS / "torch.md").write_text(f"{HEAD}{cold.markdown()}\n{table.markdown()}")


if __name__ == "__main__":
    main()
