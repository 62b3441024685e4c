# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Disks that are full, and files that may not grow: what is written is whole, or an error says that it cannot be and
nothing of it is left. What cannot be kept in the cache is compiled again."""

import os
import pathlib
import resource
import subprocess

from kills import KERNELS
from world import TEGULA, Options, Record, environment, judge, run, scratch

SHAPE = ["--dim", "M=70", "--dim", "N=33"]
# What each writes, with words in which OUT is the folder.
COMMANDS = {
    "build": ["build", "SOURCE", "-o", "OUT/kernels.so", "--header", "OUT/kernels.h"],
    "run --out": ["run", "SOURCE:scale", *SHAPE, "--out", "y=OUT/y.npy", "--check", "--no-reference"],
    "build for an NPU": ["build", "SOURCE:scale", *SHAPE, "--target", "npu:edge8x8", "-o", "OUT/scale"],
    "cache": ["run", "SOURCE:soften", *SHAPE, "--check", "--no-reference"],
}


def words_of(name: str, source: pathlib.Path, folder: pathlib.Path) -> list[str]:
    return [TEGULA, *(word.replace("SOURCE", str(source)).replace("OUT", str(folder)) for word in COMMANDS[name])]


def written_in(folder: pathlib.Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def variables_for(name: str, folder: pathlib.Path) -> dict[str, str]:
    """The cache is on the disk as well, or off."""
    if name == "cache":
        return environment(TEGULA_CACHE_DIR=str(folder / "cache"), TMPDIR=str(folder))
    return environment(TEGULA_CACHE="off", TMPDIR=str(folder))


def expect_whole(
    record: Record, what: str, name: str, folder: pathlib.Path, whole: dict[str, bytes], is_done: bool
) -> None:
    """All files as they should be, or none; the cache has no file that is damaged."""
    if name == "cache":
        verified = run([TEGULA, "cache", "verify", "--dir", str(folder / "cache")])
        if verified.code != 0:
            record.complain(f"{what}: the cache is damaged", verified)
    elif is_done and written_in(folder) != whole:
        record.complain(f"{what}: what was written is not whole: {sorted(written_in(folder))}")
    elif not is_done and written_in(folder):
        record.complain(f"{what}: {sorted(written_in(folder))} is left")


def full_disk(options: Options) -> Record:
    record = Record("disk")
    with scratch() as path:
        source = pathlib.Path(path) / "kernels.py"
        source.write_text(KERNELS.format(number=3))
        for name in COMMANDS:
            good = pathlib.Path(path) / "good"
            good.mkdir()
            if not judge(record, run(words_of(name, source, good), env=variables_for(name, good)), name):
                record.complain(f"{name}: fails without a fault")
            whole = written_in(good)
            good.rename(good.with_name(f"good {name}"))
            fill_disk(record, options, name, source, pathlib.Path(path), whole)
            forbid_growth(record, options, name, source, pathlib.Path(path), whole)
    return record


def fill_disk(
    record: Record, options: Options, name: str, source: pathlib.Path, path: pathlib.Path, whole: dict
) -> None:
    """On a file system with so few KiB."""
    if not os.environ.get("TEGULA_FAULTS_INSIDE"):
        return
    disk = path / "disk"
    disk.mkdir(exist_ok=True)
    for room in [4, 16] if options.is_slice else [4, 8, 12, 16, 24, 32, 48, 64, 128, 256, 1024]:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}k", "tmpfs", disk], check=True)
        what = f"{name} with {room} KiB of disk"
        done = run(words_of(name, source, disk), env=variables_for(name, disk))
        is_done = judge(record, done, what)
        # A cache that cannot be written is none.
        if name == "cache" and not is_done:
            record.complain(f"{what}: the call fails", done)
        expect_whole(record, what, name, disk, whole, is_done)
        subprocess.run(["umount", disk], check=True)


def forbid_growth(
    record: Record, options: Options, name: str, source: pathlib.Path, path: pathlib.Path, whole: dict
) -> None:
    """With a limit to the bytes of files, which also those in memory have."""
    for most in [0, 5000] if options.is_slice else [0, 1, 100, 1000, 4096, 5000, 10000, 20000, 50000, 100000]:
        folder = path / f"limit {name} {most}"
        folder.mkdir()
        what = f"{name} with files of {most} bytes"
        done = run(
            words_of(name, source, folder),
            env=variables_for(name, folder),
            preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
        )
        is_done = judge(record, done, what)
        expect_whole(record, what, name, folder, whole, is_done)
