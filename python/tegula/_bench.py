# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long calls of a kernel take."""

import statistics
import time
from typing import Any

from tegula import _tegula
from tegula._kernel import complete


class Timing:
    """The times of warm calls with the same arguments; on a simulated machine, of one call there."""

    def __init__(self, times: list[float], num_bytes: int, cycles: int | None = None) -> None:
        # The median, and the least, in seconds.
        self.seconds = statistics.median(times)
        self.least = min(times)
        self.calls = len(times)
        # Of all arrays of a call, each counted once.
        self.bytes = num_bytes
        # On a simulated machine, whose time `seconds` is; None elsewhere.
        self.cycles = cycles

    @property
    def bytes_per_second(self) -> float:
        return self.bytes / self.seconds

    def __repr__(self) -> str:
        scale, unit = next(
            (scale, unit)
            for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "us"))
            if self.seconds * scale >= 1 or unit == "us"
        )
        rate = self.bytes_per_second / 1e9
        how = f"median of {self.calls}" if self.cycles is None else f"{self.cycles} cycles, simulated"
        return f"<{self.seconds * scale:.3g} {unit} a call, {how}; {rate:.3g} GB/s>"


def bench(kernel: Any, *args: Any, seconds: float = 0.5, **kwargs: Any) -> Timing:
    """Calls the kernel for about so many seconds with these arguments, at least three times after the first call, and
    says how long a call takes. What it writes is written each time. On a simulated machine it is called once, and the
    time and the cycles are those of the machine."""
    if not seconds >= 0:
        raise ValueError(f"seconds is a time, got {seconds!r}")
    arguments = complete(kernel, args, kwargs)[0]
    num_bytes = sum(getattr(argument, "nbytes", 0) for argument in arguments)
    kernel(*arguments)
    if _tegula.was_simulated(kernel):
        report = kernel.last_report
        return Timing([report.microseconds * 1e-6], num_bytes, report.cycles)
    # Calls on a GPU return before they are done: so many are timed together that waiting for them does not count.
    together = 1
    must_wait = _tegula.wait_for(kernel, arguments)
    if must_wait:
        together = max(1, min(1000, int(2e-3 / _time(kernel, arguments, 1, must_wait))))
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        times.append(_time(kernel, arguments, together, must_wait))
    return Timing(times, num_bytes)


def _time(kernel: Any, arguments: list, count: int, must_wait: bool) -> float:
    """The seconds of one of so many calls."""
    start = time.perf_counter()
    for _ in range(count):
        kernel(*arguments)
    if must_wait:
        _tegula.wait_for(kernel, arguments)
    return (time.perf_counter() - start) / count
