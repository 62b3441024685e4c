# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `pl` is to a kernel that this judge runs: one namespace, and its others, filled from the table."""

from __future__ import annotations

import functools
from collections.abc import Callable

from . import (
    creation,
    elementwise,
    gathers,
    matmul,
    memory,
    norms,
    pads,
    program,
    reduce,
    scan,
    scatters,
    shapes,
    sorting,
    tasks,
)
from .dtypes import DTYPES
from .index import Symbol
from .operators import TABLE
from .problems import NotEvaluated, Refused
from .program import Kernel
from .tasks import Task

MODULES = (creation, elementwise, gathers, matmul, memory, norms, pads, reduce, scan, scatters, shapes, sorting)


class Names:
    """An enumeration whose members are their names: `pl.AtomicType.Add`."""

    def __init__(self, kind: str, name: str = "") -> None:
        self._kind, self.name = kind, name

    def __getattr__(self, name: str) -> Names:
        if name.startswith("__"):
            raise AttributeError(name)
        return Names(self._kind, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and (self._kind, self.name) == (other._kind, other.name)

    def __hash__(self) -> int:
        return hash((self._kind, self.name))

    def __str__(self) -> str:
        return self.name


class Namespace:
    """`pl`, `pl.tile`, `pl.system` and so on. A name that is not here fails when it is called."""

    def __init__(self, path: str, entries: dict[str, object]) -> None:
        self._path = path
        self.__dict__.update(entries)

    def __getattr__(self, name: str) -> Callable:
        if name.startswith("__"):
            raise AttributeError(name)

        def fail(*_: object, **__: object) -> None:
            raise NotEvaluated(f"{self._path}.{name}")

        return fail


def _decorate(function: object = None, /, *, is_entry: bool = False, **_: object) -> object:
    """`@pl.jit` and the others, with or without options."""
    if function is None:
        return functools.partial(_decorate, is_entry=is_entry)
    names = function.__globals__.get("_oracle_written", {})
    return Kernel(function, names.get(function.__qualname__.split(".")[-1], set()), is_entry)


class _Jit:
    inline = graph = incore = opaque = staticmethod(_decorate)

    def __call__(self, function: object = None, /, **options: object) -> object:
        return _decorate(function, is_entry=True, **options)

    @staticmethod
    def host(*_: object, **__: object) -> object:
        raise NotEvaluated("programs over ranks")

    @staticmethod
    def extern(*_: object, **__: object) -> object:
        raise NotEvaluated("an external kernel")


def _program(kind: type) -> object:
    """`@pl.program`: an instance of the class."""
    return kind()


class _Dynamic:
    def __call__(self, name: str = "dynamic") -> Symbol:
        return Symbol(name)


def _assume(condition: object, message: str = "") -> None:
    if not tasks.holds(condition):
        raise Refused("an assumption does not hold")


def _ignore(*_: object, **__: object) -> None:
    """Accepted, no effect."""


def _task(*_: object, **__: object) -> Task:
    return Task()


def _same(x: object, *_: object) -> object:
    return x


def _submit(kernel: Kernel, *arguments: object, predicate: object = True, **named: object) -> tuple:
    """Runs a helper; the handle comes behind its results."""
    named = {name: value for name, value in named.items() if name in kernel.parameters}
    if not tasks.holds(predicate):
        written = [
            value
            for value, (name, _) in zip(arguments, kernel.parameters.items(), strict=False)
            if _is_out(kernel, name)
        ]
        return (written[0] if len(written) == 1 else tuple(written)), Task()
    return kernel(*arguments, **named), Task()


def _is_out(kernel: Kernel, name: str) -> bool:
    return getattr(kernel.parameters[name], "direction", "") in ("out", "inout")


#: Functions that this judge does not evaluate, and why.
NOT_EVALUATED = {
    "dropout": "which elements a seed and a counter drop is not documented",
    "hypot": "its error has no bound on a page; test_functions.py compares it with NumPy",
    "logaddexp": "its error has no bound on a page; test_functions.py compares it with NumPy",
    "sign": "of integers and floats: test_functions.py compares it with NumPy",
    "spmd_submit": "no page has an example; pl.spmd and pl.submit are evaluated",
    "split_aiv": "halves of tiles: aiv_shard and aic_gather",
    "distributed": "programs over ranks are compared among their own orders, and with MPI",
}
#: Parts of functions that it does not evaluate, and why.
PARTLY_EVALUATED = {
    "fillpad": "what PadValue.max and .min are of floats is not documented",
    "gather": "with output_dtype",
    "histogram": "of floats: where a part begins is not exact",
    "mscatter": "along an axis, and of rows that are not as long as those of the tensor: not documented",
    "part_argmax": "of NaN: not documented",
    "part_argmin": "of NaN: not documented",
    "reinterpret_view": "of booleans and half bytes",
    "bitcast": "of booleans and half bytes",
    "scatter_update": "of a paged cache",
    "sort": "of BOOL: not documented",
}


def evaluates(name: str) -> bool:
    """Whether there is a function of that name, such as `system.syncall`."""
    found: object = pl
    for part in name.split("."):
        found = vars(found).get(part) if isinstance(found, Namespace) else None
    return found is not None


def _flat_names() -> dict[str, object]:
    """Functions that every namespace of tiles and tensors has."""
    hidden = ("get_item", "set_item", "in_place", "shape", "truediv", "floordiv", "pos")
    names = {name: function for name, function in TABLE.items() if name not in hidden}
    return {name: function for name, function in names.items() if not name.startswith("_")}


def _system() -> Namespace:
    ignored = "bar_v bar_m bar_all fence sync_src sync_dst sync_set set_ffts cacheinvalid".split()
    counts = {"available_cluster_count": lambda: 32, "available_aiv_count": lambda: 64}
    tasks_ = {"task_dummy": _task, "task_invalid": _task, "syncall": tasks.syncall, "sync_wait": tasks.syncall}
    return Namespace("pl.system", dict.fromkeys(ignored, _ignore) | counts | tasks_)


def _loops() -> dict[str, object]:
    regions = dict.fromkeys("at incore auto_incore scope manual_scope cluster split_scope".split(), tasks.region)
    handles = dict.fromkeys("task_id_invalid task_id_of split chunked_loop_optimizer cross_core_slot".split(), _task)
    printed = dict.fromkeys("print runtime_print static_print prefetch".split(), _ignore)
    checks = dict.fromkeys("assume static_assert".split(), _assume)
    same = dict.fromkeys("no_dep dump_tag constexpr".split(), _same)
    return {
        "range": tasks.loop,
        "pipeline": tasks.loop,
        "parallel": tasks.parallel,
        "unroll": tasks.unroll,
        "spmd": tasks.Grid,
        "get_block_idx": tasks.block_index,
        "get_block_num": tasks.block_count,
        "yield_": lambda *values: values if len(values) != 1 else values[0],
        "submit": _submit,
        "dynamic": _Dynamic(),
        **(regions | handles | printed | checks | same),
    }


def _types() -> dict[str, object]:
    enumerations = "Level Mem MemorySpace AtomicType MaskPattern FunctionType SplitMode Role AutoChunk".split()
    enumerations += ["TensorLayout", "NotifyOp", "WaitCmp", "ReduceOp", "auto_chunk"]
    return {
        **DTYPES,
        **{name: Names(name) for name in enumerations},
        "PadValue": pads.PadValue,
        "Tensor": program.TensorName,
        "Tile": program.TileName,
        "Scalar": program.ScalarName,
        "In": program.In,
        "Out": program.Out,
        "InOut": program.InOut,
        "jit": _Jit(),
        "function": _decorate,
        "inline": _decorate,
        "program": _program,
        "TASK_ID": None,
    }


def _language() -> Namespace:
    shared = _flat_names()
    tile = Namespace("pl.tile", {**shared, "create": creation.zeros})
    tensor = Namespace("pl.tensor", {**shared, "create": creation.create_tensor})
    array = {"create": _array, "get_element": tasks.array_get, "update_element": tasks.array_update}
    entries = {**_types(), **_loops(), **shared, "tile": tile, "block": tile, "tensor": tensor, "system": _system()}
    entries["array"] = Namespace("pl.array", array)
    operations = Namespace("pl.op", {**shared, "tensor": tensor, "tile": tile})
    return Namespace("pl", {**entries, "op": operations})


def _array(extent: object, dtype: object) -> object:
    """An array of integers, or of tasks, in which there is nothing."""
    return [None] * int(extent) if dtype is None else creation.array_create(extent, dtype)


pl = _language()
