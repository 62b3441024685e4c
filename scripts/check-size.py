# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no file has outgrown its limit of lines."""

from tree import ALL, CODE, ROOT, files, report, shown

CODE_LIMIT = 600
CMAKE_LIMIT = 15
TOP_LEVEL_CMAKE_LIMIT = 60


def main() -> None:
    limits = {path: CODE_LIMIT for path in files(CODE, (".h", ".cpp", ".c", ".td", ".py"))}
    limits |= {path: CMAKE_LIMIT for path in files(ALL, ("CMakeLists.txt",))}
    limits[ROOT / "CMakeLists.txt"] = TOP_LEVEL_CMAKE_LIMIT
    report(
        [
            f"{shown(path)}: {lines} lines, the limit is {limit}"
            for path, limit in limits.items()
            if (lines := len(path.read_text().splitlines())) > limit
        ]
    )


main()
