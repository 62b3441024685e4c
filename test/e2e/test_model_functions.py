# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What layers of models are made of, and functions that lose no digits near 0, against NumPy and the math module."""

import math

import ml_dtypes
import numpy as np
import pytest
from kernel_text import write_kernel
from tegula_library import Kernel, KernelError

TARGETS = ["cpu", "interpreter", "npu:tpuv3", "cuda:emulate"]
TYPES = {"FP16": np.float16, "BF16": ml_dtypes.bfloat16, "FP32": np.float32, "FP64": np.float64}
SIZES = [(3, 15), (1, 1), (33, 129), (2, 1031), (0, 7), (4, 0)]


def exact(function, x: np.ndarray) -> np.ndarray:
    """A function of the math module for each element, in FP64."""

    def of(value: float) -> float:
        try:
            return function(float(value))
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return np.array([of(value) for value in x.ravel()], np.float64).reshape(x.shape)


def gelu(x):
    return x * (0.5 * math.erfc(-x / math.sqrt(2)))


def gelu_tanh(x):
    inner = 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return x * (1 / (1 + math.exp(-inner)) if inner > -700 else 0.0)


def log1p(x):
    return -math.inf if x == -1 else math.log1p(x)


# The call, what it is, and how many units in the last place of FP32 and FP64 it may be away.
ELEMENTWISE = {
    "log1p(x)": (log1p, 3, 3),
    "expm1(x)": (math.expm1, 3, 3),
    "tan(x)": (math.tan, 4, 4),
    "gelu(x)": (gelu, 6, 200),
    "gelu(x, approximate='tanh')": (gelu_tanh, 120, 900),
}


def samples(dtype: type) -> np.ndarray:
    """Numbers of all magnitudes down to the smallest, and those that are special; angles beyond 1e4 are left out."""
    rng = np.random.default_rng(7)
    low = {np.float16: -7, np.float64: -300}.get(dtype, -37)
    x = rng.standard_normal(2000) * 10.0 ** rng.uniform(low, 0, 2000)
    near = rng.uniform(-12, 12, 2000)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, -1, -2, 1, 2, 88.8, -88, -104, 1e-10, -1e-10, 0.5, 1e4]
    tiny = [np.finfo(np.float32).smallest_subnormal, -3e-39] if dtype == np.float32 else [6e-8]
    return np.concatenate([x, near, special, tiny]).astype(dtype).reshape(1, -1)


def assert_close(found, wanted, units, dtype):
    """Equal to so many units in the last place, and of one sign where 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        nearest = wanted.astype(dtype)
    assert np.array_equal(np.isnan(found), np.isnan(nearest))
    at = np.isfinite(nearest) & (nearest != 0)
    np.testing.assert_array_equal(found[~at].astype(np.float64), nearest[~at].astype(np.float64))
    np.testing.assert_array_equal(np.signbit(found[nearest == 0]), np.signbit(nearest[nearest == 0]))
    is_brief = dtype == ml_dtypes.bfloat16
    unit = np.spacing(nearest[at].astype(np.float32)) * np.float32(2**16) if is_brief else np.spacing(nearest[at])
    away = np.abs(found[at].astype(np.float64) - wanted[at]) / np.abs(unit).astype(np.float64)
    assert away.max(initial=0) <= units, (found[at][away.argmax()], nearest[at][away.argmax()])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("call", ELEMENTWISE)
def test_elementwise(call, dtype, target, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
        y[:] = pl.{call}
    """
    function, *units = ELEMENTWISE[call]
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    x = samples(TYPES[dtype])
    y = np.empty_like(x)
    kernel(x, y)
    assert_close(y, exact(function, x), {"FP32": units[0], "FP64": units[1]}.get(dtype, 1), TYPES[dtype])
    for m, n in SIZES:
        kernel(np.ones((m, n), x.dtype), np.empty((m, n), x.dtype))


def normalise(x, axis, eps, centred):
    away = x - x.mean(axis, keepdims=True) if centred else x
    return away / np.sqrt((away * away).mean(axis, keepdims=True) + eps)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", TYPES)
def test_norms(dtype, target, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], w: pl.Tensor[[N], pl.{dtype}], b: pl.Tensor[[N], pl.{dtype}],
          layer: pl.Out[pl.Tensor[[M, N], pl.{dtype}]], plain: pl.Out[pl.Tensor[[M, N], pl.{dtype}]],
          rms: pl.Out[pl.Tensor[[M, N], pl.{dtype}]], columns: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
        layer[:] = pl.layer_norm(x, w, b)
        plain[:] = pl.layer_norm(x, axis=(0, 1), eps=0.1)
        rms[:] = pl.rms_norm(x, w)
        columns[:] = pl.rms_norm(x, axis=0, eps=1e-3)
    """
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    tolerance = {"FP16": 1e-3, "BF16": 8e-3, "FP32": 2e-6, "FP64": 1e-13}[dtype]
    for m, n in SIZES:
        rng = np.random.default_rng(m + n)
        x, w, b = (rng.standard_normal(shape).astype(TYPES[dtype]) for shape in ((m, n), n, n))
        found = [np.empty_like(x) for _ in range(4)]
        kernel(x, w, b, *found)
        x, w, b = (each.astype(np.float64) for each in (x, w, b))
        with np.errstate(all="ignore"):
            wanted = [
                normalise(x, 1, 1e-5, True) * w + b,
                normalise(x, (0, 1), 0.1, True),
                normalise(x, 1, 1e-6, False) * w,
                normalise(x, 0, 1e-3, False),
            ]
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a.astype(np.float64), b, rtol=tolerance, atol=tolerance)


def logsumexp(x: np.ndarray, axis) -> np.ndarray:
    shift = np.where(np.isfinite(top := x.max(axis, keepdims=True, initial=-np.inf)), top, 0)
    return np.log(np.exp(x - shift).sum(axis, keepdims=True)) + shift


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", TYPES)
def test_logsumexp(dtype, target, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], rows: pl.Out[pl.Tensor[[M, 1], pl.{dtype}]],
          columns: pl.Out[pl.Tensor[[N], pl.{dtype}]], all: pl.Out[pl.Tensor[[1, 1], pl.{dtype}]]):
        rows[:] = pl.logsumexp(x, axis=-1)
        columns[:] = pl.logsumexp(x, axis=0, keepdims=False)
        all[:] = pl.logsumexp(x)
    """
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    tolerance = {"FP16": 1e-3, "BF16": 8e-3, "FP32": 1e-6, "FP64": 1e-14}[dtype]
    for m, n in SIZES:
        rng = np.random.default_rng(m + n)
        x = (rng.standard_normal((m, n)) * rng.choice([0.1, 30, 1000], (m, 1))).astype(TYPES[dtype])
        x[:1] = -np.inf
        x[1:2, :1], x[2:3, 1:2] = np.inf, -np.inf
        found = [np.empty(shape, x.dtype) for shape in ((m, 1), n, (1, 1))]
        kernel(x, *found)
        with np.errstate(divide="ignore"):
            wanted = [logsumexp(x.astype(np.float64), axis) for axis in (1, 0, (0, 1))]
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a.astype(np.float64), b.reshape(a.shape), rtol=tolerance, atol=tolerance)


def test_logsumexp_keeps_what_others_add_to_the_largest(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.FP32]]):
        y[:] = pl.logsumexp(x, axis=1)
    """
    x = np.float32([[0, -40, -50], [-20, 0, -np.inf], [0, np.nan, 1]])
    y = np.empty((3, 1), np.float32)
    Kernel(write_kernel(text, tmp_path))(x, y)
    np.testing.assert_allclose(y[:2, 0], [np.exp(-40.0) + np.exp(-50.0), np.log1p(np.exp(-20.0))], rtol=3e-7)
    assert np.isnan(y[2, 0])


def drop(folder, target, x, p=0.25, seed=1, counter=0, scalar="pl.Scalar[pl.FP32]"):
    """What is left of x."""
    axes = ", ".join("MNKL"[: x.ndim])
    text = f"""
    def k(x: pl.Tensor[[{axes}], pl.FP32], p: {scalar}, seed: pl.Scalar[pl.INT64], counter: pl.Scalar[pl.INDEX],
          y: pl.Out[pl.Tensor[[{axes}], pl.FP32]]):
        y[:] = pl.dropout(x, p, seed, counter)
    """
    y = np.empty_like(x)
    Kernel(write_kernel(text, folder), target=target)(x, p, seed, counter, y)
    return y


def test_dropout_is_the_same_everywhere(tmp_path):
    x = np.random.default_rng(0).standard_normal((100, 77)).astype(np.float32)
    first = drop(tmp_path, "cpu", x)
    for target in TARGETS[1:]:
        np.testing.assert_array_equal(drop(tmp_path, target, x), first)
    assert abs((first == 0).mean() - 0.25) < 0.02
    np.testing.assert_array_equal(first[first != 0], (x / np.float32(0.75))[first != 0])
    others = [drop(tmp_path, "cpu", x, **other) for other in ({"seed": 2}, {"seed": 1 + 2**32}, {"counter": 1})]
    for other in others:
        both = ((other == 0) & (first == 0)).mean()
        assert abs(both - 0.25**2) < 0.02
    flat = drop(tmp_path, "cpu", x.reshape(10, 10, 77))
    np.testing.assert_array_equal(flat.ravel(), first.ravel())


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_dropout_of_nothing_and_of_all(p, tmp_path):
    x = np.float32([1.5, np.inf, -np.inf, np.nan, -0.0])
    np.testing.assert_array_equal(drop(tmp_path, "cpu", x, p), x if p == 0 else np.zeros(5, np.float32))


def test_dropout_takes_a_probability(tmp_path):
    text = """
    def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = pl.dropout(x, 1.5, 1)
    """
    with pytest.raises(KernelError, match=r"'dropout' takes a probability from 0 to 1, got 1\.5"):
        Kernel(write_kernel(text, tmp_path))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_stack(axis, target, tmp_path):
    shape = ["M", "N"]
    shape.insert(axis if axis >= 0 else axis + 3, "3")
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.INT16], y: pl.Out[pl.Tensor[[{", ".join(shape)}], pl.INT16]]):
        y[:] = pl.stack([x, x + 1, x * 2], axis={axis})
    """
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    for m, n in SIZES:
        x = np.arange(m * n, dtype=np.int16).reshape(m, n)
        wanted = np.stack([x, x + 1, x * 2], axis)
        y = np.empty_like(wanted)
        kernel(x, y)
        np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [np.float32, np.bool_, np.int8])
def test_repeat(dtype, target, tmp_path):
    name = {np.float32: "FP32", np.bool_: "BOOL", np.int8: "INT8"}[dtype]
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{name}], n: pl.Scalar[pl.INDEX], rows: pl.Out[pl.Tensor[[M * 3, N], pl.{name}]],
          columns: pl.Out[pl.Tensor[[M, K], pl.{name}]], all: pl.Out[pl.Tensor[[M * N * 2], pl.{name}]],
          same: pl.Out[pl.Tensor[[M, N], pl.{name}]]):
        rows[:] = pl.repeat(x, 3, axis=0)
        columns[:] = pl.repeat(x, n, axis=-1)
        all[:] = pl.repeat(x, 2)
        same[:] = pl.repeat(x, 1, axis=1)
    """
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    for m, n in SIZES:
        x = np.random.default_rng(m + n).integers(-2, 2, (m, n)).astype(dtype)
        wanted = [np.repeat(x, 3, 0), np.repeat(x, 5, 1), np.repeat(x, 2), x]
        found = [np.empty_like(each) for each in wanted]
        kernel(x, 5, *found)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "call, message",
    [
        ("pl.gelu(x, approximate='erf')", "'gelu' is exact"),
        ("pl.stack([x, x], axis=3)", "'stack' has no axis 3 of 2"),
        ("pl.repeat(x, 1.5)", "'repeat' repeats by an integer, got"),
        ("pl.dropout(x, 0.5, 1.5)", "'dropout' takes integers for seed and counter"),
        ("pl.clip(x, 'low')", "'low'"),
    ],
)
def test_mistakes(call, message, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = {call}
    """
    with pytest.raises(KernelError, match=message):
        Kernel(write_kernel(text, tmp_path))
