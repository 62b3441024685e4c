# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of programs over ranks is no function of the table."""

from typing import Any

from tegula.language._constructs import Value, Words

# As in _types.pyi.
MYPY = False

if MYPY:
    DistributedTensor: Any
else:
    class DistributedTensor(Value):
        """`pld.DistributedTensor[[M], pl.FP32]`: a tensor in a window, which other ranks can reach."""

        def __class_getitem__(cls, item: Any) -> Any: ...

ReduceOp: Words
"""How windows are combined: `Sum`, `Max`, `Min` or `Prod`."""
NotifyOp: Words
"""What `pld.notify` does to a signal: `AtomicAdd` or `Set`."""
WaitCmp: Words
"""When `pld.wait` goes on: `Ge` or `Eq`."""
AtomicType: Words
"""How a window is written: `Add` to what is there, or not."""
