# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which names a definition uses and does not define: those that come from outside."""

import ast


class Uses:
    """Dotted names, by where Python would look them up."""

    def __init__(self) -> None:
        # In bodies: cells of the closure, then globals. By the name of the method if it is a class, else by "".
        self.inside: dict[str, set[str]] = {}
        # In decorators, annotations, defaults and class bodies: the names where the definition stands.
        self.around: set[str] = set()


def find_uses(text: str) -> Uses:
    """The uses of the one definition in `text`, which may be indented."""
    is_indented = text[:1] in " \t"
    node = ast.parse("if 1:\n" + text if is_indented else text).body[0]
    if is_indented:
        node = node.body[0]
    uses = Uses()
    if isinstance(node, ast.ClassDef):
        _add_class(node, uses)
    else:
        _add_function(node, "", uses)
    return uses


def _add_class(node: ast.ClassDef, uses: Uses) -> None:
    for part in (*node.decorator_list, *node.bases, *node.keywords):
        _collect(part, set(), uses.around)
    for stmt in node.body:
        if isinstance(stmt, ast.FunctionDef):
            _add_function(stmt, stmt.name, uses)
        else:
            _collect(stmt, set(), uses.around)


def _add_function(node: ast.FunctionDef, method: str, uses: Uses) -> None:
    args = node.args
    parameters = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    parameters += [one for one in (args.vararg, args.kwarg) if one]
    annotations = [parameter.annotation for parameter in parameters] + [node.returns]
    outside = [*node.decorator_list, *args.defaults, *(d for d in args.kw_defaults if d)]
    for part in (*outside, *(_unquoted(each) for each in annotations if each is not None)):
        _collect(part, set(), uses.around)
    known = {parameter.arg for parameter in parameters}
    for stmt in node.body:
        for child in ast.walk(stmt):
            if isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load):
                known.add(child.id)
    inside = uses.inside.setdefault(method, set())
    for stmt in node.body:
        _collect(stmt, known, inside)


def _unquoted(node: ast.AST) -> ast.AST:
    """An annotation in quotes is what stands in them. If that is no expression, the compiler says so."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return node
    try:
        return ast.parse(node.value.strip(), mode="eval").body
    except SyntaxError:
        return node


def _collect(node: ast.AST, known: set[str], names: set[str]) -> None:
    """Adds the dotted names below `node` that do not start with a known one."""
    dotted = _dotted(node)
    if dotted is not None:
        if dotted.split(".", 1)[0] not in known:
            names.add(dotted)
        return
    for child in ast.iter_child_nodes(node):
        _collect(child, known, names)


def _dotted(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Load) else None
    if isinstance(node, ast.Attribute):
        left = _dotted(node.value)
        return left and f"{left}.{node.attr}"
    return None
