# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of the language as Python sees them."""

import ast
import os
import pathlib
import pickle
import subprocess
import sys

import pytest

import tegula
import tegula.language as pl

ROOT = pathlib.Path(__file__).parents[2]


def test_the_import_is_light():
    code = (
        "import sys; before = set(sys.modules); import tegula.language; "
        "print(sorted(m for m in set(sys.modules) - before if m in "
        "('numpy', 'torch', 'inspect', 'ast', 'difflib', 'subprocess', 'asyncio', 'tegula._kernel')))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "[]"


def test_annotations_evaluate():
    M = pl.dynamic("M")
    assert repr(pl.Out[pl.Tensor[[M, 2 * M + 1], pl.FP32]]) == "pl.Out[pl.Tensor[[M, (2 * M) + 1], pl.FP32]]"
    assert repr(pl.Scalar[pl.INT32]) == "pl.Scalar[pl.INT32]"
    assert repr(pl.constexpr[pl.INDEX]) == "pl.constexpr[pl.INDEX]"


def test_functions_say_that_they_belong_in_a_kernel():
    with pytest.raises(TypeError, match="pl.load means something inside a kernel only"):
        pl.load(1, 2)
    with pytest.raises(TypeError, match="pl.tensor.dim means"):
        pl.tensor.dim(1, 2)


def test_unknown_names_are_found_out():
    with pytest.raises(AttributeError, match="the language has no 'pl.dynamc'; did you mean 'pl.dynamic'?"):
        pl.dynamc("M")
    assert not hasattr(pl, "__wrapped__")
    assert "load" in dir(pl) and "Tensor" in dir(pl) and "FP32" in dir(pl)


def test_arithmetic_outside_a_kernel():
    assert (pl.cdiv(7, 2), pl.min(3, 1, 2), pl.max([4, 5])) == (4, 1, 5)
    M = pl.dynamic("M")
    with pytest.raises(TypeError, match="the size M // 2 is not known before a kernel is called"):
        bool(M // 2)
    with pytest.raises(TypeError, match="the size M is not known"):
        M < 3  # noqa: B015
    with pytest.raises(TypeError, match=r"write pl\.min and pl\.max for the least and the largest of sizes"):
        max(M, 2)
    with pytest.raises(TypeError):
        M + 0.5
    with pytest.raises(TypeError, match="takes integers and sizes, got 0.5"):
        pl.min(M, 0.5)


@pytest.mark.parametrize("name", ["", "a b", "1a", "é", 3])
def test_symbols_have_names(name):
    with pytest.raises((ValueError, TypeError), match="the name of"):
        pl.dynamic(name)


def test_dtypes_are_equal_by_name():
    assert pickle.loads(pickle.dumps(pl.FP32)) == pl.FP32
    assert pl.FP32 != pl.FP16 and len({pl.FP32, pl.FP32}) == 1


def test_config_is_scoped():
    assert tegula.config.cache is None
    with tegula.config(cache="off", cache_dir=pathlib.Path("somewhere")):
        assert (tegula.config.cache, tegula.config.cache_dir) == ("off", "somewhere")
        with pytest.raises(RuntimeError), tegula.config(cache="readonly"):
            raise RuntimeError
        assert tegula.config.cache == "off"
    assert tegula.config.cache is None
    with pytest.raises(ValueError, match="cache is 'on', 'readonly' or 'off', got 'maybe'"):
        tegula.config.cache = "maybe"
    for target in ("cdua", "", "cdua:sm_90a"):
        with pytest.raises(ValueError, match=f"there is no target '{target}'; there is: cpu, interpreter, npu, cuda"):
            tegula.config(target=target)
    with pytest.raises(AttributeError, match="there is no setting 'cash'"):
        with tegula.config(cash=1):
            pass


def test_the_stubs_are_current():
    binaries = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin"))
    assert (binaries / "tegula").exists(), "the command is not built"
    script = ROOT / "scripts" / "update-stubs.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def stub_names() -> set[str]:
    known = set()
    folder = ROOT / "python" / "tegula" / "language"
    trees = [ast.parse((folder / name).read_text()) for name in ("__init__.pyi", "_types.pyi")]
    for node in (*trees[0].body, *trees[1].body[-1].orelse):
        if isinstance(node, ast.AnnAssign):
            known.add(node.target.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            known.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            known |= {alias.asname for alias in node.names if alias.asname}
    return {name for name in known if not name.startswith("_")}


def test_the_stubs_have_every_name():
    assert set(dir(pl)) == stub_names()
    assert set(pl.__all__) <= stub_names()


def test_every_name_of_the_stubs_exists():
    assert [name for name in stub_names() if not hasattr(pl, name)] == []
