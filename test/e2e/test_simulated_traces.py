# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A timeline keeps the rules of the trace-event format: tracks have names, slices of a track do not cross, arrows begin
and end in slices and go forward, and counters are numbers in the order of time."""

import json
import pathlib
from collections import defaultdict

import pytest
from tegula_library import EXAMPLES
from test_producers import tegula

RUNS = {
    "gemm": ["gemm.py", "--npu=tpuv4", "--dim=M=512", "--dim=N=512", "--dim=K=512"],
    "roles": [
        "flash_attention.py",
        "--npu=ascend910b",
        "--dim=H=2",
        "--dim=SQ=128",
        "--dim=SK=128",
        "--scalar=scale=1",
    ],
    "ranks": ["ranks/allreduce.py:allreduce", "--npu=tpuv4", "--ranks=4", "--dim=NR=4", "--dim=N=65536"],
    "recorded": ["moe.py", "--npu=ascend910b", "--dim=T=40", "--dim=D=32", "--dim=E=4", "--dim=F=32"],
}


def nanoseconds(microseconds: float) -> int:
    return round(microseconds * 1000)


@pytest.mark.parametrize("name", RUNS)
def test_a_timeline_keeps_the_rules(name: str, tmp_path: pathlib.Path) -> None:
    file, *options = RUNS[name]
    path = tmp_path / "t.json"
    tegula("sim", f"{EXAMPLES}/{file}", *options, f"--trace={path}")
    events = json.loads(path.read_text())["traceEvents"]
    processes = {event["pid"] for event in events if event["name"] == "process_name"}
    tracks = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
    slices, arrows, counters = defaultdict(list), defaultdict(list), defaultdict(list)
    for event in events:
        track, start = (event["pid"], event["tid"]), nanoseconds(event["ts"])
        assert event["ph"] in "MXsfC" and start >= 0 and event["pid"] in processes, event
        if event["ph"] == "X":
            assert track in tracks and event["dur"] >= 0, event
            slices[track].append((start, start + nanoseconds(event["dur"])))
        elif event["ph"] in "sf":
            arrows[event["id"]].append((event["ph"], track, start))
        elif event["ph"] == "C":
            assert all(value >= 0 for value in event["args"].values()), event
            counters[event["pid"], event["name"]].append(start)
    assert slices and arrows and counters
    for track, found in slices.items():
        found.sort()
        assert all(last[1] <= next[0] for last, next in zip(found, found[1:], strict=False)), track
    for ends in arrows.values():
        (begin, source, start), (end, target, stop) = ends
        assert (begin, end) == ("s", "f") and start <= stop, ends
        assert any(first <= start <= last for first, last in slices[source]), ends
        assert any(first == stop for first, last in slices[target]), ends
