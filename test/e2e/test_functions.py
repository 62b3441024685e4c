# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that are known from NumPy, against NumPy, at sizes around vectors and tiles and of awkward numbers."""

import itertools
import warnings

import ml_dtypes
import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

SIZES = [(1, 1), (3, 15), (5, 17), (2, 97), (33, 129), (0, 7), (4, 0), (1, 1031)]
TYPES = {"FP32": np.float32, "FP16": np.float16, "BF16": ml_dtypes.bfloat16}
TOLERANCE = {"FP32": 1e-6, "FP16": 1e-3, "BF16": 8e-3}
SMALLEST = {"FP32": 1e-36, "FP16": 1e-7, "BF16": 1e-36}


def awkward(m: int, n: int, dtype: type = np.float32, has_nan: bool = True) -> np.ndarray:
    """Numbers of many magnitudes, zeros of both signs, halves, infinities and, if wanted, NaN."""
    rng = np.random.default_rng(1000 * m + n)
    x = (rng.standard_normal((m, n)) * rng.choice([1e-6, 0.5, 3, 40], (m, n))).astype(dtype)
    special = [0.0, -0.0, 0.5, 1.5, -2.5, np.inf, -np.inf] + [np.nan] * has_nan
    chosen = rng.integers(0, 3 * len(special), (m, n))
    return np.where(chosen < len(special), np.array(special, dtype)[chosen % len(special)], x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis):
    powers = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis, keepdims=True)


ELEMENTWISE = {
    "pl.trunc(x)": np.trunc,
    "pl.round(x)": np.round,
    "pl.fmax(x, 0.25)": lambda x: np.fmax(x, 0.25),
    "pl.fmin(x, 0.25)": lambda x: np.fmin(x, 0.25),
    "pl.clip(x, -1.0, 2.0)": lambda x: np.clip(x, -1, 2),
    "pl.clip(x, high=0.5)": lambda x: np.clip(x, None, 0.5),
    "pl.sigmoid(x)": sigmoid,
    "pl.silu(x)": lambda x: x * sigmoid(x),
    "pl.softplus(x)": lambda x: np.logaddexp(0, x),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("call", ELEMENTWISE)
def test_elementwise(call, dtype, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
        y[:] = {call}
    """
    for m, n in SIZES:
        x = awkward(m, n, TYPES[dtype])
        y = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"].astype(np.float64)
        with np.errstate(all="ignore"):
            wanted = ELEMENTWISE[call](x.astype(np.float64)).astype(x.dtype).astype(np.float64)
        np.testing.assert_allclose(y, wanted, rtol=TOLERANCE[dtype], atol=SMALLEST[dtype])


def nan_largest(x, axis):
    return np.where(np.isnan(x), -np.inf, x).max(axis, keepdims=True, initial=-np.inf)


REDUCTIONS = {
    "nanmax": nan_largest,
    "nanmin": lambda x, axis: -nan_largest(-x, axis),
    "mean": lambda x, axis: x.mean(axis, keepdims=True),
    "any": lambda x, axis: x.any(axis, keepdims=True),
    "all": lambda x, axis: x.all(axis, keepdims=True),
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name, axis, tmp_path):
    shape = "[1, N]" if axis == 0 else "[M, 1]"
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[{shape}, pl.FP32]]):
        y[:] = pl.cast(pl.{name}(x, axis={axis - 2}), pl.FP32)
    """
    for m, n in SIZES:
        # Sums of infinities of both signs, and the order of sums, are not what this is about.
        x = awkward(m, n) if name != "mean" else np.arange(m * n, dtype=np.float32).reshape(m, n) % 7
        x = np.where(np.arange(n) % 3 == 0, 0, x).astype(np.float32) if name == "any" else x
        with np.errstate(all="ignore"):
            wanted = REDUCTIONS[name](x.astype(np.float64), axis)
        y = run_kernel(text, tmp_path, x=x, y=np.zeros(wanted.shape, np.float32))["y"]
        np.testing.assert_allclose(y, wanted, rtol=1e-6)


NAMES_OF_NUMPY = {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "exp2": np.exp2,
    "log2": np.log2,
}


@pytest.mark.parametrize("name", NAMES_OF_NUMPY)
def test_names_of_numpy(name, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        y[:] = pl.cast(pl.{name}(x), pl.FP32)
    """
    for m, n in SIZES:
        x = awkward(m, n)
        y = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"]
        with np.errstate(all="ignore"):
            wanted = NAMES_OF_NUMPY[name](x.astype(np.float64)).astype(np.float32)
        np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=1e-6 if name == "log2" else 0)


AWKWARD = [0.0, -0.0, 1.5, -3.0, np.inf, -np.inf, np.nan, 3e38, -3e38, 1e-40, 1e-30, -7e-20, 88.0, -104.0]
PAIRS = {"hypot": np.hypot, "logaddexp": np.logaddexp}


@pytest.mark.parametrize("target", ["cpu", "npu:tpuv3", "cuda:emulate", "interpreter"])
@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_two_keep_their_accuracy(name, target, tmp_path):
    text = f"""
    def k(a: pl.Tensor[[M], pl.FP32], b: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = pl.{name}(a, b)
    """
    a, b = (np.array(each, np.float32).reshape(-1) for each in np.meshgrid(AWKWARD, AWKWARD))
    y = np.zeros_like(a)
    Kernel(write_kernel(text, tmp_path), target=target)(a, b, y)
    with np.errstate(all="ignore"):
        wanted = PAIRS[name](a.astype(np.float64), b.astype(np.float64)).astype(np.float32)
    np.testing.assert_allclose(y, wanted, rtol=4e-7, atol=1e-44)


@pytest.mark.parametrize("dtype", ["FP32", "FP16", "INT8", "UINT8", "INT64"])
def test_sign(dtype, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M], pl.{dtype}], y: pl.Out[pl.Tensor[[M], pl.{dtype}]]):
        y[:] = pl.sign(x)
    """
    kind = {"FP32": np.float32, "FP16": np.float16}.get(dtype) or np.dtype(dtype.lower()).type
    numbers = AWKWARD if dtype.startswith("FP") else [0, 1, 7, 100] + ([-1, -128] if dtype[0] == "I" else [255])
    with np.errstate(all="ignore"):
        x = np.array(numbers).astype(kind)
    y = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"]
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(y, np.sign(x))
    assert not np.signbit(y[x == 0].astype(np.float64)).any()


def test_argsort_and_ddof(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.INT32]],
          z: pl.Out[pl.Tensor[[M, 1], pl.FP32]]):
        y[:] = pl.argsort(x)
        z[:] = pl.var(x, axis=1, ddof=1)
    """
    for m, n in SIZES:
        x = np.random.default_rng(n).integers(0, 5, (m, n)).astype(np.float32)
        results = run_kernel(text, tmp_path, x=x, y=np.zeros((m, n), np.int32), z=np.zeros((m, 1), np.float32))
        np.testing.assert_array_equal(results["y"], np.argsort(x, axis=1, kind="stable"))
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = x.astype(np.float64).var(1, keepdims=True, ddof=1)
        if n != 0:
            np.testing.assert_allclose(results["z"], wanted, rtol=1e-5)


def test_a_row_of_nan_has_no_largest(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 2], pl.FP32]]):
        y[:, 0:1] = pl.row_nanmax(x)
        y[:, 1:2] = pl.row_nanmin(x)
    """
    for n in (1, 16, 1031):
        x = np.full((3, n), np.nan, np.float32)
        x[1, n // 2] = -3
        y = run_kernel(text, tmp_path, x=x, y=np.zeros((3, 2), np.float32))["y"]
        np.testing.assert_array_equal(y, [[-np.inf, np.inf], [-3, -3], [-np.inf, np.inf]])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", TYPES)
def test_softmax(dtype, axis, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
        y[:] = pl.softmax(x, axis={axis})
    """
    for m, n in SIZES:
        x = np.nan_to_num(awkward(m, n, TYPES[dtype]), nan=1, posinf=90, neginf=-90).astype(TYPES[dtype])
        y = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"].astype(np.float64)
        wanted = softmax(x.astype(np.float64), axis).astype(x.dtype).astype(np.float64)
        np.testing.assert_allclose(y, wanted, rtol=20 * TOLERANCE[dtype], atol=1e-7)


SCANS = {
    "cumsum": np.add,
    "cumprod": np.multiply,
    "cummax": np.maximum,
    "cummin": np.minimum,
}


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float16, np.float32])
@pytest.mark.parametrize("name", SCANS)
def test_scans(name, dtype, tmp_path):
    kind = {"f": "FP", "i": "INT", "u": "UINT"}[np.dtype(dtype).kind] + str(np.dtype(dtype).itemsize * 8)
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{kind}], y: pl.Out[pl.Tensor[[M, N], pl.{kind}]],
          z: pl.Out[pl.Tensor[[M, N], pl.{kind}]]):
        y[:] = pl.{name}(x)
        z[:] = pl.{name}(x + x, axis=0)
    """
    rng = np.random.default_rng(3)
    for m, n in SIZES:
        x = rng.integers(0, 3, (m, n)).astype(dtype)
        results = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x), z=np.zeros_like(x))
        wide = np.float64 if np.dtype(dtype).kind == "f" else dtype
        with np.errstate(all="ignore"):
            y, z = (SCANS[name].accumulate(part, axis, dtype=wide) for axis, part in ((1, x), (0, x + x)))
            np.testing.assert_array_equal(results["y"], y.astype(dtype))
            np.testing.assert_array_equal(results["z"], z.astype(dtype))


def test_scans_of_three_axes_and_of_strided_memory(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N, K], pl.FP32], y: pl.Out[pl.Tensor[[M, N, K], pl.FP32]]):
        y[:] = pl.cummax(x, axis=1)
    """
    x = awkward(12, 35).reshape(4, 3, 35).transpose(2, 0, 1)
    y = run_kernel(text, tmp_path, x=x, y=np.zeros(x.shape, np.float32))["y"]
    np.testing.assert_array_equal(y, np.maximum.accumulate(x, 1))


def test_constants_and_products(tmp_path):
    text = """
    def k(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
          s: pl.Out[pl.Tensor[[1], pl.FP32]]):
        y[:] = pl.dot(a, b) + pl.ones([M, N]) + pl.zeros([M, N])
        s[:] = pl.dot(pl.reshape(pl.ones([1, M]), [M]), pl.ones(M))
    """
    for m, n in [(1, 1), (17, 33), (65, 129)]:
        a, b = (np.random.default_rng(5).integers(-3, 4, shape).astype(np.float32) for shape in ((m, 9), (9, n)))
        results = run_kernel(text, tmp_path, a=a, b=b, y=np.zeros((m, n), np.float32), s=np.zeros(1, np.float32))
        np.testing.assert_array_equal(results["y"], a @ b + 1)
        np.testing.assert_array_equal(results["s"], [m])


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float16, ml_dtypes.bfloat16, np.float32])
@pytest.mark.parametrize("name", SCANS)
def test_chunked_scans(name, dtype, tmp_path):
    kind = "BF16" if dtype is ml_dtypes.bfloat16 else np.dtype(dtype).name.upper().replace("FLOAT", "FP")
    combine = {"cumsum": "first + pl.sum", "cumprod": "first * pl.prod"}.get(name)
    whole = name.removeprefix("cum")
    following = f"{combine}(part, axis=1)" if combine else f"pl.{whole}imum(first, pl.{whole}(part, axis=1))"
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{kind}], start: pl.Tensor[[M, 1], pl.{kind}], y: pl.Out[pl.Tensor[[M, N], pl.{kind}]],
          z: pl.Out[pl.Tensor[[M, N], pl.{kind}]]):
        first = pl.load(start, [0, 0], [M, 1])
        for j in pl.range(0, N, 16):
            part = x[:, j : j + 16]
            y[:, j : j + 16] = pl.{name}(part, initial=first)
            first = {following}
        z[:] = pl.{name}(x, axis=0, initial=2)
    """
    rng = np.random.default_rng(3)
    for m, n in SIZES:
        # Sums and products that every type holds.
        x = rng.choice([0, 1, 2], (m, n), p=[0.2, 0.75, 0.05] if name == "cumprod" else [0.6, 0.3, 0.1]).astype(dtype)
        x = np.minimum(x, np.arange(n) < 60).astype(dtype)
        start = rng.integers(1, 3, (m, 1)).astype(dtype)
        results = run_kernel(text, tmp_path, x=x, start=start, y=np.zeros_like(x), z=np.zeros_like(x))
        wide = np.float64 if np.dtype(dtype).kind not in "iu" else dtype
        y = SCANS[name].accumulate(np.concatenate([start, x], 1), 1, dtype=wide)[:, 1:]
        z = SCANS[name].accumulate(np.concatenate([np.full((1, n), 2, dtype), x], 0), 0, dtype=wide)[1:]
        np.testing.assert_array_equal(results["y"], y.astype(dtype))
        np.testing.assert_array_equal(results["z"], z.astype(dtype))


WHOLE = {
    "sum": np.sum,
    "prod": np.prod,
    "max": lambda x, *rest, **named: np.max(x, *rest, **named, initial=-np.inf),
    "min": lambda x, *rest, **named: np.min(x, *rest, **named, initial=np.inf),
    "mean": np.mean,
    "var": np.var,
    "any": np.any,
    "all": np.all,
}


@pytest.mark.parametrize("name", WHOLE)
def test_several_axes_and_all(name, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[K, M, N], pl.FP32], y: pl.Out[pl.Tensor[[1, 1, 1], pl.FP32]],
          z: pl.Out[pl.Tensor[[M], pl.FP32]], w: pl.Out[pl.Tensor[[K, 1, 1], pl.FP32]],
          v: pl.Out[pl.Tensor[[2], pl.FP32]]):
        y[:] = pl.cast(pl.{name}(x), pl.FP32)
        z[:] = pl.cast(pl.{name}(x, axis=(0, -1), keepdims=False), pl.FP32)
        w[:] = pl.cast(pl.{name}(x, axis=(1, 2)), pl.FP32)
        v[:] = pl.cast(pl.{name}(x, keepdims=False), pl.FP32)
    """
    rng = np.random.default_rng(19)
    for k, m, n in [(1, 1, 1), (2, 3, 15), (3, 16, 16), (5, 2, 17), (1, 33, 129), (0, 2, 3), (2, 0, 3), (2, 3, 0)]:
        x = rng.choice(np.float32([1, 1, 1, 1, 1, 1, 2, 0]), (k, m, n))
        zeros = [np.zeros(shape, np.float32) for shape in ((1, 1, 1), m, (k, 1, 1), 2)]
        results = run_kernel(text, tmp_path, x=x, **dict(zip("yzwv", zeros)))
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wide = x.astype(np.float64)
            wanted = (
                WHOLE[name](wide, keepdims=True),
                WHOLE[name](wide, (0, 2)),
                WHOLE[name](wide, (1, 2), keepdims=True),
                np.full(2, WHOLE[name](wide)),
            )
        for got, right in zip("yzwv", wanted):
            np.testing.assert_allclose(results[got], right, rtol=1e-6)


@pytest.mark.parametrize(
    "call, message",
    [
        ("pl.mean(x, axis=2)", "axis 2 is out of range for rank 2"),
        ("pl.any(x, axis=(0, -2))", "axis 0 is named twice"),
        ("pl.cumsum(x, initial=x)", "'initial' is a number, or has the extent 1 along axis 1, got"),
        (
            "pl.cumsum(pl.cast(x, pl.INT16), initial=pl.zeros([M, 1], pl.INT32))",
            "'cumsum' of INT16 cannot start with a tile",
        ),
        ("pl.cumsum(x, axis=2)", "axis 2 is out of range for rank 2"),
        ("pl.trunc(pl.cast(x, pl.INT32))", "'trunc' takes floats"),
        ("pl.full([pl.cdiv(1.5, 2), N], pl.FP32, 0.0)", "'cdiv' takes integers, got"),
        ("pl.random(x, 0, 0, 0, 0, 0, [4, 4])", "keys and counters are integers, got"),
        ("pl.tri(0.5, [4, 4])", "the diagonal is an integer, got"),
    ],
)
def test_mistakes_are_named(call, message, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        y[:] = {call}
    """
    path = write_kernel(text, tmp_path)
    with pytest.raises(KernelError, match=message):
        Kernel(path)(np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32))


@pytest.mark.parametrize(
    ("dtype", "divisor"),
    [
        *itertools.product(["INT8", "INT32", "INT64", "UINT8", "UINT64"], ["3", "z"]),
        *itertools.product(["INT8", "INT32", "INT64"], ["-3"]),
    ],
)
def test_quotients_of_tiles_round_up(dtype, divisor, tmp_path):
    limits = np.iinfo(dtype.lower())
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], z: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
        y[:] = pl.cdiv(x, {divisor})
    """
    rng = np.random.default_rng(3)
    for m, n in SIZES:
        x = rng.integers(limits.min, limits.max, (m, n), dtype=limits.dtype, endpoint=True)
        x.flat[: min(3, x.size)] = np.array([limits.min, limits.max, 0], limits.dtype)[: min(3, x.size)]
        z = rng.integers(1, 100, (m, n)).astype(limits.dtype)
        y = run_kernel(text, tmp_path, x=x, z=z, y=np.zeros_like(x))["y"]
        by = z.astype(object) if divisor == "z" else int(divisor)
        assert (y.astype(object) == -(-x.astype(object) // by)).all()
