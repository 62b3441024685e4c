# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the pages and random ones agree with the second judge, which knows every function and sees mistakes."""

import subprocess

import numpy as np
import pytest

from oracle import bounds, kernel_files, random_programs, source
from oracle.dtypes import DTYPES
from oracle.judge import compare
from oracle.language import NOT_EVALUATED, PARTLY_EVALUATED, evaluates
from oracle.program import run
from oracle.random_programs import BINARIES, Report
from oracle.rounding import convert
from oracle.tensor import Memory, Tensor

JOBS = 2
FILES = ("examples/", "docs/ops/", "docs/language.md", "docs/tutorials/")
#: Of every seed the same programs each time; other seeds are for "make random".
PROGRAMS = {"expressions": 100, "carries": 20, "rows": 20, "windows": 6, "scratch": 6, "matmuls": 10, "norms": 20}
PROGRAMS |= {"epilogues": 10, "grids": 5, "barriers": 10, "ends": 10, "panels": 5, "layers": 5, "attention": 10}
PROGRAMS["edges"] = 40


def check(report: Report, least: float) -> None:
    """Everything agrees, and not because little was compared."""
    print(report)
    assert not report.failures, "\n".join(report.failures)
    assert sum(report.left_out.values()) < 0.05 * report.calls + 5, report.left_out
    assert report.count.compared > least * (report.count.compared + report.count.unknown)


def test_every_function_is_evaluated_or_listed():
    done = subprocess.run([BINARIES / "tegula", "help", "--names"], check=True, capture_output=True, text=True)
    names = done.stdout.split()
    listed = {name for name in names if name in NOT_EVALUATED or name.split(".")[0] in NOT_EVALUATED}
    missing = [name for name in names if name not in listed and not evaluates(name)]
    assert not missing, f"evaluate {missing} in test/oracle, or say in NOT_EVALUATED why not"
    assert not [name for name in listed if evaluates(name)]
    assert set(PARTLY_EVALUATED) <= set(names)


def test_kernels_of_examples_and_pages_agree():
    report = kernel_files.judge(JOBS, FILES)
    assert report.programs > 100
    check(report, 0.95)


@pytest.mark.parametrize("theme", PROGRAMS)
def test_random_programs_agree(theme):
    check(random_programs.judge({theme: PROGRAMS[theme]}, seed=1, jobs=JOBS), 0.9)


KERNEL = """import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]], z: pl.Out[pl.Tensor[[1], pl.FP32]]):
    y[0:4] = pl.exp(x[0:4])
    z[:] = pl.sum(x)
"""


def results(x: np.ndarray) -> dict[str, Tensor]:
    kernel = source.load_text(KERNEL, kernel_files.ROOT / "kernel.py").k
    return run(kernel, {"x": x, "y": np.zeros(x.shape, np.float32), "z": np.zeros(1, np.float32)})


def test_a_wrong_result_is_seen():
    x = np.linspace(0, 1, 6, dtype=np.float32)
    wanted = results(x)
    right = np.exp(x.astype(np.float64)).astype(np.float32)
    assert compare("y", right, wanted["y"])[0] == ""
    off = right * np.float32(1 + 1e-6)
    assert "differ" in compare("y", off, wanted["y"])[0]
    right[5] = 7  # was never written
    assert compare("y", right, wanted["y"])[0] == ""
    assert compare("y", right, wanted["y"])[1].unknown == 2


def test_sums_are_bounded_by_their_terms():
    quarters = results(np.full(1000, 0.25, np.float32))["z"]
    assert quarters.data == 250 and not quarters.error.any()
    tenths = results(np.full(1000, 0.1, np.float32))["z"]
    assert 0 < tenths.error.item() < 1e-2
    terms = np.random.default_rng(1).standard_normal(4000).astype(np.float32)
    bound = bounds.of_sum(terms.astype(np.float64), 0, DTYPES["FP32"])
    one_by_one = np.add.accumulate(terms)[-1]
    assert 0 < abs(one_by_one - terms.astype(np.float64).sum()) < bound


def test_casts_round_as_the_page_says():
    x = np.float32([2.5, -2.5, 1.5, 300, np.nan, -np.inf])
    found = {
        mode: list(convert(x, DTYPES["FP32"], DTYPES["INT8"], mode)) for mode in ("round", "rint", "trunc", "floor")
    }
    assert found["round"] == [3, -3, 2, 127, 0, -128]
    assert found["rint"] == [2, -2, 2, 127, 0, -128]
    assert found["trunc"] == [2, -2, 1, 127, 0, -128]
    assert found["floor"] == [2, -3, 1, 127, 0, -128]
    narrow = convert(np.float32([464, 465, -1e9]), DTYPES["FP32"], DTYPES["FP8E4M3FN"], "rint").astype(np.float32)
    assert narrow[0] == 448 and np.isnan(narrow[1:]).all()


def test_memory_of_nobody_is_unknown():
    tensor = Tensor(np.zeros(2, np.int32), np.array([0.0, np.inf]), DTYPES["INT32"], (2,), Memory("t"))
    assert compare("t", np.array([0, 9], np.int32), tensor)[0] == ""
    assert compare("t", np.array([1, 9], np.int32), tensor)[0] != ""
