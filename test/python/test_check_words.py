# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check-words.py finds retired senses of words, and leaves ordinary English."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HOPPER = "tegula/backends/cuda/device/hopper"
GPU = "tegula/launch/gpu"

RETIRED = [
    ("tegula", "// What a function gets of each loop whose turns it runs."),
    ("tegula", "// How many turns it has."),
    ("test", "// Turns are distributed to blocks."),
    ("tegula", "// Which turn it is in."),
    ("test/gpu", "# Factors are copied first."),
    (GPU, "// Code for the chips that have a form for it."),
    (GPU, "// Which form of a kernel a call takes."),
    ("tegula", "// True if the use starts a sum of matmuls."),
    ("tegula", "// A sum of\n// matmuls that goes on in the next line."),
    (HOPPER, "// What becomes of the sums of a tile."),
    (HOPPER, "// The first group begins."),
    (HOPPER, "// As the product is computed."),
    ("tegula", "// Loads that are made an iteration ahead."),
    ("tegula", "// A pointer that the loop walks."),
    ("tegula", "// The kernel beside it."),
    ("tegula", "// At the builder's place."),
    ("tegula", "// Elements that are put at places."),
    ("tegula", '"what it stored, before they met"'),
    (GPU, "// How many blocks a processor has at once."),
    ("bench/results", "Above 1 we lead."),
    ("tegula", "int numTurns;"),
    ("tegula", "bool isSumOfTurned();"),
]
ORDINARY = [
    ("tegula", "// Turns objects into values, in turn, and turns it off."),
    ("tegula", "// A pass turns loops over tiles into one op."),
    ("tegula", "// It takes place in one place, in the place of the op."),
    ("tegula", "// The row sums up what it has; a sum of rows is a reduction."),
    (HOPPER, "// Partial sums, and the sum of the terms' sizes."),
    (HOPPER, "// Waits for all matmuls but those of the last commit group."),
    ("tegula", "// A dot product, a scale factor and the product of two numbers."),
    ("tegula", "// Prefetches the line that is four iterations ahead."),
    ("tegula", "// Compiled ahead of time; as far as it goes."),
    (GPU, "// Code that this processor runs."),
    ("tegula", "// `walk` and `beside` are names here."),
    ("tegula", "module.walk([](Operation *op) {});"),
]


@pytest.fixture(scope="module")
def words():
    sys.path.insert(0, str(ROOT / "scripts"))
    spec = importlib.util.spec_from_file_location("check_words", ROOT / "scripts/check-words.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_words"] = module
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "scripts"))


def uses(words, folder: str, text: str) -> list[str]:
    """What is found in a file of such a folder."""
    suffix = {"#": ".py", "A": ".md"}.get(text[0], ".cpp")
    return [use.text for use in words.File(ROOT / folder / f"Matmul{suffix}", text).read()]


@pytest.mark.parametrize(("folder", "text"), RETIRED)
def test_a_retired_sense_is_found(words, folder, text):
    assert uses(words, folder, text)


@pytest.mark.parametrize(("folder", "text"), ORDINARY)
def test_ordinary_english_is_left(words, folder, text):
    assert uses(words, folder, text) == []
