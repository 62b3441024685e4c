# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every parameter of every function of the language is read by the code that builds it, or is declared as ignored."""

import ast
import importlib.util
import json
import pathlib
import re
import sys

import pytest
from conftest import BUILD

ROOT = pathlib.Path(__file__).parents[2]
BUILTINS = ROOT / "tegula" / "frontend" / "builtins"
PRELUDES = [BUILTINS / "prelude.py", BUILTINS / "prelude_ranks.py"]
FUNCTION = re.compile(
    r"^(?:\w[^\n;{}]*[\s*&])?(?:tegula::)?(\w+)\([^;{}]*\)[^;{}]*\{(?:\n.*?^\}| .*?\}$)", re.DOTALL | re.MULTILINE
)


def load_generator():
    spec = importlib.util.spec_from_file_location("generate_builtins", ROOT / "scripts" / "generate-builtins.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


GENERATOR = load_generator()
RECORDS = GENERATOR.Records(json.loads((BUILD / "tegula" / "frontend" / "builtins" / "Builtins.json").read_text()))
FUNCTIONS = GENERATOR.read_functions(RECORDS, [prelude.read_text() for prelude in PRELUDES])
BUILT = [function for function in FUNCTIONS if function.builder]
WRITTEN = [function for function in FUNCTIONS if function.text]


def bodies(text):
    """The C++ functions of a file by name; overloads count as one."""
    found = {}
    for match in FUNCTION.finditer(text):
        found[match[1]] = found.get(match[1], "") + match[0]
    return found


FILES = [bodies(path.read_text()) for path in BUILTINS.rglob("*.cpp")]


def reached(builder, files):
    """The text of a C++ function and of those of its file that it calls."""
    functions = dict(next(each for each in files if builder in each))
    names, texts = [builder], []
    while names:
        texts.append(functions.pop(names.pop(), ""))
        names += [name for name in functions if re.search(rf"\b{name}\b", texts[-1])]
    return "\n".join(texts)


@pytest.mark.parametrize("builder", sorted({function.builder for function in BUILT}))
def test_every_parameter_is_read(builder):
    text = reached(builder, FILES)
    function = next(each for each in BUILT if each.builder == builder)
    for parameter in function.given():
        name = GENERATOR.cased(parameter.name)
        has = "has" + name[0].upper() + name[1:]
        assert re.search(rf"\bcall\.(?:{name}|{has})\(", text), f"{builder} does not read '{parameter.name}'"


@pytest.mark.parametrize("function", WRITTEN, ids=lambda function: function.name)
def test_every_parameter_is_used(function):
    definition = ast.parse(function.text).body[0]
    used = {node.id for node in ast.walk(ast.Module(definition.body, [])) if isinstance(node, ast.Name)}
    for parameter in function.given():
        assert parameter.name in used, f"pl.{function.name} does not use '{parameter.name}'"


def test_the_check_sees_what_is_not_read():
    """`c` is read by another function of the file only."""
    text = "Object tegula::buildA(const ACall &call) {\n  return helper(call);\n}\n"
    text += "static Object helper(const ACall &call) {\n  return call.b();\n}\n"
    text += "Object tegula::buildB(const BCall &call) {\n  return call.c();\n}\n"
    assert "call.b()" in reached("buildA", [bodies(text)])
    assert "call.c()" not in reached("buildA", [bodies(text)])
