# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notebooks run: their cells in order, each a text of its own as in Jupyter, and what they show can be shown."""

import ast
import json
import linecache
import pathlib

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))
METHODS = ("_repr_html_", "_repr_svg_")


def run_cell(text, name, names):
    """Runs a cell and returns the value of its last expression."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return eval(compile(ast.Expression(last.value), name, "eval"), names) if last else None


@pytest.fixture(params=NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def notebook(request):
    return request.param.stem, json.loads(request.param.read_text())


def test_runs_and_shows(notebook, capsys):
    stem, content = notebook
    names, shown = {"__name__": "__main__"}, []
    for number, cell in enumerate(content["cells"]):
        if cell["cell_type"] == "code":
            value = run_cell("".join(cell["source"]), f"<cell {number} of {stem}>", names)
            shown += [getattr(value, method)() for method in METHODS if hasattr(value, method)]
    printed = capsys.readouterr().out
    if stem == "first_kernel":
        assert "variant 0" in printed and "pl.parallel" in printed and "FP64" in printed
    else:
        assert "cycles" in printed
        page, bars = shown
        assert page.startswith("<iframe srcdoc=") and "&lt;canvas" in page and "<script" not in page
        assert bars.count("<rect") == 4


def test_holds_no_results(notebook):
    for cell in notebook[1]["cells"]:
        assert not cell.get("outputs") and not cell.get("execution_count")


def test_there_are_two():
    assert len(NOTEBOOKS) == 2
