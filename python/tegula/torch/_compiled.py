# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model that was exported and compiled. A call for which what was compiled does not hold is left to the model."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import torch
from torch.utils import _pytree as pytree

from tegula._errors import CallError, Error, RunError
from tegula.torch._artifacts import open_holding
from tegula.torch._assumptions import (
    Check,
    Shapes,
    check_assumption,
    check_autocast,
    check_axis,
    check_layout,
    check_type,
    list_assumptions,
    write_check,
)
from tegula.torch._autocast import find_autocast
from tegula.torch._graph import NotAGraph, example_of
from tegula.torch._inputs import find_unusable, without_gradients
from tegula.torch._partition import FallbackWarning, OtherType
from tegula.torch._run import NegativeExtent, Runner, has_small
from tegula.torch._state import State
from tegula.torch._views import find_fixed


class CompiledModel:
    """A model that was exported, with the parameters that it has. Called as the model is.

    `varying` has the axes that were to vary, as the number of an input and its axis. Calls at sizes for which the model
    does something else than it did for the example run in eager mode, and so do those of a model that is not what it
    was; a `FallbackWarning` says why, once.
    """

    def __init__(self, model: Any, program: Any, runner: Any, name: str, varying: set[tuple[int, int]]) -> None:
        self.model, self.program, self.runner, self.name = model, program, runner, name
        self.state = State(model, program)
        self._held = self.state.held
        self._in_spec, self._out_spec = program.call_spec.in_spec, program.call_spec.out_spec
        # Most models take tensors and give one: nothing has to be taken apart.
        children = self._in_spec.children()[0].children()
        self._is_flat = all(child.is_leaf() for child in children) and not self._in_spec.children()[1].children()
        self._count = len(children)
        self._is_single = self._out_spec.is_leaf()
        self._inputs = _list_inputs(program)
        self.shapes = Shapes(self._inputs)
        self._said: set[str] = set()
        self._why = program.why
        self._checks = [
            check for number, (name, value) in enumerate(self._inputs) if (check := _fix(number, name, value))
        ]
        self.assumptions: list = []
        try:
            if not self._why:
                self.assumptions = list_assumptions(program, self.shapes)
        except NotAGraph as problem:
            self._why = str(problem)
        self._checks += [check_assumption(assumption, self.shapes) for assumption in self.assumptions]
        self._checks += self._list_layouts()
        self._axes = [check_axis(self.shapes, *other) for other in self.shapes.others if other[:2] in varying]
        opened = open_holding(runner)[0]
        # A kernel looks at the types of what it is given; operations between kernels do not.
        self._is_kernel = isinstance(opened, Runner) and opened.kernel is not None
        if not self._is_kernel:
            self._checks = self._list_types() + self._checks
        self._checks.append(check_autocast(find_autocast()))
        self._holds = write_check(self._checks)

    def _list_types(self) -> list[Check]:
        """That tensors have the elements of the example, and the extents that do not vary."""
        tensors = [(number, value) for number, (_, value) in enumerate(self._inputs) if _is_tensor(value)]
        types = [check_type(self.shapes, number, value) for number, value in tensors]
        return types + [check_axis(self.shapes, *other) for other in self.shapes.others]

    def _list_layouts(self) -> list[Check]:
        """That inputs are copied where those of the example were, and no others."""
        fixed = set() if self._why else {node.name for node in find_fixed(self.program.graph)}
        return [
            check_layout(self.shapes, number, value)
            for number, (name, value) in enumerate(self._inputs)
            if name in fixed and _is_tensor(value)
        ]

    def list_fixed(self) -> list[str]:
        """What was given and is no tensor."""
        return [f"'{name}' is {value!r}" for name, value in self._inputs if not _is_tensor(value)]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._is_flat and not kwargs and len(args) == self._count:
            given = args
        else:
            given = self._flatten(args, kwargs)
            if given is None:
                return self._fall_back("it was compiled for arguments of another structure", args, kwargs)
        try:
            why = self._find_obstacle(given)
            if not why:
                if self._is_kernel:
                    # It refuses tensors that require gradients.
                    results = self.runner(*self._held, *given)
                elif why := find_unusable((*self._held, *given)):
                    return self._fall_back(why, args, kwargs)
                else:
                    with torch.no_grad():
                        results = [without_gradients(part) for part in self.runner(*self._held, *given)]
                return results[0] if self._is_single else pytree.tree_unflatten(results, self._out_spec)
        except (AttributeError, IndexError, TypeError, CallError) as problem:
            why = self._judge(problem, given)
        except RunError as problem:
            if not has_small(given):
                raise
            why = f"a size is 0 or 1, and the kernel says: {problem}"
        return self._fall_back(why, args, kwargs, given)

    def _find_obstacle(self, given: Any) -> str:
        """Why what was compiled does not hold for a call; nothing if it does."""
        if not self._holds(given):
            return f"it was compiled for {next(check.text for check in self._checks if not check.holds(given))}"
        if self._why:
            return self._why
        is_same = self.state.is_same() and (self._is_kernel or self.state.has_same_types())
        return "" if is_same else self.state.renew()

    def _flatten(self, args: tuple, kwargs: dict) -> Any:
        """The inputs of the graph; nothing if the arguments have another structure than those of the example."""
        given, spec = pytree.tree_flatten((args, kwargs))
        if spec == self._in_spec:
            return given
        try:
            bound = inspect.signature(self.model.forward).bind(*args, **kwargs)
        except TypeError as problem:
            raise CallError(f"the model's arguments are {inspect.signature(self.model.forward)}: {problem}") from None
        given, spec = pytree.tree_flatten((bound.args, bound.kwargs))
        if spec == self._in_spec:
            return given
        # What was left out may be in the example as it is by itself.
        bound.apply_defaults()
        given, spec = pytree.tree_flatten((bound.args, bound.kwargs))
        return given if spec == self._in_spec else None

    def _judge(self, problem: Exception, given: Any) -> str:
        """Raises what is wrong with a call that a kernel does not take, or says why eager mode may take it: the model
        has changed, or does something else at these sizes."""
        for (name, value), found in zip(self._inputs, given, strict=True):
            if _is_tensor(value) and not _is_tensor(found):
                raise CallError(f"'{name}' is a tensor of torch's, not {type(found).__name__}") from None
            if _is_tensor(value) and value.dim() != found.dim():
                raise CallError(f"'{name}' has {value.dim()} axes, not {found.dim()}") from None
        if not isinstance(problem, CallError):
            raise problem
        if why := find_unusable((*self._held, *given)):
            return why
        if why := self.state.renew():
            return why
        for check in self._axes:
            if not check.holds(given):
                return f"it was compiled for {check.text}"
        if isinstance(problem, (NegativeExtent, OtherType)):
            return str(problem)
        tensors = [(value, found) for (_, value), found in zip(self._inputs, given, strict=True) if _is_tensor(value)]
        if has_small(given) and all(value.dtype == found.dtype for value, found in tensors):
            return f"a size is 0 or 1, and the kernel says: {problem}"
        raise problem

    def _fall_back(self, why: str, args: tuple, kwargs: dict, given: Any = None) -> Any:
        """Runs the model itself."""
        try:
            results = self.model(*args, **kwargs)
        except Exception as problem:
            raise self._find_error(given) or CallError(f"{why}; and the model itself says: {problem}") from problem
        if why not in self._said:
            self._said.add(why)
            warnings.warn(f"a call of {type(self.model).__name__} is left to eager mode: {why}", FallbackWarning, 3)
        return results

    def _find_error(self, given: Any) -> Error | None:
        """What the kernel says of a call that the model refuses: it names the operation."""
        if given is None or not self._is_kernel or self.state.renew():
            return None
        try:
            with torch.no_grad():
                self.runner(*self._held, *given)
        except (CallError, RunError) as problem:
            return problem
        return None

    def __repr__(self) -> str:
        return f"CompiledModel({', '.join(kernel.__name__ for kernel in self.runner.list_kernels())})"


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def _list_inputs(program: Any) -> list[tuple[str, Any]]:
    """What a call brings: names, and what stands for tensors, or what else there was."""
    values = {node.name: example_of(node) for node in program.graph.nodes if node.op == "placeholder"}
    given = [spec.arg for spec in program.graph_signature.input_specs if spec.target is None]
    return [(part.name, part.value if hasattr(part, "value") else values.get(part.name)) for part in given]


def _fix(number: int, name: str, value: Any) -> Check | None:
    """That what is no tensor is what it was: it is part of what was compiled."""
    if isinstance(value, (torch.Tensor, torch.SymInt)):
        return None
    if value is None or isinstance(value, bool):
        return Check(f"given[{number}] is {value}", f"{name} = {value}")
    if isinstance(value, (int, float, str)):
        same = f"type(given[{number}]) is {type(value).__name__} and repr(given[{number}]) == {repr(value)!r}"
        return Check(same, f"{name} = {value!r}")
    return None
