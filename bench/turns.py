# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rivals that take turns, so that a quiet moment of the machine meets all of them."""

import math
import time
from collections.abc import Callable


def least_times(
    actions: dict[str, Callable[[], object]], seconds: float, limits: tuple[str, ...] = ()
) -> dict[str, float]:
    """The least seconds of each action. Those that are limits have no say in which clock is right."""
    counts = {}
    clock = time.perf_counter
    for name, action in actions.items():
        action()
        start = time.perf_counter()
        action()
        taken = max(time.perf_counter() - start, 1e-7)
        counts[name] = max(1, int(30e-6 / taken))
        # On a busy machine no long run is left alone: the thread's own time counts then, for all.
        if name not in limits and taken > 2e-3:
            clock = time.thread_time
    best = dict.fromkeys(actions, math.inf)
    end = time.perf_counter() + seconds
    rounds = 0
    while time.perf_counter() < end or rounds < 5:
        rounds += 1
        for name, action in actions.items():
            start = clock()
            for _ in range(counts[name]):
                action()
            best[name] = min(best[name], (clock() - start) / counts[name])
    return best
