# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long sweeps of `tegula sim`: Ctrl-C keeps what is done, and a terminal shows how far it is."""

import os
import pty
import signal
import subprocess
import time

from conftest import BUILD

COMMAND = [
    BUILD / "bin" / "tegula",
    "sim",
    "--npu",
    "edge8x8",
    "--workload",
    "gemm",
    "--dim",
    "N=2048",
    "--dim",
    "K=2048",
]


def test_an_interrupted_sweep_leaves_what_is_done(tmp_path):
    files = ["--csv", tmp_path / "s.csv", "--svg", tmp_path / "s.svg", "--trace", tmp_path / "t.json"]
    sweep = subprocess.Popen(
        [*COMMAND, "--dim", "M=64..65536:+64", *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    lines = [sweep.stdout.readline() for _ in range(4)]
    assert lines[3].split()[0] == "64"
    sweep.send_signal(signal.SIGINT)
    rest, errors = sweep.communicate(timeout=60)
    assert sweep.returncode == -signal.SIGINT
    rows = 1 + sum(line.split()[0].isdigit() for line in rest.splitlines() if line.strip())
    assert f"interrupted after {rows} of 1024 sizes; no timeline and no page is written" in errors
    assert len((tmp_path / "s.csv").read_text().splitlines()) == 1 + rows
    assert (tmp_path / "s.svg").read_text().count("<circle") == 2 * rows
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.csv", "s.svg"]


def test_a_terminal_shows_how_far_a_sweep_is(tmp_path):
    screen, terminal = pty.openpty()
    with (tmp_path / "out").open("w") as out:
        sweep = subprocess.Popen([*COMMAND, "--dim", "M=64..65536:+64"], stdout=out, stderr=terminal)
    shown, start = "", time.monotonic()
    while " left" not in shown and time.monotonic() - start < 60:
        shown += os.read(screen, 1000).decode()
    sweep.send_signal(signal.SIGINT)
    while "stopping" not in shown:
        shown += os.read(screen, 1000).decode()
    assert sweep.wait(timeout=60) == -signal.SIGINT
    os.close(terminal)
    os.close(screen)
    assert "N=2048 K=2048: " in shown and " of 1024, about " in shown
