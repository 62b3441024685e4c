# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host programs that call functions of Python back between their dispatches."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import tegula
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.program
class Rounds:
    @pl.function(type=pl.FunctionType.InCore)
    def double(self, x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
        y[:] = x * 2.0

    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def choose(self, y: pl.Tensor[[NR, N], pl.FP32], scale: pl.InOut[pl.Tensor[[NR], pl.FP32]]):
        """Says how each row goes on."""
        ...

    @pl.function(type=pl.FunctionType.InCore)
    def apply(self, y: pl.InOut[pl.Tensor[[N], pl.FP32]], scale: pl.Tensor[[1], pl.FP32]):
        y[:] = y * pl.read(scale, [0])

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(
        self,
        x: pl.Tensor[[NR, N], pl.FP32],
        y: pl.Out[pl.Tensor[[NR, N], pl.FP32]],
        scale: pl.InOut[pl.Tensor[[NR], pl.FP32]],
    ):
        for r in pl.range(pld.world_size()):
            self.double(x[r], y[r], device=r)
        self.choose(y, scale)
        for r in pl.range(pld.world_size()):
            self.apply(y[r], scale[r : r + 1], device=r)


def arguments(ranks: int) -> list[np.ndarray]:
    x = np.arange(ranks * 5, dtype=np.float32).reshape(ranks, 5)
    return [x, np.zeros_like(x), np.ones(ranks, np.float32)]


class Chooser:
    """Takes the last element of each row."""

    def __init__(self) -> None:
        self.seen = []

    def __call__(self, y: np.ndarray, scale: np.ndarray) -> None:
        self.seen.append(y.copy())
        scale[:] = y[:, -1] + 1


def check(ranks: int) -> None:
    x, y, scale = arguments(ranks)
    Rounds.main(x, y, scale)
    np.testing.assert_array_equal(scale, 2 * x[:, -1] + 1)
    np.testing.assert_array_equal(y, 2 * x * scale[:, None])


@pytest.mark.parametrize("ranks", [1, 3])
def test_the_controlling_process_runs_them_when_all_before_is_done(ranks):
    chooser = Chooser()
    with tegula.ranks(ranks, callbacks={"choose": chooser}):
        for _ in range(5):
            check(ranks)
    assert len(chooser.seen) == 5
    np.testing.assert_array_equal(chooser.seen[0], 2 * arguments(ranks)[0])


def test_what_one_raises_is_raised_by_the_call_and_ranks_stay():
    def choose(y, scale):
        raise LookupError("nothing to choose")

    with tegula.ranks(2, callbacks={"choose": choose}) as group:
        before = group.processes
        with pytest.raises(LookupError, match="nothing to choose"):
            Rounds.main(*arguments(2))
        assert group.processes == before


def test_one_that_nobody_gave_is_named():
    with (
        tegula.ranks(2),
        pytest.raises(tegula.RunError, match="the callback 'choose' failed, or nobody gave a function"),
    ):
        Rounds.main(*arguments(2))


def test_one_that_uses_the_ranks_it_is_called_by_is_refused():
    def choose(y, scale):
        assert group.empty((4,)).shape == (4,)
        group.ping()

    with tegula.ranks(2, callbacks={"choose": choose}) as group:
        with pytest.raises(tegula.CallError, match="the ranks wait for a callback, which cannot use them"):
            Rounds.main(*arguments(2))


def test_rank_0_runs_them_under_mpirun():
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    for transport in ("", "mpi"):
        done = subprocess.run(
            ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", sys.executable, __file__],
            env={
                **os.environ,
                **root,
                "TEGULA_RANKS_TRANSPORT": transport,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        # What ranks print may come without the ends of lines between.
        assert sorted(re.findall(r"\d:\d", done.stdout)) == ["0:2", "1:0", "2:0"]


def main() -> None:
    chooser = Chooser()
    with tegula.ranks(callbacks={"choose": chooser}) as group:
        check(group.count)
        check(group.count)
        print(f"{group.rank}:{len(chooser.seen)}", flush=True)


if __name__ == "__main__":
    main()
