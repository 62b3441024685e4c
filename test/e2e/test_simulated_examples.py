# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `tegula sim` says of compiled examples: it repeats, grows with the rows, and does not mind a faster machine."""

import json

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
# A tile that is taken for its speed elsewhere, and items that fall to other cores, cost a little.
TOLERANCE = 1.02


def simulate(name: str, sizes: dict[str, int | str], *options: str) -> str:
    dims = [f"--dim={dim}={size}" for dim, size in sizes.items()]
    return tegula("sim", EXAMPLES / f"{name}.py", *dims, "--json", *options)


@pytest.mark.parametrize("name", SIZES)
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    assert simulate(name, SIZES[name]) == simulate(name, SIZES[name])


def test_a_faster_machine_is_not_slower() -> None:
    name = "gemm"
    sizes = {**SIZES[name], "M": "1,100,512"}
    for machine in ("tpuv3", "edge8x8"):
        for change in ("dram_bandwidth=x2", "arrays=x2", "cores=x2"):
            for run in json.loads(simulate(name, sizes, f"--npu={machine}", f"--what-if={change}"))["runs"]:
                before, after = run["summary"]["cycles"], run["changed"]["summary"]["cycles"]
                assert after <= before * TOLERANCE, (machine, change, run["extents"])


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
