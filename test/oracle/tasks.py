# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, grids and regions: docs/ops/tasks.md. Program order is the meaning; blocks run in turn up to a barrier."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Callable, Iterator

from . import index as symbols
from .dtypes import BOOL
from .index import Index
from .operands import tile_of
from .operators import TABLE
from .problems import NotEvaluated, Refused, Undecided
from .tensor import Memory
from .value import Value
from .windows import number

_state = threading.local()


class Task:
    """A handle; there is nothing in it."""


def _stack(name: str) -> list:
    if not hasattr(_state, name):
        setattr(_state, name, [])
    return getattr(_state, name)


def scratch_memory() -> Memory:
    """Of a tile while it is put together."""
    return Memory("a tile", is_made=True)


def is_any_order() -> bool:
    """Whether a loop around this says that its iterations are independent."""
    return any(_stack("independent"))


def span(*bounds: object, step: object = None) -> Iterator[Index]:
    """The iterations of a loop."""
    limits = [number(bound) for bound in bounds]
    if step is not None:
        limits = [*([0] if len(limits) == 1 else []), *limits, number(step)]
    if len(limits) == 3 and int(limits[2]) == 0:
        raise Refused("a step of 0")
    if len(limits) == 3 and isinstance(limits[2], Index) and int(limits[2]) < 0:
        raise Refused("a run-time step must be positive")
    for value in range(*map(int, limits)):
        yield Index(value)


def loop(*bounds: object, step: object = None, init_values: object = None, **_: object) -> Iterator[Index]:
    """pl.range and pl.pipeline."""
    if init_values is not None:
        raise NotEvaluated("init_values of a loop that is not rewritten")
    return span(*bounds, step=step)


def parallel(*bounds: object, step: object = None, independent: bool = False, **_: object) -> Iterator[Index]:
    """pl.parallel: in order, which is one of the orders that are allowed."""
    _stack("independent").append(bool(independent))
    try:
        yield from span(*bounds, step=step)
    finally:
        _stack("independent").pop()


def unroll(*bounds: object, **_: object) -> Iterator[int]:
    """pl.unroll: the variable is a constant."""
    return iter(range(*(int(number(bound)) for bound in bounds)))


@contextlib.contextmanager
def region(*_: object, **__: object) -> Iterator[Task]:
    """pl.at and the others: they change no result."""
    yield Task()


class Grid:
    """pl.spmd(n)."""

    def __init__(self, count: object, *_: object, **__: object) -> None:
        self.count = int(number(count))


class _Baton:
    """Lets threads run one at a time, in turn."""

    def __init__(self, count: int) -> None:
        self.condition = threading.Condition()
        self.running = list(range(count))
        self.at = 0
        self.failure: BaseException | None = None

    def wait_for(self, block: int) -> None:
        with self.condition:
            self.condition.wait_for(lambda: self.failure or (self.running and self.running[self.at] == block))
            if self.failure:
                raise Refused("another block failed")

    def pass_on(self, block: int) -> None:
        """To the next block; behind the last one comes the first."""
        with self.condition:
            self.at = (self.at + 1) % len(self.running)
            self.condition.notify_all()

    def leave(self, block: int) -> None:
        with self.condition:
            position = self.running.index(block)
            self.running.remove(block)
            self.at = position % len(self.running) if self.running else 0
            self.condition.notify_all()


def _run_block(baton: _Baton, block: int, count: int, frames: list, body: Callable, result: list) -> None:
    symbols.frames().extend(frames)
    _stack("blocks").append((block, count, baton))
    try:
        baton.wait_for(block)
        result[block] = body(Index(block))
    except BaseException as error:
        with baton.condition:
            baton.failure = baton.failure or error
            baton.condition.notify_all()
    finally:
        if block in baton.running:
            baton.leave(block)


def run_grid(grid: Grid, body: Callable, has_barriers: bool) -> list:
    """Runs the body once for each block, and gives what each returns."""
    if not has_barriers:
        results = []
        for block in range(grid.count):
            _stack("blocks").append((block, grid.count, None))
            try:
                results.append(body(Index(block)))
            finally:
                _stack("blocks").pop()
        return results
    baton, results = _Baton(grid.count), [None] * grid.count
    frames = copy.copy(symbols.frames())
    threads = [
        threading.Thread(target=_run_block, args=(baton, block, grid.count, frames, body, results))
        for block in range(grid.count)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if baton.failure:
        raise baton.failure
    return results


def syncall(*_: object, **__: object) -> None:
    """A barrier: what all blocks did before it is done before any goes on."""
    if not _stack("blocks"):
        return
    block, _count, baton = _stack("blocks")[-1]
    if baton is not None:
        baton.pass_on(block)
        baton.wait_for(block)


def block_index() -> Index:
    """The block, 0 outside of a grid."""
    blocks = _stack("blocks")
    return Index(blocks[-1][0] if blocks else 0)


def block_count() -> Index:
    """How many blocks there are, 1 outside of a grid."""
    blocks = _stack("blocks")
    return Index(blocks[-1][1] if blocks else 1)


def holds(condition: object) -> bool:
    """Whether a condition holds, in a tile everywhere."""
    if isinstance(condition, bool | int | Index):
        return bool(condition)
    condition = tile_of(condition)
    if condition.error is not None:
        raise Undecided("a condition is not known exactly")
    return bool(condition.data.all()) if condition.dtype is BOOL else bool((condition.data != 0).all())


def assert_(condition: object, message: object = "") -> None:
    """Fails the call unless the condition holds."""
    if not holds(condition):
        raise Refused(str(message))


def array_get(array: object, index: object) -> object:
    """One element."""
    return array[index]


def array_update(array: Value, index: object, value: object) -> Value:
    """The array with another element."""
    return TABLE["set_item"](array, index, value)


TABLE.update(assert_=assert_)
