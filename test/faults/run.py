# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults of the machine, in real processes: kills, full disks, full memory. A process that meets one does its work or
says why it cannot; it gives no wrong result, does not crash and does not hang, and what comes after it works.

    test/faults/run.py [--count 1000] [--seed 1] [--slice] [PART...]"""

import argparse
import os
import subprocess
import sys

from disk import full_disk
from killed_ranks import full_shared_memory, killed_ranks
from kills import kills
from malloc import failing_malloc
from memory import memory_limits
from world import Options

# What there is, and a count for which each takes some minutes, and some seconds.
PARTS = {
    "kills": (kills, 1000, 4),
    "ranks": (killed_ranks, 200, 3),
    "shm": (full_shared_memory, 1, 1),
    "disk": (full_disk, 1, 1),
    "memory": (memory_limits, 10, 2),
    "malloc": (failing_malloc, 1000, 40),
}
# Those for which /dev/shm and disks have to be our own.
NEEDS_MOUNTS = ("ranks", "shm", "disk")


def enter_namespace() -> bool:
    """Starts again with file systems that nobody else sees, if that is allowed; False if it is not."""
    if os.environ.get("TEGULA_FAULTS_INSIDE"):
        return True
    mount = 'mount -t tmpfs -o size=1g tmpfs /dev/shm && exec "$@"'
    for words in (["unshare", "-m"], ["unshare", "-r", "-m"]):
        if subprocess.run([*words, "sh", "-c", mount, "sh", "true"], capture_output=True).returncode == 0:
            os.environ["TEGULA_FAULTS_INSIDE"] = "1"
            os.execvp(words[0], [*words, "sh", "-c", mount, "sh", sys.executable, *sys.argv])
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--count", type=int, help="how often; each part has its own number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slice", action="store_true", help="so few that it takes seconds")
    arguments = parser.parse_args()
    for name in arguments.parts:
        if name not in PARTS:
            parser.error(f"there is no part '{name}'")
    has_mounts = enter_namespace()
    has_failed = False
    for name in arguments.parts or PARTS:
        if name in NEEDS_MOUNTS and not has_mounts:
            print(f"{name:<8} left out: file systems cannot be mounted here", flush=True)
            continue
        function, whole, few = PARTS[name]
        count = arguments.count or (few if arguments.slice else whole)
        record = function(Options(count, arguments.seed, arguments.slice))
        print("\n".join([*record.problems[:10], str(record)]), flush=True)
        has_failed |= bool(record.problems)
    if has_failed:
        print(f"seed {arguments.seed}")
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
