# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that #include lines follow the arrows between the layers."""

import re
from pathlib import Path

from tree import ROOT, files, report, shown

MAY_USE = {
    "support": set(),
    "launch": {"support"},
    "ir": {"support"},
    "frontend": {"support", "launch", "ir"},
    "transforms": {"support", "ir"},
    "backends": {"support", "launch", "ir", "transforms", "sim"},
    "sim": {"support"},
    "dist": {"support", "launch"},
    "torch": {"support"},
    "runtime": {"support", "launch", "ir", "frontend", "transforms", "backends", "sim", "dist", "torch"},
}
# The rooms of the front end, each with those it may use besides its own.
ROOMS = {
    "diagnostics": set(),
    "syntax": {"diagnostics"},
    "constants": {"diagnostics", "syntax"},
    "emit": {"diagnostics", "syntax", "constants"},
    "builtins": {"diagnostics", "syntax", "constants", "emit"},
    "irgen": {"diagnostics", "syntax", "constants", "emit", "builtins"},
    "unparse": {"syntax", "constants"},
}
# Folders beside those of back ends that all of them may use.
SHARED = {"math"}
# Back ends whose images have code for this processor, and who makes it.
HOSTED_BY = {"cuda": {"cpu"}, "npu": {"cpu"}}
# The only file outside the folder of a back end that may name it.
REGISTER = ROOT / "tegula/backends/Register.cpp"
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]|^\s*include\s+"([^"]+)"', re.MULTILINE)


def problems_of(path: Path, layer: str) -> list[str]:
    """Returns one message per include in `path` that its layer may not have."""
    found = []
    for match in INCLUDE.finditer(path.read_text()):
        parts = (match[1] or match[2]).split("/")
        if parts[0] == "tegula" and len(parts) > 2:
            used = parts[1]
            if used != layer and used not in MAY_USE[layer]:
                found.append(f"{shown(path)}: layer '{layer}' may not use '{used}'")
            room = path.parent.name
            if (
                used == layer == "frontend"
                and room in ROOMS
                and parts[2] in ROOMS
                and parts[2] not in {room, *ROOMS[room]}
            ):
                found.append(f"{shown(path)}: room '{room}' may not use '{parts[2]}'")
            own = path.relative_to(ROOT / "tegula").parts[1] if layer == "backends" else ""
            allowed = {own, *SHARED, *HOSTED_BY.get(own, set())}
            if used == "backends" and len(parts) > 3 and path != REGISTER and parts[2] not in allowed:
                found.append(f"{shown(path)}: names the back end '{parts[2]}', which only '{shown(REGISTER)}' may")
        elif parts[0].startswith("mlir") and layer in ("support", "launch", "sim", "dist"):
            found.append(f"{shown(path)}: layer '{layer}' may not use MLIR, includes '{'/'.join(parts)}'")
        elif parts[0] in MAY_USE or ".." in parts:
            found.append(f"{shown(path)}: write the include from the root: 'tegula/...', not '{'/'.join(parts)}'")
    return found


def main() -> None:
    problems = []
    for path in files(("tegula",), (".h", ".cpp", ".c", ".td")):
        layer = path.relative_to(ROOT / "tegula").parts[0]
        if layer not in MAY_USE:
            problems.append(f"{shown(path)}: '{layer}' is not a layer; the layers are {', '.join(MAY_USE)}")
        else:
            problems += problems_of(path, layer)
    report(problems)


main()
