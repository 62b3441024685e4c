# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no two files define a type of one name: a program in which they differ has no meaning, and no linker
says so. Types in a namespace without a name are a file's own. Also, that names of run-time routines are written in
their table only, tegula/support/Routines.h."""

import re
from pathlib import Path

from tree import CODE, ROOT, files, report, shown

RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
OPENS = re.compile(r"namespace ?([\w:]*) ?\{")
CLOSES = re.compile(r"\} // namespace")
TYPE = re.compile(r"(?:struct|class|union|enum(?: class)?) (?:\[\[\w+\]\] |alignas\(\w+\) )?([\w:]+)[^;]*$")


def types_of(path: Path) -> list[str]:
    """Returns the types that `path` defines for everybody, with their namespaces."""
    found, spaces = [], []
    for line in RAW_STRING.sub("", path.read_text()).splitlines():
        opened, defined = OPENS.match(line), TYPE.match(line)
        if opened:
            spaces.append(opened[1])
        elif CLOSES.match(line):
            spaces.pop()
        elif defined and "" not in spaces:
            found.append("::".join([*spaces, defined[1]]))
    return found


ROUTINES = ROOT / "tegula/support/Routines.h"
ROUTINE = re.compile(r"ROUTINE\((tegula\w+)")
LITERAL = re.compile(r'"(tegula\w+)"')


def literals_in(path: Path, routines: set[str]) -> list[str]:
    """Returns one message per routine that `path` names by a text."""
    found = sorted(routines & set(LITERAL.findall(path.read_text())))
    return [f"{shown(path)}: write routine::{name} (Routines.h) for \"{name}\"" for name in found]


def main() -> None:
    definitions: dict[str, str] = {}
    problems = []
    for path in files((*CODE, "test", "bench"), (".h", ".cpp")):
        for name in types_of(path):
            first = definitions.setdefault(name, shown(path))
            if first != shown(path):
                problems.append(f"{shown(path)}: '{name}' is also defined in {first}; give one of them another name")
    routines = set(ROUTINE.findall(ROUTINES.read_text()))
    for path in files(("tegula",), (".h", ".cpp")):
        problems += literals_in(path, routines)
    report(problems)


main()
