# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that #include lines follow the arrows between the layers, and that a target is named in its folders only: by
identifiers of C++ and Python, and by texts that choose it. Sentences for readers may name every target."""

import io
import re
import tokenize
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
# Folders next to those of back ends that all of them may use. Those themselves use no back end.
SHARED = {"codegen", "math"}
# Back ends whose images have code for this processor, and who makes it.
HOSTED_BY = {"cuda": {"cpu"}, "npu": {"cpu"}}
# The only file outside the folder of a back end that may name it.
REGISTER = ROOT / "tegula/backends/Register.cpp"
# Folders of a target outside its back end, and who else may use them.
LAUNCHERS = {"gpu": {"cuda"}}
DEVICES = ROOT / "tegula/launch/device/RegisterDevices.cpp"
# Rooms of back ends that are linked to the launch library, so they may use only what that may, and each other.
LAUNCHED = {"cuda": {"device", "emulator"}}
# Words that name a target, and the identifiers of others that have them: DLPack's devices.
TARGET_WORDS = {"gpu", "gpus", "cuda", "ptx", "hopper", "tpu", "nvvm", "npu"}
# Of these, what back ends that are not for GPUs have for themselves. `cpu` is no such word: every machine has one.
OWN_WORDS = {"npu": {"npu"}}
NAMES_OF_OTHERS = {
    "Cuda",
    "CudaHost",
}
# Files that have them besides those in folders of targets.
NAMING = {
    REGISTER,
    DEVICES,
    # The one table of the names of routines, and what makes sure that each is there.
    ROOT / "tegula/support/Routines.h",
    ROOT / "tegula/launch/AllRoutines.cpp",
}
# A text that chooses a target: the name of its back end, alone or before options.
BACKENDS = {path.parent.name for path in (ROOT / "tegula/backends").glob("*/*Target.h")} - SHARED
TARGET_TEXT = re.compile(f"({'|'.join(sorted(BACKENDS))})(:.*)?", re.DOTALL)
# Such texts that choose none, or the one that everybody may.
TEXTS_OF_OTHERS = {
    # The target of kernels that name none: the table for C++, and that for Python.
    "tegula/support/HostTarget.h": {"cpu"},
    "python/tegula/_config.py": {"cpu"},
    # Options of the command: a processor, and a machine of the simulator, which is a layer of its own.
    "tools/tegula/Build.cpp": {"cpu"},
    "tools/tegula/sim/Sim.cpp": {"npu"},
    "tools/tegula/sim/SimRequest.cpp": {"npu"},
    # What array libraries call their devices.
    "python/ReadArgument.cpp": {"cuda:"},
    "python/tegula/torch": {"cpu"},
}
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What is no identifier comes first: comments, texts, includes, characters.
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|#\s*include[^\n]*|\[\{.*?\}\]|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|(?<!\d)'(?:\\.|[^'\\\n])+'|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]|^\s*include\s+"([^"]+)"', re.MULTILINE)


def room_of(path: Path) -> str:
    """Returns the folder inside its back end that a file is in, or an empty text."""
    parts = path.relative_to(ROOT / "tegula").parts
    return parts[2] if len(parts) > 3 else ""


def owner_of(path: Path) -> str:
    """Returns the back end that a file belongs to, or an empty text."""
    parts = path.relative_to(ROOT).parts
    if parts[:2] == ("tegula", "backends") and len(parts) > 3 and parts[2] not in SHARED:
        return parts[2]
    if parts[:2] == ("tegula", "launch") and len(parts) > 3 and parts[2] in LAUNCHERS:
        return parts[2]
    return ""


def names_target(name: str, owner: str = "") -> bool:
    """True if an identifier has a word that names a target other than that of the file."""
    words = {word.lower() for word in WORD.findall(name)}
    return name not in NAMES_OF_OTHERS and bool(TARGET_WORDS & words - OWN_WORDS.get(owner, set()))


def chooses_target(path: Path, text: str) -> bool:
    """True if a text of the file chooses a target, and may not."""
    others = (TEXTS_OF_OTHERS.get(shown(each), set()) for each in (path, path.parent))
    return bool(TARGET_TEXT.fullmatch(text)) and not any(text in texts for texts in others)


def found_in(path: Path, names: list[str], texts: list[str], owner: str = "") -> list[str]:
    """Returns one message per identifier and per text by which a file names a target that it is no part of."""
    only = "names a target, which only the target's own folders may"
    found = [f"{shown(path)}: '{name}' {only}" for name in names if names_target(name, owner)]
    if not owner:
        found += [f'{shown(path)}: "{text}" {only}' for text in texts if chooses_target(path, text)]
    return found


def names_in_python(path: Path) -> list[str]:
    """Returns the same messages for a file of Python."""
    names, texts = [], []
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.NAME:
            names.append(token.string)
        elif token.type == tokenize.STRING:
            texts.append(token.string.lstrip("rbfRBF").strip("\"'"))
    return sorted(set(found_in(path, names, texts)))


def names_in(path: Path) -> list[str]:
    """Returns one message per include and per identifier by which a file names a target that it is no part of."""
    owner, text, found = owner_of(path), path.read_text(), []
    for match in INCLUDE.finditer(text):
        parts = (match[1] or match[2]).split("/")
        named = ""
        if parts[:2] == ["tegula", "launch"] and len(parts) > 3 and parts[2] in LAUNCHERS:
            named = "" if owner in {parts[2], *LAUNCHERS[parts[2]]} else parts[2]
        elif parts[:2] == ["tegula", "backends"] and len(parts) > 3 and not path.is_relative_to(ROOT / "tegula"):
            named = "" if parts[2] in SHARED else parts[2]
        if named:
            found.append(f"{shown(path)}: includes {'/'.join(parts)}, which only the target's own folders may")
    if owner and ({owner} & LAUNCHERS.keys() or any(owner in users for users in LAUNCHERS.values())):
        return found
    tokens = list(TOKEN.finditer(text))
    names = [match["name"] for match in tokens if match["name"]]
    texts = [match["text"] for match in tokens if match["text"]]
    return sorted({*found, *found_in(path, names, texts, owner)})


def problems_of(path: Path, layer: str) -> list[str]:
    """Returns one message per include in `path` that its layer may not have."""
    found = []
    for match in INCLUDE.finditer(path.read_text()):
        parts = (match[1] or match[2]).split("/")
        if parts[0] == "tegula" and len(parts) > 2:
            used = parts[1]
            if used != layer and used not in MAY_USE[layer]:
                found.append(f"{shown(path)}: layer '{layer}' may not use '{used}'")
            room = path.relative_to(ROOT / "tegula").parts[1]
            if (
                used == layer == "frontend"
                and room in ROOMS
                and parts[2] in ROOMS
                and parts[2] not in {room, *ROOMS[room]}
            ):
                found.append(f"{shown(path)}: room '{room}' may not use '{parts[2]}'")
            own = path.relative_to(ROOT / "tegula").parts[1] if layer == "backends" else ""
            allowed = {own, *SHARED, *HOSTED_BY.get(own, set())}
            if room_of(path) in LAUNCHED.get(own, set()) and not (
                used in MAY_USE["launch"] | {"launch"}
                or (used == layer and parts[2:3] == [own] and parts[3] in LAUNCHED[own])
            ):
                found.append(f"{shown(path)}: is part of the launch library, which may not use '{'/'.join(parts)}'")
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
    for path in files(("tegula", "tools", "python"), (".h", ".cpp", ".c", ".td")):
        if path not in NAMING:
            problems += names_in(path)
    for path in files(("python",), (".py",)):
        problems += names_in_python(path)
    report(problems)


main()
