# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `tegula sim` says of compiled examples: it repeats, grows with the rows, and does not mind a faster machine."""

import json
import re

import pytest
from tegula_library import EXAMPLES
from test_producers import tegula

# The sizes of each, rows first.
SIZES = {
    "gemm": {"M": 512, "N": 256, "K": 256},
    "matmul": {"M": 512, "N": 256, "K": 256},
    "softmax": {"M": 512, "N": 512},
    "layer_norm": {"M": 512, "N": 512},
    "silu": {"M": 512, "N": 512},
}
# Examples whose tiles are their authors', and those that are cut when they are called.
OF_AUTHORS = [
    *SIZES,
    "silu_tiles",
    "gelu",
    "swiglu",
    "geglu",
    "softmax_tiles",
    "layer_norm_tiles",
    "rms_norm",
    "double_rows",
]
CUT = ["gemm_tensors", "rms_norm_tensors"]
# Which way to cut is decided on a part of a long call, and equal parts are told apart by less than this.
TOLERANCE = {**dict.fromkeys(OF_AUTHORS, 1), **dict.fromkeys(CUT, 1.02)}


def simulate(name: str, sizes: dict[str, int | str], *options: str) -> str:
    dims = [f"--dim={dim}={size}" for dim, size in sizes.items()]
    return tegula("sim", EXAMPLES / f"{name}.py", *dims, "--json", *options)


@pytest.mark.parametrize("name", SIZES)
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    assert simulate(name, SIZES[name]) == simulate(name, SIZES[name])


def compare(name: str, machine: str, change: str) -> list[tuple[dict, dict]]:
    """What a change of the machine does at some numbers of rows."""
    dims = re.findall(r'= pl.dynamic\("(\w+)"\)', (EXAMPLES / f"{name}.py").read_text())
    sizes = {**dict.fromkeys(dims, 256), "M": "1,100,512,1000"}
    runs = json.loads(simulate(name, sizes, f"--npu={machine}", f"--what-if={change}"))["runs"]
    return [(run["summary"], run["changed"]["summary"]) for run in runs]


@pytest.mark.parametrize("machine", ["tpuv3", "edge8x8", "ascend910b"])
@pytest.mark.parametrize("name", TOLERANCE)
def test_more_bandwidth_and_more_arrays_are_not_slower(name: str, machine: str) -> None:
    for change in ("dram_bandwidth=x2", "arrays=x2"):
        for before, after in compare(name, machine, change):
            assert after["cycles"] <= before["cycles"] * TOLERANCE[name], (change, before, after)


@pytest.mark.parametrize("name", TOLERANCE)
def test_more_cores_are_not_slower_unless_memory_is_what_they_wait_for(name: str) -> None:
    for before, after in compare(name, "tpuv3", "cores=x2"):
        if after["cycles"] > before["cycles"] * TOLERANCE[name]:
            assert before["bound"] == after["bound"] == "dram", (before, after)


def test_two_cores_that_ask_for_memory_together_can_be_slower_than_one() -> None:
    """One core loads the second half of a matmul while it multiplies the first. Two load both halves at once, and then
    nobody loads while they multiply; both load the rhs."""
    runs = compare("gemm_tensors", "tpuv3", "cores=x2")
    before, after = runs[-1]
    assert after["cycles"] > before["cycles"]
    assert after["bandwidth_share"] < before["bandwidth_share"]


@pytest.mark.parametrize("name", SIZES)
def test_twice_the_rows_are_twice_the_work(name: str) -> None:
    def count(rows: int) -> tuple[int, int, int]:
        run = json.loads(simulate(name, {**SIZES[name], "M": rows}))["runs"][0]
        written = sum(tensor["bytes_stored"] for tensor in run["tensors"])
        macs = sum(core["macs"] for core in run["cores"])
        elements = sum(core["vector_elements"] for core in run["cores"])
        return written, macs, elements

    once, twice = count(2048), count(4096)
    assert once[0] > 0
    assert twice[:2] == (2 * once[0], 2 * once[1])
    assert twice[2] == pytest.approx(2 * once[2], rel=0.02)


@pytest.mark.parametrize("name", SIZES)
def test_no_rows_are_no_work(name: str) -> None:
    report = json.loads(simulate(name, {**SIZES[name], "M": 0}))
    run = report["runs"][0]
    assert run["ops"] == 0
    assert all(tensor["bytes_loaded"] == tensor["bytes_stored"] == 0 for tensor in run["tensors"])
    assert 0 < run["summary"]["cycles"] <= 2 * report["machine"]["launch_cycles"]
