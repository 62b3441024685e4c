#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the table of the functions of the language, a class with named arguments for each C++ function that builds
them, and the calls that ops are printed as, from the declarations in tegula/frontend/builtins, its preludes and the
elementwise ops.

Usage: generate-builtins.py DUMP.json HEADER SOURCE CALLS PRELUDES..., where the dump is what llvm-tblgen makes of
Builtins.td."""

import ast
import json
import pathlib
import sys
from dataclasses import dataclass, field

LICENCE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


@dataclass
class Kind:
    """What the C++ function gets for a parameter, and the method of the argument that reads it; `takes` is one that
    needs to know a rank. Without either, the function gets the argument itself."""

    type: str = ""
    read: str = ""
    takes: str = ""


KINDS = {
    "Tile": Kind("mlir::Value", "tile()"),
    "Shaped": Kind("mlir::Value", "shaped()"),
    "Dtype": Kind("mlir::Type", "dtype()"),
    "Sizes": Kind("llvm::SmallVector<mlir::Value>", "sizes()"),
    "Scalar": Kind("mlir::Value", 'number("{detail}")'),
    "Flag": Kind("bool", "flag({detail})"),
    "Indices": Kind(takes="indices"),
    "Extents": Kind(takes="extents"),
    "Axis": Kind(takes="axis"),
    "Any": Kind(),
}


@dataclass
class Parameter:
    name: str
    kind: str
    is_optional: bool
    detail: str = ""
    aliases: list[str] = field(default_factory=list)


@dataclass
class Function:
    name: str
    theme: str
    parameters: list[Parameter]
    meaning: str
    builder: str
    extra: list[str] = field(default_factory=list)
    has_effect: bool = False
    text: str = ""
    shows: list[dict] = field(default_factory=list)

    def given(self) -> list[Parameter]:
        return [parameter for parameter in self.parameters if parameter.kind != "Ignored"]


class Records:
    """The records of a dump."""

    def __init__(self, dump: dict):
        self.dump = dump

    def of(self, kind: str) -> list[dict]:
        """All records of a class, in the order of their declarations."""
        names = self.dump["!instanceof"].get(kind, [])
        return sorted((self.dump[name] for name in names), key=self.location)

    def location(self, record: dict) -> tuple:
        path, _, line = record["!locs"][-1].rpartition(":")
        number = record["!name"].rpartition("_")[2]
        return path, int(line), int(number) if record["!anonymous"] else 0

    def parameters(self, dag: dict) -> list[Parameter]:
        found = []
        for reference, name in dag["args"]:
            record = self.dump[reference["def"]]
            found.append(
                Parameter(name, record["kind"], bool(record["isOptional"]), record["detail"], record["aliases"])
            )
        return found


def read_prelude(text: str, records: Records) -> list[Function]:
    """The functions that are written in the language itself."""
    functions = []
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        decorator = node.decorator_list[0] if node.decorator_list else None
        theme = decorator.args[0].value if decorator else ""
        has_effect = bool(decorator and decorator.keywords)
        parameters = []
        first_default = len(node.args.args) - len(node.args.defaults)
        for position, argument in enumerate(node.args.args):
            named, aliases = read_annotation(argument.annotation)
            declared = records.dump[named]
            names = declared["aliases"] + aliases
            kind, detail = declared["kind"], declared["detail"]
            parameters.append(Parameter(argument.arg, kind, position >= first_default, detail, names))
        source = "@pl.jit.inline\n" + ast.get_source_segment(text, node) + "\n"
        meaning = " ".join(ast.get_docstring(node).split())
        # A name of Python has no dots.
        name = node.name.replace("distributed_", "distributed.", 1)
        functions.append(Function(name, theme, parameters, meaning, "", has_effect=has_effect, text=source))
    return functions


def read_annotation(annotation: ast.expr | None) -> tuple[str, list[str]]:
    """The kind of a parameter and its other names: `pl.Tile["tile"]`."""
    if annotation is None:
        return "Any", []
    if isinstance(annotation, ast.Subscript):
        return annotation.value.attr, [annotation.slice.value]
    return annotation.attr, []


def read_functions(records: Records, preludes: list[str]) -> list[Function]:
    functions = read_elementwise(records)
    for record in records.of("Builtin"):
        builder = records.dump[record["builder"]["def"]]
        functions.append(
            Function(
                record["name"],
                record["theme"],
                records.parameters(record["parameters"]),
                record["meaning"],
                builder["function"],
                builder["with"],
                bool(record["hasEffect"]),
                shows=[records.dump[each["def"]] for each in record["shows"]],
            )
        )
    for prelude in preludes:
        functions += read_prelude(prelude, records)
    themes = list(dict.fromkeys(function.theme for function in functions))
    return sorted(functions, key=lambda function: themes.index(function.theme))


def read_elementwise(records: Records) -> list[Function]:
    """The elementwise ops as functions, but for those that are declared as such."""
    declared = {record["name"] for record in records.of("Builtin")}
    others = {op["def"]: each["parameters"] for each in records.of("AlsoTakes") for op in each["ops"]}
    functions = []
    for record in records.of("Pl_FunctionOp"):
        name = record["opName"]
        if name in declared:
            continue
        operands = [operand for _, operand in record["arguments"]["args"]]
        parameters = [Parameter(operand, "Any", False) for operand in operands]
        if operands == ["operand"]:
            parameters = [Parameter("x", "Any", False, aliases=records.dump["AnySubject"]["aliases"])]
        if record["!name"] in others:
            parameters += records.parameters(others[record["!name"]])
        functions.append(Function(name, "elementwise", parameters, record["meaning"], "", [f'"{name}"'], False))
    return functions


def class_name(builder: str) -> str:
    return builder.removeprefix("build") + "Call"


def cased(name: str) -> str:
    """block_size as blockSize."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def quoted(text: str) -> str:
    return json.dumps(text)


def type_of(extra: str) -> str:
    """The type of a constant a C++ function is told."""
    if extra in ("true", "false"):
        return "bool"
    if extra.isdigit():
        return "int64_t"
    return "llvm::StringRef" if extra.startswith('"') else extra.rpartition("::")[0]


def shown(function: Function) -> str:
    return ", ".join(each.name + ("=" if each.is_optional else "") for each in function.parameters)


def builders(functions: list[Function]) -> dict[str, list[Function]]:
    """The functions that each C++ function builds, which must take the same."""
    found: dict[str, list[Function]] = {}
    for function in functions:
        if function.builder:
            found.setdefault(function.builder, []).append(function)
    for builder, built in found.items():
        for function in built:
            same = [(each.name, each.kind, each.is_optional) for each in function.given()]
            if same != [(each.name, each.kind, each.is_optional) for each in built[0].given()]:
                sys.exit(f"{builder}: pl.{function.name} and pl.{built[0].name} take different parameters")
    return found


def accessors(parameters: list[Parameter]) -> tuple[list[str], list[str], list[str]]:
    """Public and private members of a class, and the statements that read the arguments."""
    public, private, read = [], [], []
    for position, parameter in enumerate(parameters):
        kind, name = KINDS[parameter.kind], cased(parameter.name)
        argument = f"argument({position})"
        if parameter.is_optional and parameter.kind not in ("Any", "Flag"):
            has = "has" + name[0].upper() + name[1:]
            public.append(f"  bool {has}() const {{ return {argument}.isGiven(); }}")
        if kind.type:
            returned = "llvm::ArrayRef<mlir::Value>" if parameter.kind == "Sizes" else kind.type
            public.append(f"  {returned} {name}() const {{ return {name}_; }}")
            private.append(f"  {kind.type} {name}_ = {{}};")
            text = f"  if (!take({argument}.{kind.read.format(detail=parameter.detail)}, {name}_))\n    return false;"
            if parameter.is_optional and parameter.kind != "Flag":
                text = f"  if ({argument}.isGiven())\n" + "\n".join("  " + line for line in text.splitlines())
            read.append(text)
        elif kind.takes:
            result = "unsigned" if kind.takes == "axis" else "llvm::SmallVector<mlir::Value>"
            public.append(
                f"  std::optional<{result}> {name}(unsigned rank) const {{ return {argument}.{kind.takes}(rank); }}"
            )
        else:
            public.append(f"  BuiltinArgument {name}() const {{ return {argument}; }}")
    return public, private, read


def header(functions: list[Function]) -> str:
    lines = [LICENCE]
    for builder, built in builders(functions).items():
        name = class_name(builder)
        public, private, _ = accessors(built[0].given())
        lines += [f"/// pl.{function.name}({shown(function)})" for function in built]
        lines += [f"class {name} : public BuiltinCall {{", "public:"]
        lines += [f"  explicit {name}(BuiltinCall &&call) : BuiltinCall(std::move(call)) {{}}"]
        lines += ["  /// Reads the arguments; false, after an error, if one is not what it must be.", "  bool read();"]
        lines += public + (["", "private:"] + private if private else []) + ["};"]
        extra = "".join(f", {type_of(each)}" for each in built[0].extra)
        lines += [f"Object {builder}(const {name} &call{extra});", ""]
    return "\n".join(lines)


def table(functions: list[Function]) -> list[str]:
    lines = []
    for number, function in enumerate(functions):
        for parameter in function.parameters:
            if parameter.aliases:
                names = ", ".join(quoted(alias) for alias in parameter.aliases)
                lines.append(f"static constexpr llvm::StringLiteral names{number}{parameter.name}[] = {{{names}}};")
        rows = []
        for parameter in function.parameters:
            aliases = f"names{number}{parameter.name}" if parameter.aliases else "{}"
            kinds = (parameter.kind == kind for kind in ("Tile", "Sizes"))
            words = [str(each).lower() for each in (not parameter.is_optional, *kinds)]
            words.insert(1, quoted(parameter.detail if parameter.kind == "Ignored" else ""))
            rows.append(f"{{{quoted(parameter.name)}, {aliases}, {', '.join(words)}}}")
        if rows:
            lines.append(f"static constexpr BuiltinParameter parameters{number}[] = {{{', '.join(rows)}}};")
    lines.append("static constexpr Builtin builtins[] = {")
    for number, function in enumerate(functions):
        parameters = f"parameters{number}" if function.parameters else "llvm::ArrayRef<BuiltinParameter>()"
        extra = "".join(f", {each}" for each in function.extra)
        body = f"return buildElementwise(std::move(call){extra});"
        if function.builder:
            body = f"{class_name(function.builder)} read(std::move(call)); return read.read() ? "
            body += f"{function.builder}(read{extra}) : Object::poison();"
        build = f"[](BuiltinCall &&call) -> Object {{ {body} }}" if not function.text else "nullptr"
        is_elementwise = str(not function.builder and not function.text).lower()
        lines.append(
            f"  {{{quoted(function.name)}, {quoted(function.theme)}, {parameters}, {build}, {quoted(function.text)}, "
            f"{str(function.has_effect).lower()}, {is_elementwise}, {quoted(function.meaning)}}},"
        )
    return lines + ["};"]


def source(functions: list[Function]) -> str:
    lines = [LICENCE]
    for builder, built in builders(functions).items():
        _, _, read = accessors(built[0].given())
        lines += [f"bool {class_name(builder)}::read() {{", *read, "  return true;", "}", ""]
    return "\n".join(lines + table(functions)) + "\n"


class Argument:
    """An argument or result of an op, and how C++ asks for it."""

    def __init__(self, records: Records, reference: dict, name: str):
        record = records.dump[reference["def"]]
        while "constraint" in record and "decorators" in record:
            record = records.dump[record["constraint"]["def"]]
        kinds = [*record["!superclasses"], record["!name"]]
        self.get = "op.get" + "".join(word.capitalize() for word in name.split("_")) + "()"
        self.is_attribute = "Attr" in kinds
        self.is_optional = "Optional" in kinds or "OptionalAttr" in kinds
        self.is_flag = "UnitAttr" in kinds
        self.is_list = "Variadic" in kinds


def arguments_of(records: Records, op: dict, field_name: str) -> dict[str, Argument]:
    return {name: Argument(records, reference, name) for reference, name in op[field_name]["args"]}


def shown_argument(parameter: Parameter, argument: Argument, is_named: bool) -> str:
    """The statement that adds an argument to the text of a call."""
    name = quoted(parameter.name if is_named else "")
    if argument.is_flag:
        word = "False" if parameter.detail == "true" else "True"
        return f"  if ({argument.get} != {parameter.detail})\n    call.addWord({name}, {quoted(word)});"
    value = argument.get
    if parameter.kind == "Dtype" and not argument.is_attribute:
        value = f"pl::getElementOrSelf({value}.getType())"
    elif argument.is_attribute and argument.is_optional:
        value = "*" + value
    add = "addAsIs" if parameter.kind == "Shaped" else "add"
    text = f"call.{add}({name}, {value});"
    if argument.is_optional and parameter.is_optional:
        return f"  if ({argument.get})\n    {text}"
    return "  " + text


def shown_call(records: Records, function: Function, rule: dict, number: int) -> str:
    """A C++ function that writes an op as a call."""
    op = records.dump[rule["op"]["def"]]
    arguments, results = (arguments_of(records, op, kind) for kind in ("arguments", "results"))
    names = {parameter: name for name, parameter in rule["as"]["args"]}
    conditions = [rule["when"]] if rule["when"] else []
    statements, is_named, said = [], False, set()
    for parameter in function.parameters:
        name = names.pop(parameter.name, parameter.name)
        argument = arguments.get(name) or results.get(name)
        if not argument or name in said:
            if not parameter.is_optional:
                sys.exit(f"pl.{function.name} shows {op['!name']}, but not what '{parameter.name}' is")
            is_named = True
            continue
        said.add(name)
        is_named |= parameter.kind == "Dtype" or (argument.is_attribute and parameter.is_optional)
        statements.append(shown_argument(parameter, argument, is_named))
        is_named |= argument.is_optional and parameter.is_optional
        if argument.is_optional and not parameter.is_optional:
            conditions.append(argument.get)
    if names:
        sys.exit(f"pl.{function.name} has no parameter '{next(iter(names))}'")
    conditions += [f"!{each.get}" for name, each in arguments.items() if each.is_optional and name not in said]
    lines = [f"static bool writeCall{number}(mlir::Operation *given, [[maybe_unused]] CallText &call) {{"]
    lines += [f"  auto op = llvm::dyn_cast<pl::{op['!name'].removeprefix('Pl_')}>(given);"]
    lines += ["  if (!op" + "".join(f" || !({each})" for each in conditions) + ")", "    return false;"]
    lines += [f"  call.begin({quoted(function.name)});", *statements, "  return true;", "}", ""]
    return "\n".join(lines)


def calls(functions: list[Function], records: Records) -> str:
    rules = [(function, rule) for function in functions for rule in function.shows]
    lines = [LICENCE]
    lines += [shown_call(records, *rule, number) for number, rule in enumerate(rules)]
    names = ", ".join(f"writeCall{number}" for number in range(len(rules)))
    return "\n".join(lines) + f"static constexpr CallWriter callWriters[] = {{{names}}};\n"


def main() -> int:
    dump, header_path, source_path, calls_path, *preludes = map(pathlib.Path, sys.argv[1:])
    records = Records(json.loads(dump.read_text()))
    functions = read_functions(records, [prelude.read_text() for prelude in preludes])
    header_path.write_text(header(functions))
    source_path.write_text(source(functions))
    calls_path.write_text(calls(functions, records))
    return 0


if __name__ == "__main__":
    sys.exit(main())
