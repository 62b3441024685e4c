# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel does on an NPU, told by its C source: the same number of operations as the simulator sees."""

import ctypes
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import tegula.language as pl

M, N, K = pl.dynamic("M"), pl.dynamic("N"), pl.dynamic("K")
LOAD, STORE, WEIGHTS, MULTIPLY, VECTOR = 0, 1, 2, 3, 5


@pl.jit(target="npu:tpuv3")
def product(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        for j in pl.range(0, N, 128):
            total = pl.full([64, 128], pl.FP32, 0.0)
            for k in pl.range(0, K, 32):
                total = pl.matmul_acc(total, a[i : i + 64, k : k + 32], b[k : k + 32, j : j + 128])
            c[i : i + 64, j : j + 128] = pl.exp(total)


EMIT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_int64))
ITEM = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_int64), ctypes.c_int64, ctypes.c_void_p)
LAUNCH = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64), ctypes.c_int64, ctypes.c_int64
)
ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class Call(ctypes.Structure):
    """TegulaTraceCall of support/TraceAbi.h."""

    _fields_ = [
        ("state", ctypes.c_int64 * 4),
        ("emit", EMIT),
        ("launch", LAUNCH),
        ("allocate", ALLOCATE),
        ("ask", ctypes.c_void_p),
        ("counters", ctypes.POINTER(ctypes.c_int64)),
    ]


def count_ops(library: ctypes.CDLL, slots: list[int]) -> Counter:
    ops: Counter = Counter()

    def launch(call: int, item: int, captured: ctypes.Array, num_captured: int, count: int) -> None:
        for index in range(count):
            ITEM(item)(captured, index, call)

    counters = (ctypes.c_int64 * 32)()
    call = Call(
        (ctypes.c_int64 * 4)(),
        EMIT(lambda call, kind, numbers: ops.update([kind])),
        LAUNCH(launch),
        ALLOCATE(lambda call, size: 1 << 40),
        None,
        ctypes.cast(counters, ctypes.POINTER(ctypes.c_int64)),
    )
    library.tegula_product((ctypes.c_int64 * len(slots))(*slots), ctypes.byref(call))
    return ops


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
@pytest.mark.parametrize(("m", "n", "k"), [(64, 128, 32), (130, 300, 70), (1, 1, 1)])
def test_c_source_emits_what_is_simulated(tmp_path: Path, m: int, n: int, k: int) -> None:
    source = tmp_path / "product.c"
    source.write_text(product.lower(stage="npu-c").replace("extern void tegulaReportError", "static void unused"))
    flags = ["-shared", "-fPIC", "-Wall", "-Werror", "-Wno-unused", "-DtegulaReportError(...)=((void)0)"]
    subprocess.run(["cc", *flags, "-o", tmp_path / "product.so", source], check=True)
    library = ctypes.CDLL(str(tmp_path / "product.so"))
    a, b, c = 1 << 20, 1 << 24, 1 << 28
    ops = count_ops(library, [a, m, k, k, 1, b, k, n, n, 1, c, m, n, n, 1, 0])
    tiles, steps = -(-m // 64) * -(-n // 128), -(-k // 32)
    # Weights are loaded for each product, and exponentials taken of the sums; those start without being set to zero.
    products = tiles * steps
    assert ops == {LOAD: 2 * products, WEIGHTS: products, MULTIPLY: products, VECTOR: tiles, STORE: tiles}
    product(np.zeros((m, k), np.float32), np.zeros((k, n), np.float32))
    # Each work item is dispatched, too.
    assert product.last_report.data["runs"][0]["ops"] == sum(ops.values()) + -(-m // 64)
