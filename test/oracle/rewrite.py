# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ordinary Python does not do by itself, written into the functions of kernels.

Tiles are values, so `t[0] = 5` binds `t` anew. What loops and branches carry becomes a run-time value. A grid runs its
body once for each block, with variables of its own. `init_values` and `pl.yield_` go around loops.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

_RUNTIME = "_oracle"
_LOOPS = ("range", "parallel", "pipeline")
_BUILTINS = ("min", "max", "range", "sum")
_OPERATIONS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "rem",
    ast.Pow: "pow",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "shr",
    ast.MatMult: "matmul",
}
_COMPARISONS = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    function = ast.Attribute(ast.Name(_RUNTIME, ast.Load()), name, ast.Load())
    return ast.Call(function, list(arguments), [])


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _called(node: ast.AST | None) -> str:
    """The last part of the name of what is called: `range` of `pl.range(8)`."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _keyword(node: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def _names(target: ast.AST) -> list[str]:
    if isinstance(target, ast.Tuple | ast.List):
        return [name for part in target.elts for name in _names(part)]
    return [target.id] if isinstance(target, ast.Name) else []


def _assigned(body: Iterable[ast.stmt], with_subscripts: bool = False) -> list[str]:
    """Names that statements bind, each once."""
    found: dict[str, None] = {}
    for statement in body:
        for node in ast.walk(statement):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
                targets = [node.target]
            if isinstance(node, ast.With):
                targets = [item.optional_vars for item in node.items if item.optional_vars]
            for target in targets:
                found |= dict.fromkeys(_names(target))
                if with_subscripts and isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                    found[target.value.id] = None
    return list(found)


def _if_bound(name: str, *body: ast.stmt) -> ast.If:
    test = ast.Compare(ast.Constant(name), [ast.In()], [ast.Call(_load("locals"), [], [])])
    return ast.If(test, list(body), [])


class _Function(ast.NodeTransformer):
    """One kernel or helper."""

    def __init__(self, parameters: list[str], has_barriers: bool) -> None:
        self.parameters = parameters
        self.has_barriers = has_barriers
        self.depth = 0
        self.count = 0

    def _fresh(self, stem: str) -> str:
        self.count += 1
        return f"_{stem}{self.count}"

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            found = self.visit(statement)
            made += found if isinstance(found, list) else [found]
        return made or [ast.Pass()]

    # Expressions.

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _BUILTINS:
            node.func = ast.Attribute(_load(_RUNTIME), node.func.id, ast.Load())
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _call("negate", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        names = [_COMPARISONS.get(type(op)) for op in node.ops]
        if len(names) == 1 or None in names:
            return node
        return _call("chained", ast.Constant(tuple(names)), node.left, *node.comparators)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        name = self._fresh("c")
        test = ast.NamedExpr(ast.Name(name, ast.Store()), node.test)
        return _call("pick", test, ast.IfExp(_load(name), node.body, node.orelse))

    def _plain(self, node: ast.expr) -> ast.expr:
        """Comprehensions run over constants."""
        return node

    visit_ListComp = visit_DictComp = visit_GeneratorExp = visit_SetComp = _plain

    # Assignments.

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Subscript):
            return self._set(target, "set_item", node.value)
        if len(node.targets) == 1 and isinstance(target, ast.Name) and target.id in self.parameters:
            return _assign(target.id, _call("rebind", _load(target.id), node.value, ast.Constant(self.depth)))
        if _called(node.value) in ("submit", "spmd_submit") and isinstance(target, ast.Tuple):
            node.value = _call("flatten", node.value, ast.Constant(len(target.elts)))
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Subscript):
            return node
        return self._set(node.target, "augment_item", ast.Constant(_OPERATIONS[type(node.op)]), node.value)

    def _set(self, target: ast.Subscript, function: str, *values: ast.expr) -> ast.stmt:
        where = _call("subscript", ast.Lambda(_NO_ARGUMENTS, _subscript(target.slice)))
        call = _call(function, _as_load(target.value), where, *values)
        return _assign(target.value.id, call) if isinstance(target.value, ast.Name) else ast.Expr(call)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else ast.Pass()

    # Branches and loops.

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return ast.Expr(_call("assert_", self.visit(node.test)))

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        test, name = self.visit(node.test), self._fresh("t")
        names = _assigned(node.body + node.orelse)
        branch = ast.If(_load(name), self._block(node.body), self._block(node.orelse) if node.orelse else [])
        settle = [_if_bound(own, _assign(own, _call("settle", _load(name), _load(own)))) for own in names]
        return [_assign(name, test), branch, *settle]

    def _enter(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [_if_bound(own, _assign(own, _call("enter", _load(own)))) for own in _assigned(body)]

    def _inner(self, body: list[ast.stmt]) -> list[ast.stmt]:
        self.depth += 1
        made = self._block(body)
        self.depth -= 1
        return made

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return [*self._enter(node.body), ast.While(self.visit(node.test), self._inner(node.body), [])]

    def visit_For(self, node: ast.For) -> list[ast.stmt] | ast.stmt:
        kind = _called(node.iter)
        if kind == "spmd":
            return self._grid(node.iter, node.target, node.body)
        if kind == "while_":
            return self._carried_while(node)
        if kind in _LOOPS and _keyword(node.iter, "init_values") is not None:
            return self._carried_for(node)
        before = self._enter(node.body) if kind in _LOOPS else []
        return [*before, ast.For(node.target, self.visit(node.iter), self._inner(node.body), [])]

    def _carry(self, call: ast.Call, body: list[ast.stmt], target: ast.expr) -> tuple[str, list, ast.stmt]:
        """The state of a loop with `init_values`, its body without the last yield, and what follows the loop."""
        state, last = self._fresh("s"), body[-1]
        body = self._inner(body[:-1]) if body[:-1] else []
        value = self.visit(last.value)
        step = _call("next_values", _load(state), *value.args)
        names = last.targets[0] if isinstance(last, ast.Assign) else target
        call.keywords = [keyword for keyword in call.keywords if keyword.arg != "init_values"]
        return state, [*body, _bind(names, step)], _bind(names, _call("values", _load(state)))

    def _carried_for(self, node: ast.For) -> list[ast.stmt]:
        first = self.visit(_keyword(node.iter, "init_values"))
        index, carried = node.target.elts
        state, body, after = self._carry(node.iter, node.body, carried)
        head = _bind(carried, _call("values", _load(state)))
        loop = ast.For(index, self.visit(node.iter), [head, *body], [])
        return [_assign(state, _call("Carry", first)), *self._enter(node.body[:-1]), loop, after]

    def _carried_while(self, node: ast.For) -> list[ast.stmt]:
        first = self.visit(_keyword(node.iter, "init_values") or node.iter.args[0])
        condition, body = node.body[0].value.args[0], node.body[1:]
        state, body, after = self._carry(node.iter, body, node.target)
        head = _bind(node.target, _call("values", _load(state)))
        stop = ast.If(_call("negate", self.visit(condition)), [ast.Break()], [])
        loop = ast.While(ast.Constant(True), [head, stop, *body], [])
        return [_assign(state, _call("Carry", first)), *self._enter(node.body[1:-1]), loop, after]

    # Regions and grids.

    def visit_With(self, node: ast.With) -> list[ast.stmt] | ast.stmt:
        item = node.items[0]
        if _called(item.context_expr) == "spmd":
            made = self._grid(item.context_expr, ast.Name(self._fresh("b"), ast.Store()), node.body)
            return made if item.optional_vars is None else [*made, _bind(item.optional_vars, _call("Task"))]
        node.items = [ast.withitem(self.visit(own.context_expr), own.optional_vars) for own in node.items]
        predicate = _keyword(item.context_expr, "predicate") if isinstance(item.context_expr, ast.Call) else None
        body = self._block(node.body)
        node.body = body if predicate is None else [ast.If(self.visit(predicate), body, [])]
        return node

    def _grid(self, call: ast.Call, target: ast.expr, body: list[ast.stmt]) -> list[ast.stmt]:
        """A function of the block, whose variables begin as they are around it."""
        function = self._fresh("grid")
        own = [name for name in _assigned(body, with_subscripts=True) if name not in _names(target)]
        outside = ast.Call(_load("locals"), [], [])
        defaults = [_call("grab", outside, ast.Constant(name)) for name in own]
        block = self._fresh("b")
        arguments = ast.arguments([], [ast.arg(block), *map(ast.arg, own)], None, [], [], None, defaults)
        inner = [_bind(target, _load(block)), *self._inner(body), ast.Return(ast.Call(_load("locals"), [], []))]
        made = ast.FunctionDef(function, arguments, inner, [], None)
        run = _call("run_grid", self.visit(call), _load(function), ast.Constant(self.has_barriers))
        return [made, _assign(self._fresh("r"), run)]


_NO_ARGUMENTS = ast.arguments([], [], None, [], [], None, [])


def _bind(target: ast.expr, value: ast.expr) -> ast.stmt:
    """Assigns a tuple to names, or its one element to a name."""
    if isinstance(target, ast.Name):
        is_tuple = isinstance(value, ast.Call) and getattr(value.func, "attr", "") in ("values", "next_values")
        value = ast.Subscript(value, ast.Constant(0), ast.Load()) if is_tuple else value
    return ast.Assign([target], value)


def _as_load(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


def _subscript(node: ast.expr) -> ast.expr:
    """A subscript as a value: slices become calls."""
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_subscript(part) for part in node.elts], ast.Load())
    if isinstance(node, ast.Slice):
        ends = [end or ast.Constant(None) for end in (node.lower, node.upper, node.step)]
        return ast.Call(_load("slice"), ends, [])
    return node


def _is_kernel(node: ast.FunctionDef) -> bool:
    texts = [ast.unparse(decorator) for decorator in node.decorator_list]
    return any(".jit" in text or ".function" in text or ".inline" in text or text == "jit" for text in texts)


class _Module(ast.NodeTransformer):
    def __init__(self, has_barriers: bool) -> None:
        self.has_barriers = has_barriers

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if not _is_kernel(node):
            self.generic_visit(node)
            return node
        parameters = [argument.arg for argument in node.args.args]
        node.body = _Function(parameters, self.has_barriers)._block(node.body)
        return node


_VIEWS = ("reshape", "slice", "transpose", "set_validshape", "view", "no_dep", "dump_tag")
_WRITES = ("store", "assemble", "copy", "write", "mscatter", "scatter_update", "l0c_store")


def _base(node: ast.AST) -> str:
    """The tensor that an expression is a view of."""
    while isinstance(node, ast.Subscript | ast.Attribute) or _called(node) in _VIEWS:
        node = node.args[0] if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _calls(node: ast.FunctionDef, functions: dict[str, list[str]], written: dict[str, set[str]]) -> set[str]:
    """What is given to parameters that are written."""
    found = set()
    for part in ast.walk(node):
        name = _called(part)
        if name in _WRITES:
            found |= {_base(argument) for argument in part.args}
        if name in functions:
            given = list(zip(functions[name], part.args, strict=False))
            given += [(keyword.arg, keyword.value) for keyword in part.keywords]
            found |= {_base(value) for parameter, value in given if parameter in written[name]}
    return found


def _written_in(node: ast.FunctionDef, functions: dict[str, list[str]], written: dict[str, set[str]]) -> set[str]:
    found, views = _calls(node, functions, written), {}
    for part in ast.walk(node):
        if isinstance(part, ast.Assign | ast.AugAssign):
            for target in part.targets if isinstance(part, ast.Assign) else [part.target]:
                if isinstance(target, ast.Subscript):
                    found.add(_base(target))
                elif isinstance(target, ast.Name) and isinstance(part, ast.Assign):
                    views[target.id] = _base(part.value)
    for argument in node.args.args:
        if argument.annotation is not None and "Out[" in ast.unparse(argument.annotation):
            found.add(argument.arg)
    for _ in views:
        found |= {of for name, of in views.items() if name in found}
    return found


def written_names(module: ast.Module) -> dict[str, set[str]]:
    """Of each function the variables that it writes, otherwise than by `+=`."""
    nodes = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    functions = {node.name: [argument.arg for argument in node.args.args if argument.arg != "self"] for node in nodes}
    written: dict[str, set[str]] = {name: set() for name in functions}
    for _ in nodes:
        written |= {node.name: _written_in(node, functions, written) for node in nodes}
    return written


def rewritten(text: str, path: str) -> ast.Module:
    """The module, with the functions of its kernels changed."""
    module = _Module("sync" in text).visit(ast.parse(text, path))
    return ast.fix_missing_locations(module)
