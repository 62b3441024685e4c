# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that were made of graphs, found again by what a graph computes.

A graph may use a kernel that was made of a more general one: if it is the same graph with numbers where the other has
symbols. Never the other way round.
"""

from __future__ import annotations

import re
from typing import Any

import torch
from torch.fx import GraphModule

from tegula.torch._graph import NotAGraph, describe, write_kernel
from tegula.torch._partition import split
from tegula.torch._run import Runner, make_kernel

# Graphs as data, each with the kernel made of it.
_made: list[tuple[dict, Any]] = []
_compiled = 0


def count_kernels() -> int:
    """How many kernels have been made of graphs in this process."""
    return _compiled


def forget() -> None:
    """Drops all kernels; those in use stay."""
    _made.clear()


def find_or_make(module: GraphModule, name: str, target: str | None = None) -> Any:
    """What runs the graph."""
    global _compiled
    graph, _, _ = describe(module, name)
    graph = {**graph, "target": target}
    imported = write_kernel(module, name)
    if imported.unknown:
        return split(module, imported.unknown, lambda part: find_or_make(part, name, target))
    if not imported.text:
        return Runner(imported, None)
    for other, kernel in _made:
        if _specialises(other, graph):
            return Runner(imported, kernel)
    missing = _unbound(graph)
    if missing:
        raise NotAGraph(f"the size {missing} is not that of a tensor")
    kernel = make_kernel(imported.text, name, target)
    _compiled += 1
    _made.append((graph, kernel))
    return Runner(imported, kernel)


def _unbound(graph: dict) -> str:
    """A symbol that no input has as an axis of its own."""
    axes = {extent for tensor in graph["inputs"] for extent in tensor["type"]["shape"]}
    return next((symbol for symbol in graph["symbols"] if symbol not in axes), "")


def _specialises(general: dict, special: dict) -> bool:
    """True if `special` is `general` with numbers for some of its symbols, or with other names for all."""
    if len(general["inputs"]) != len(special["inputs"]) or len(general["nodes"]) != len(special["nodes"]):
        return False
    known: dict[str, str] = {}
    for mine, other in zip(general["inputs"], special["inputs"], strict=True):
        shape, found = mine["type"]["shape"], other["type"]["shape"]
        if mine["type"]["dtype"] != other["type"]["dtype"] or len(shape) != len(found):
            return False
        for extent, given in zip(shape, found, strict=True):
            if extent.isidentifier() and known.setdefault(extent, given) != given:
                return False
    names = {mine["name"]: other["name"] for mine, other in zip(general["inputs"], special["inputs"], strict=True)}
    names.update((mine["name"], other["name"]) for mine, other in zip(general["nodes"], special["nodes"], strict=True))
    return _same({**general, "symbols": []}, {**special, "symbols": []}, names, known)


def _same(mine: Any, other: Any, names: dict[str, str], known: dict[str, str]) -> bool:
    """Compares data of two graphs: names of nodes by their place, sizes by their value."""
    if isinstance(mine, dict):
        if mine.keys() == {"size"} or (isinstance(other, dict) and other.keys() == {"size"}):
            return _size_of(mine, known) == _size_of(other, {})
        return (
            isinstance(other, dict)
            and mine.keys() == other.keys()
            and all(_same_entry(key, mine[key], other[key], names, known) for key in mine)
        )
    if isinstance(mine, list):
        return (
            isinstance(other, list)
            and len(mine) == len(other)
            and all(_same(left, right, names, known) for left, right in zip(mine, other, strict=True))
        )
    if isinstance(mine, int) and not isinstance(mine, bool) and isinstance(other, dict):
        return _size_of(mine, known) == _size_of(other, {})
    return type(mine) is type(other) and mine == other


def _same_entry(key: str, mine: Any, other: Any, names: dict[str, str], known: dict[str, str]) -> bool:
    if key in ("name", "node"):
        return names.get(mine, mine) == other
    if key == "shape":
        return [_size_of(extent, known) for extent in mine] == [_size_of(extent, {}) for extent in other]
    return _same(mine, other, names, known)


def _size_of(value: Any, known: dict[str, str]) -> Any:
    """A size as a number, or as text where it has symbols."""
    if isinstance(value, dict):
        value = value.get("size")
    if not isinstance(value, (str, int)):
        return None
    text = re.sub(r"[A-Za-z_]\w*", lambda match: known.get(match[0], match[0]), str(value))
    names = set(re.findall(r"[A-Za-z_]\w*", text)) - {"min", "max"}
    if names:
        return str(torch.utils._sympy.functions.sympy.simplify(_parse(text)))
    return eval(text, {"__builtins__": {}}, {"min": min, "max": max})


def _parse(text: str) -> Any:
    import sympy

    symbols = {name: sympy.Symbol(name, integer=True) for name in re.findall(r"[A-Za-z_]\w*", text)}
    symbols.update(min=sympy.Min, max=sympy.Max)
    return eval(text, {"__builtins__": {}}, symbols)
