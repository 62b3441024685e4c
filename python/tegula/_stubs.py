# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the stubs say of the names of the language, for `help` and `inspect`. Read when somebody asks."""

import ast
import functools
import inspect
import pathlib

FOLDER = pathlib.Path(__file__).parent / "language"
FILES = {"": ("__init__.pyi", "_constructs.pyi", "_types.pyi"), "distributed.": ("distributed.pyi", "_ranks.pyi")}


def _collect(body: list[ast.stmt], prefix: str, found: dict[str, tuple[ast.stmt, str]]) -> None:
    for node, after in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.FunctionDef():
                found[prefix + node.name] = node, ast.get_docstring(node) or ""
            case ast.ClassDef():
                # `pl.array` is what `_array` has.
                name = prefix + node.name.removeprefix("_")
                found[name] = node, ast.get_docstring(node) or ""
                _collect(node.body, f"{name}.", found)
            case ast.If():
                _collect(node.orelse, prefix, found)
            case ast.AnnAssign(target=ast.Name(id=name)):
                is_documented = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                if prefix + name not in found:
                    found[prefix + name] = node, inspect.cleandoc(str(after.value.value)) if is_documented else ""


@functools.cache
def read() -> dict[str, tuple[ast.stmt, str]]:
    """Each name below `pl` with its declaration and what is said of it."""
    found: dict[str, tuple[ast.stmt, str]] = {}
    for prefix, names in FILES.items():
        for name in names:
            _collect(ast.parse((FOLDER / name).read_text()).body, prefix, found)
    return found


def find(path: str) -> tuple[ast.stmt, str] | None:
    """The entry of `exp`, also as `tensor.exp` and `distributed.system.notify`."""
    entries = read()
    if path not in entries:
        parts = path.split(".")
        path = ".".join(part for part in parts[:-1] if part not in ("tensor", "tile", "system")) + "." + parts[-1]
    # Kinds of decorators are attributes of their classes.
    path = path.lstrip(".")
    return entries.get(path) or entries.get(path[:1].upper() + path[1:])


def document(path: str) -> str | None:
    """Signature and meaning of `pl.<path>`; None if nothing is said of it."""
    entry = find(path)
    if entry is None:
        return None
    node, text = entry
    head = f"pl.{path}({_parameters(node)})\n\n" if isinstance(node, ast.FunctionDef) else ""
    return f"{head}{text}" or None


def sign(path: str) -> inspect.Signature:
    """What `inspect.signature` gives. AttributeError if it is no function."""
    entry = find(path)
    if entry is None or not isinstance(entry[0], ast.FunctionDef):
        raise AttributeError(f"'pl.{path}' has no signature")
    scope: dict = {}
    exec(f"def declared({_parameters(entry[0])}): ...", scope)
    return inspect.signature(scope["declared"])


def _parameters(node: ast.FunctionDef) -> str:
    for argument in ast.walk(node.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return ast.unparse(node.args)
