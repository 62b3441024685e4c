# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every program over ranks, on real ranks, against NumPy: under mpirun, and from one process that starts them."""

import importlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tegula

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "ranks"
NAMES = [*sorted(path.stem for path in EXAMPLES.glob("*.py")), "returned_results"]
SIZES = [0, 1, 5, 16, 17, 33, 64, 101, 257, 1000]
# Those that iterate over their rows one by one.
SLOW = {"chunked_prefill", "expert_parallel"}
TIMEOUT = 120


def load(name: str):
    if str(EXAMPLES) not in sys.path:
        sys.path.insert(0, str(EXAMPLES))
    return importlib.import_module(name)


def check(name: str, ranks: int) -> None:
    """Calls a program at every size and compares what it wrote with its reference."""
    module = load(name)
    kernel = getattr(module, name)
    rng = np.random.default_rng(ranks)
    for size in SIZES:
        if size > 200 and name in SLOW:
            continue
        arguments = module.inputs(ranks, size, rng)
        kernel(*arguments)
        wanted = module.reference(*arguments)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for found, right in zip(arguments[-len(wanted) :], wanted, strict=True):
            np.testing.assert_allclose(found, right, rtol=2e-5, atol=2e-5, err_msg=f"{name}, {ranks} ranks, {size}")
    assert len(kernel.variants) == 1


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_programs_match_numpy_on_ranks_that_this_process_starts(ranks):
    with tegula.ranks(ranks) as group:
        assert group.count == ranks
        assert group.rank is None
        for name in NAMES:
            check(name, ranks)


def run_ranks(ranks: int, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), sys.executable, *arguments]
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return subprocess.run(
        command,
        env={**os.environ, **root, **environment, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )


@pytest.mark.parametrize("ranks, transport", [(1, ""), (2, ""), (2, "mpi"), (3, ""), (3, "mpi"), (4, ""), (4, "mpi")])
def test_programs_match_numpy_under_mpirun(ranks, transport):
    done = run_ranks(ranks, __file__, TEGULA_RANKS_TRANSPORT=transport)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("all right") == ranks


def main() -> None:
    with tegula.ranks() as group:
        for name in NAMES:
            check(name, group.count)
        print(f"rank {group.rank}: all right", flush=True)


if __name__ == "__main__":
    main()
