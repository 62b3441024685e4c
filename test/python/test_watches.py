# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A change of anything that was captured can be seen without resolving it again."""

import types

import captured
import pytest

import tegula.language as pl

WIDTH = 8
SHAPE = [4, 4]
space = types.ModuleType("space")
space.depth = 3
holder = types.SimpleNamespace(height=2)


@pytest.fixture(autouse=True)
def no_compiler():
    with captured.without_compiler():
        yield


def now(kind, container, name):
    """What a watch finds."""
    if kind == "item":
        return container.get(name)
    if kind == "cell":
        try:
            return container.cell_contents
        except ValueError:
            return None
    if kind == "attribute":
        return getattr(container, name, None)
    return tuple(container.items()) if isinstance(container, dict) else tuple(container)


def changed(watches):
    return [
        watch[2]
        for watch in watches
        if (found := now(*watch[:3])) is not watch[3] and not (watch[0] == "content" and found == watch[3])
    ]


with captured.without_compiler():

    @pl.jit.inline
    def leaf(x):
        return x + WIDTH


def test_globals_modules_attributes_and_lists(monkeypatch):
    @pl.jit
    def k(x):
        return x + WIDTH + space.depth + holder.height + SHAPE[0]

    watches = k._capture.resolve()[1]
    assert changed(watches) == []
    monkeypatch.setitem(globals(), "WIDTH", 9)
    assert changed(watches) == ["WIDTH"]
    monkeypatch.setattr(space, "depth", 4)
    monkeypatch.setattr(holder, "height", 4)
    assert set(changed(watches)) == {"WIDTH", "depth", "height"}
    SHAPE.append(1)
    assert None in changed(watches)
    SHAPE.pop()


def test_cells():
    factor = 2

    @pl.jit
    def k(x):
        return x * factor

    watches = k._capture.resolve()[1]
    assert changed(watches) == []
    factor = 3
    assert changed(watches) == [None]


def test_names_that_do_not_exist_yet(monkeypatch):
    @pl.jit
    def k(x):
        return x + not_yet + min(x, 1)

    watches = k._capture.resolve()[1]
    assert changed(watches) == []
    monkeypatch.setitem(globals(), "not_yet", 1)
    assert changed(watches) == ["not_yet"]
    monkeypatch.setitem(globals(), "min", pl.min)
    assert set(changed(watches)) == {"not_yet", "min"}


def test_what_helpers_see_and_helpers_themselves(monkeypatch):
    @pl.jit
    def k(x):
        return leaf(x)

    watches = k._capture.resolve()[1]
    assert changed(watches) == []
    monkeypatch.setitem(globals(), "WIDTH", 10)
    assert changed(watches) == ["WIDTH"]
    monkeypatch.setitem(globals(), "leaf", pl.jit.inline(leaf._capture.function))
    assert set(changed(watches)) == {"WIDTH", "leaf"}


def test_each_name_is_watched_once():
    @pl.jit
    def k(x):
        return leaf(x) + leaf(x) + WIDTH

    watches = k._capture.resolve()[1]
    names = [(kind, id(container), name) for kind, container, name, _ in watches]
    assert len(names) == len(set(names))
    assert not any(name == "pl" for _, _, name in names), "the language is not watched"
