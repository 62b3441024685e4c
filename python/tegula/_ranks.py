# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ranks that host programs run on: `tegula.ranks`."""

from __future__ import annotations

import os
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")


class ranks:
    """Ranks that host programs run on, until `close` or the end of a `with`.

    `ranks(4)` starts four processes and keeps them; this one controls them and is none of them. In a program that was
    started by `mpirun`, `ranks()` makes this process a rank among the others, and `ranks(comm=comm)` among those of a
    communicator of mpi4py.

    A call waits for ranks that work, however long. With `timeout` it is an error after so many seconds, and ranks that
    this process started are ended; the next call starts them anew.

    `callbacks` gives the functions that programs call back by name: a `pl.function` with `level=pl.Level.HOST`,
    `role=pl.Role.SubWorker` and `...` for its body. They get arrays, and run in this process, or in that of rank 0.
    """

    def __init__(
        self,
        count: int | None = None,
        *,
        comm: Any = None,
        timeout: float | None = None,
        callbacks: dict[str, Callable[..., object]] | None = None,
    ) -> None:
        from tegula import _tegula

        if timeout is not None and not timeout > 0:
            raise ValueError(f"a timeout is a number of seconds above 0, got {timeout!r}")

        self._lock = threading.Lock()
        self._session = None
        if comm is not None:
            if count is not None and count != comm.Get_size():
                raise ValueError(f"the communicator has {comm.Get_size()} ranks, not {count}")
            from mpi4py import MPI

            self._session = _tegula.join_ranks(MPI._addressof(comm))
            self._comm = comm
        elif count is None or _started_by_mpirun() is not None:
            started = _started_by_mpirun()
            if started is None:
                raise ValueError("say how many ranks to start, or start this program with mpirun")
            if count is not None and count != started:
                raise ValueError(f"this process is one of {started} ranks and cannot start {count}")
            self._session = _tegula.join_ranks(0)
        else:
            if isinstance(count, bool) or not isinstance(count, int):
                raise TypeError(f"the number of ranks is an int, got {count!r}")
            if count < 1:
                raise ValueError(f"there is at least one rank, got {count}")
            self._session = _tegula.start_ranks(count)
        if timeout is not None:
            self._session.set_limit(timeout)
        self._callbacks = dict(callbacks or {})
        for name, function in self._callbacks.items():
            _tegula.set_callback(name, function)

    @property
    def count(self) -> int:
        """How many ranks there are."""
        return self._open().count

    @property
    def rank(self) -> int | None:
        """The number of this process among them; None if it controls them."""
        return self._open().rank

    @property
    def processes(self) -> list[int]:
        """The ids of the processes that this one controls."""
        return self._open().processes

    def ping(self) -> None:
        """Asks all ranks to do nothing, and waits until they did."""
        self._open().ping()

    def empty(self, shape: int | tuple[int, ...], dtype: Any = "float32") -> Any:
        """An array in memory that all ranks see: calls need not copy it. It lives as long as the array does."""
        import numpy as np

        dtype = np.dtype(dtype)
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        count = 1
        for extent in shape:
            count *= int(extent)
        memory = self._open().allocate(max(count * dtype.itemsize, 1))
        return memory[: count * dtype.itemsize].view(dtype).reshape(shape)

    def window(self, shape: int | tuple[int, ...], dtype: Any = "float32") -> Window:
        """A window that stays from call to call until the ranks end: memory of every rank, all 0 at first, that its
        peers reach. Host programs take it as a `pld.DistributedTensor`. Under `mpirun` all ranks come here."""
        import numpy as np

        dtype = np.dtype(dtype)
        shape = (shape,) if isinstance(shape, int) else tuple(map(int, shape))
        count = 1
        for extent in shape:
            count *= extent
        session = self._open()
        parts = session.window(min(count * dtype.itemsize, 2**62))
        return Window([part.view(dtype).reshape(shape) for part in parts], session.rank)

    def close(self) -> None:
        """Ends them. Closing twice is fine."""
        with self._lock:
            session, self._session = self._session, None
        if session is not None:
            from tegula import _tegula

            for name in self._callbacks:
                _tegula.set_callback(name, None)
            session.close()

    def __enter__(self) -> ranks:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._session is None:
            return "<tegula.ranks, closed>"
        role = "controlled from here" if self.rank is None else f"this is rank {self.rank}"
        return f"<tegula.ranks of {self.count}, {role}>"

    def _open(self) -> Any:
        if self._session is None:
            raise ValueError("these ranks have ended")
        return self._session


class Window:
    """A window that stays: `window[r]` is the array of rank r, as far as this process sees it."""

    def __init__(self, parts: list[Any], rank: int | None) -> None:
        self._parts = parts
        self._rank = rank
        self.shape = parts[0].shape
        self.dtype = parts[0].dtype

    def __getitem__(self, rank: int) -> Any:
        if self._rank is None:
            if not 0 <= rank < len(self._parts):
                raise IndexError(f"there are {len(self._parts)} ranks, not a rank {rank}")
            return self._parts[rank]
        if rank != self._rank:
            raise IndexError(f"this is rank {self._rank}, which does not see the window of rank {rank}")
        return self._parts[0]

    def __dlpack__(self, **options: Any) -> Any:
        return self._parts[0].__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._parts[0].__dlpack_device__()

    def __repr__(self) -> str:
        return f"<window of {self.shape}, {self.dtype}, on every rank>"


def _started_by_mpirun() -> int | None:
    """How many ranks this process is one of; None if it was started alone."""
    for name in _SIZES:
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return None
