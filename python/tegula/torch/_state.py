# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compiled model has of the model that it was made of: its tensors, and everything else as it was.

Parameters are those that the model has at the call. Attributes, flags and modules are part of what was compiled; a
model in which they are others is not the one that was compiled.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch

from tegula.torch._attributes import Attributes

# So many are compared one by one.
_FEW = 8


class State:
    """The tensors of a model, and whether it is still the one that was exported."""

    def __init__(self, model: torch.nn.Module, program: Any) -> None:
        self.model = model
        #: Parameters, buffers and constants in the order of the graph's inputs.
        self.held: list[torch.Tensor] = []
        # For each of them that a module has: its number, the module's table and its name there.
        self._slots: list[tuple[int, dict, str, str]] = []
        self._types: list[tuple] = []
        for spec in program.graph_signature.input_specs:
            if spec.target is None:
                continue
            table, name = _find_slot(model, spec.target)
            if table is not None:
                self._slots.append((len(self.held), table, name, spec.target))
                self.held.append(table[name])
            else:
                value = program.state_dict.get(spec.target)
                self.held.append((program.constants[spec.target] if value is None else value).detach())
            self._types.append(_type_of(self.held[-1]))
        self._same = _list_same(model)
        self._missing = _list_missing(model)
        self._attributes = [Attributes(module, path) for path, module in model.named_modules()]
        self._modules = [(module._modules, [*module._modules.items()]) for module in model.modules() if module._modules]
        self._compare = self._write_comparison()

    def is_same(self) -> bool:
        """True if `held` is what the model has, and nothing else has changed. Shapes and elements of what it has are
        not looked at: kernels do."""
        try:
            return self._compare(self.held)
        except (KeyError, RuntimeError, ValueError, TypeError):
            return False

    def _write_comparison(self) -> Callable[[list], bool]:
        """One expression, for it is part of each call."""
        names: dict[str, Any] = {}

        def name(value: Any) -> str:
            names[f"n{len(names)}"] = value
            return f"n{len(names) - 1}"

        parts = [f"{name(table)}[{key!r}] is held[{number}]" for number, table, key, _ in self._slots]
        names["same"] = operator.is_

        def compare_items(table: str, items: dict[str, Any]) -> list[str]:
            return [f"{table}[{key!r}] is {name(value)}" for key, value in items.items()]

        for kept in self._attributes:
            table = name(kept.table)
            items = dict(zip(kept.names, kept.values, strict=True))
            if len(items) <= _FEW:
                parts += compare_items(table, items)
            else:
                parts.append(f"all(map(same, {name(kept.get)}({table}), {name(kept.values)}))")
            parts.append(f"len({table}) == {kept.count}")
        for now, before in self._modules:
            table = name(now)
            parts += [f"(*{table},) == {name(tuple(now))}", *compare_items(table, dict(before))]
        for kept in (part for attributes in self._attributes for part in attributes.containers):
            value = name(kept.value)
            now = f"[*{value}, *{value}.values()]" if kept.is_table else value
            count = len(kept.value)
            parts.append(f"len({value}) == {count} and all(map(same, {now}, {name(kept.parts)}))")
        parts += [f"{name(table)}[{key!r}] is None" for table, key in self._missing]
        parts += [f"{name(one)}[{key!r}] is {name(other)}[{more!r}]" for one, key, other, more in self._same]
        return eval(f"lambda held: {' and '.join(parts)}", names)

    def renew(self) -> str:
        """Takes the tensors that the model has now, and says what else has changed."""
        for number, table, name, target in self._slots:
            value = table.get(name)
            if not isinstance(value, torch.Tensor):
                return f"'{target}' is gone"
            if _type_of(value) != self._types[number]:
                was, now = (f"{dtype} {list(shape)}" for dtype, shape in (self._types[number], _type_of(value)))
                return f"'{target}' was {was} and is {now}"
            self.held[number] = value
        for now, items in self._modules:
            before = dict(items)
            if changed := [name for name in {**now, **before} if now.get(name) is not before.get(name)]:
                return f"the module '{changed[0]}' is another"
            if [*now] != [*before]:
                return f"the modules {', '.join(before)} are in another order"
        for attributes in self._attributes:
            if changed := attributes.find_changed():
                return f"the attribute '{changed}' is another"
        for table, name in self._missing:
            if table.get(name) is not None:
                return f"'{name}' was none"
        for one, name, other, another in self._same:
            if one.get(name) is not other.get(another):
                return f"'{name}' was shared by modules"
        for attributes in self._attributes:
            attributes.renew()
        self._compare = self._write_comparison()
        return ""

    def has_same_types(self) -> bool:
        """True if the tensors in `held` have the elements and shapes that those of the example had."""
        return all(_type_of(value) == type for value, type in zip(self.held, self._types, strict=True))


def _type_of(value: torch.Tensor) -> tuple:
    return (value.dtype, value.shape)


def _find_slot(model: torch.nn.Module, target: str) -> tuple[dict | None, str]:
    """The table of a module that has a tensor, and the tensor's name there."""
    path, _, name = target.rpartition(".")
    try:
        module = model.get_submodule(path)
    except AttributeError:
        return None, name
    for table in (module._parameters, module._buffers):
        if isinstance(table.get(name), torch.Tensor):
            return table, name
    return None, name


def _list_same(model: torch.nn.Module) -> list[tuple[dict, str, dict, str]]:
    """Slots of tensors that several modules have, or one under several names: they are one input of the graph."""
    first: dict[int, tuple[dict, str]] = {}
    same = []
    for module in model.modules():
        for table in (module._parameters, module._buffers):
            for name, value in table.items():
                if value is None:
                    continue
                one, other = first.setdefault(id(value), (table, name))
                if one is not table or other != name:
                    same.append((one, other, table, name))
    return same


def _list_missing(model: torch.nn.Module) -> list[tuple[dict, str]]:
    """Places where a tensor may be and none is."""
    tables = [table for module in model.modules() for table in (module._parameters, module._buffers)]
    return [(table, name) for table in tables for name, value in table.items() if value is None]
