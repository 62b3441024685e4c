# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FP16 on processors that have no instructions to convert it."""

import numpy as np
import pytest

import tegula.language as pl

M = pl.dynamic("M")
LEVELS = ["x86-64", "x86-64-v2", "x86-64-v3"]


def widen(target: str) -> pl.Kernel:
    @pl.jit(target=target)
    def kernel(x: pl.Tensor[[M], pl.FP16], y: pl.Out[pl.Tensor[[M], pl.FP32]]) -> None:
        y[:] = pl.cast(x, pl.FP32)

    return kernel


def narrow(target: str) -> pl.Kernel:
    @pl.jit(target=target)
    def kernel(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP16]]) -> None:
        y[:] = pl.cast(x, pl.FP16, mode="rint")

    return kernel


def same(got: np.ndarray, wanted: np.ndarray) -> bool:
    """The same bits, or NaN both."""
    bits = np.uint16 if got.dtype == np.float16 else np.uint32
    return bool(np.all((got.view(bits) == wanted.view(bits)) | (np.isnan(got) & np.isnan(wanted))))


@pytest.mark.parametrize("level", LEVELS)
def test_every_half_is_widened_exactly(level: str) -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    y = np.empty(x.shape, np.float32)
    widen(f"cpu:{level}")(x, y)
    assert same(y, x.astype(np.float32))


@pytest.mark.parametrize("level", LEVELS)
def test_floats_round_to_the_nearest_half(level: str) -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32).view(np.uint32).astype(np.int64)
    # Halves, what lies between two of them, and their neighbours; and numbers of all sizes.
    near = (every[:, None] + np.array([-0x1001, -0x1000, -0xFFF, -1, 0, 1, 0xFFF, 0x1000, 0x1001])).ravel()
    bits = np.concatenate([near, np.arange(0, 1 << 32, 7919)])
    x = (bits & 0xFFFFFFFF).astype(np.uint32).view(np.float32)
    y = np.empty(x.shape, np.float16)
    narrow(f"cpu:{level}")(x, y)
    with np.errstate(over="ignore", invalid="ignore"):
        assert same(y, x.astype(np.float16))


def test_matmuls_of_halves_need_no_instructions_for_them() -> None:
    @pl.jit(target="cpu:x86-64")
    def product(
        a: pl.Tensor[[M, 40], pl.FP16], b: pl.Tensor[[40, 24], pl.FP16], c: pl.Out[pl.Tensor[[M, 24], pl.FP32]]
    ) -> None:
        c[:] = a @ b

    random = np.random.default_rng(0)
    a = random.standard_normal((17, 40)).astype(np.float16)
    b = random.standard_normal((40, 24)).astype(np.float16)
    c = np.empty((17, 24), np.float32)
    product(a, b, c)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-4, atol=1e-4)
