# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The changes that CONTRIBUTING.md shows are in the tree, and none of them takes more than four files."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BLOCKS = re.findall(r"^```diff\n(.*?)^```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL | re.MULTILINE)


def test_there_are_three():
    assert len(BLOCKS) == 3


@pytest.mark.parametrize("block", BLOCKS)
def test_a_change_is_in_the_tree_and_takes_four_files(block):
    _, *files = re.split(r"^--- ", block, flags=re.MULTILINE)
    assert 0 < len(files) <= 4
    for text in files:
        path, *lines = text.splitlines()
        present = (ROOT / path).read_text()
        for line in lines:
            assert line[0] in "+@", line
            shown = line.removeprefix("+").removeprefix("@@").partition("...")[0].strip()
            assert shown in present, f"{path} does not have: {shown}"
