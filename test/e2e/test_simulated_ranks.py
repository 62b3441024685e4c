# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `tegula sim --ranks` says of programs over ranks: no faster than links allow, and all time is accounted for."""

import json
from pathlib import Path

import pytest
from tegula_library import EXAMPLES
from test_producers import tegula

RING = """
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def put(x: pl.Tensor[[N], pl.FP32], window: pld.DistributedTensor[[N], pl.FP32]):
    window[:] = x


@pl.jit.incore
def take(window: pld.DistributedTensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = window


@pl.jit.host
def ring(x: pl.Tensor[[NR, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]):
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        put(x[r], window, device=r)
    window = pld.tensor.allreduce(window, op=pld.ReduceOp.Sum, mode="ring")
    for r in pl.range(pld.world_size()):
        take(window, y[r], device=r)
"""
# What they do does not depend on data; with their sizes besides the ranks.
ARGUMENTS = {
    "allreduce": ["N=4096"],
    "allreduce_by_hand": ["N=4096"],
    "hello_rank": [],
    "put_get": ["M=100"],
    "shift": ["N=4096"],
    "tensor_parallel_ffn": ["TOKENS=64", "DIM=64", "HIDDEN=96"],
    "sequence_parallel_attention": ["S=32"],
    "window_barrier": ["N=4096"],
}


def simulate(source: str, ranks: int, sizes: list[str], *options: str) -> dict:
    dims = [f"--dim={size}" for size in [f"NR={ranks}", *sizes]]
    return json.loads(tegula("sim", source, "--npu=tpuv4", f"--ranks={ranks}", *dims, "--json", *options))


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ranks") / "ring.py"
    path.write_text(RING)
    return path


@pytest.mark.parametrize("ranks", [2, 3, 8])
def test_an_allreduce_around_a_ring_is_no_faster_than_its_links(ring: Path, ranks: int) -> None:
    size = 1 << 18
    report = simulate(f"{ring}:ring", ranks, [f"N={size}"], "--what-if=link_topology=ring")
    run, machine = report["runs"][0]["changed"], report["changed_machine"]
    assert machine["link_topology"] == "ring"
    microseconds = 2 * (ranks - 1) / ranks * 4 * size / (machine["link_bandwidth_gb_per_s"] * 1e3)
    assert run["summary"]["microseconds"] >= microseconds
    # Shares go to the right-hand neighbour, each of them ranks - 1 times, twice.
    for rank, sent in enumerate(run["pair_bytes"]):
        assert sum(sent) == sent[(rank + 1) % ranks] == pytest.approx(2 * (ranks - 1) / ranks * 4 * size, rel=0.01)


def test_faster_links_are_not_slower(ring: Path) -> None:
    cycles = []
    for bandwidth in (5, 20, 80, 320):
        report = simulate(f"{ring}:ring", 4, ["N=65536"], f"--what-if=link_bandwidth={bandwidth}")
        cycles.append(report["runs"][0]["changed"]["summary"]["cycles"])
    assert cycles == sorted(cycles, reverse=True)
    assert cycles[0] > 2 * cycles[-1]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_all_time_has_a_cause(name: str) -> None:
    for ranks in (2, 3):
        source = f"{EXAMPLES / 'ranks' / name}.py:{name}"
        run = simulate(source, ranks, ARGUMENTS[name])["runs"][0]
        assert len(run["chips"]) == ranks
        totals = {
            round(sum(value for cause, value in unit.items() if cause not in ("ops", "useful")), 3)
            for core in run["cores"]
            for unit in core["units"].values()
        }
        totals |= {round(sum(value for key, value in chip.items() if key != "cycles"), 3) for chip in run["chips"]}
        assert len(totals) == 1
        (total,) = totals
        assert run["summary"]["cycles"] - 1 < total <= run["summary"]["cycles"]
