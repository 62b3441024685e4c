# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels a model is made of, compiled once each, against their NumPy references at sizes that hurt.

Each case makes the arguments of a call from sizes; the reference gets copies of all but the outputs.
"""

import dataclasses
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from tegula_library import DTYPES, EXAMPLES, Kernel, load_module

TOLERANCE = {np.dtype(DTYPES["FP32"]): 2e-5, np.dtype(DTYPES["FP16"]): 4e-3, np.dtype(DTYPES["BF16"]): 3e-2}


@dataclasses.dataclass(frozen=True)
class Case:
    """How to call one example: its arguments for given sizes, how many of the last are outputs, and the sizes."""

    arguments: Callable
    sizes: list[dict[str, int]]
    outputs: int = 1
    # How many of the first outputs are read as well: the reference gets those too.
    read: int = 0
    tolerance: float | None = None


def grid(*default: int, names: str, **axes: list[int]) -> list[dict[str, int]]:
    """All sizes of one axis with the others at their defaults, then all axes at their first, second and last."""
    names = names.split()
    base = dict(zip(names, default, strict=True))
    found = [base | {name: value} for name, values in axes.items() for value in values]
    found += [{name: values[at] for name, values in axes.items()} for at in (0, 1, -1)]
    return [base | sizes for sizes in found]


def normal(rng, *shape, dtype="FP32"):
    return rng.standard_normal(shape).astype(DTYPES[dtype])


def blank(*shape, dtype="FP32"):
    """An output before the call: nothing of it may be left."""
    return np.full(shape, 7, DTYPES[dtype])


def rope_arguments(rng, T, H):
    angles = rng.uniform(-3, 3, (T, 32))
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    return [normal(rng, T, H, 64), cos, sin, blank(T, H, 64)]


def residual_arguments(rng, M, N, K):
    return [normal(rng, *shape, dtype="BF16") for shape in ((M, K), (K, N), (M, N))] + [blank(M, N)]


def chained_arguments(rng, M, N, K, P):
    return [normal(rng, *shape, dtype="BF16") for shape in ((M, K), (K, N), (N, P))] + [blank(M, P)]


def projection_arguments(rng, T, HIDDEN, NQ, NKV):
    weights = [normal(rng, HIDDEN, n) for n in (NQ, NKV, NKV)]
    return [normal(rng, T, HIDDEN), *weights, *(blank(T, n) for n in (NQ, NKV, NKV))]


def ffn_arguments(rng, T, HIDDEN, INNER):
    weights = [normal(rng, *shape) / 8 for shape in ((HIDDEN, INNER), (HIDDEN, INNER), (INNER, HIDDEN))]
    return [normal(rng, T, HIDDEN), *weights, blank(T, HIDDEN)]


def flash_arguments(rng, H, SQ, SK, dtype="FP32"):
    SK = max(SQ, SK)
    tensors = [normal(rng, H, rows, 64, dtype=dtype) for rows in (SQ, SK, SK)]
    return [*tensors, 0.125, blank(H, SQ, 64, dtype=dtype)]


def flash_bf16_arguments(rng, H, SQ, SK):
    return flash_arguments(rng, H, SQ, SK, dtype="BF16")


def attention_arguments(rng, H, SQ, SK, D):
    return [normal(rng, H, SQ, D), normal(rng, H, SK, D), normal(rng, H, SK, D), 0.125, blank(H, SQ, D)]


def paged_arguments(rng, B, KV, G, D, PAGE, LONGEST):
    pages = B * LONGEST + 1
    cache = [normal(rng, pages, PAGE, KV, D) for _ in range(2)]
    table = rng.permutation(pages)[: B * LONGEST].reshape(B, LONGEST).astype(np.int32)
    lengths = rng.integers(1, PAGE * LONGEST + 1, B).astype(np.int32)
    return [normal(rng, B, KV, G, D), *cache, table, lengths, 0.25, blank(B, KV, G, D)]


def w8a8_arguments(rng, M, N, K):
    weight = rng.integers(-127, 128, (N, K)).astype(np.int8)
    return [normal(rng, M, K), weight, rng.uniform(0.01, 0.1, (1, N)).astype(np.float32), blank(M, N)]


def w4a16_arguments(rng, M, N, K):
    weight = rng.integers(-8, 8, (N, K)).astype(ml_dtypes.int4)
    scale = rng.uniform(0.01, 0.1, (N, (K + 31) // 32)).astype(np.float32)
    return [normal(rng, M, K).astype(np.float16), weight, scale, np.zeros((M, N), np.float16)]


def embedding_arguments(rng, T, D, C):
    tokens, slots = rng.integers(0, 11, T).astype(np.int32), rng.permutation(T + 3)[:T].astype(np.int32)
    caches = [normal(rng, T + 3, C) for _ in range(2)]
    return [tokens, normal(rng, 11, D), normal(rng, T, C), normal(rng, T, C), slots, *caches, blank(T, D)]


def moe_arguments(rng, T, D, E, F):
    weights = [normal(rng, *shape) / 4 for shape in ((D, E), (E, D, F), (E, F, D))]
    return [normal(rng, T, D), *weights, blank(T, D)]


def topk_arguments(rng, M):
    x = rng.integers(-500, 500, (M, 1024)).astype(np.float32)  # with many equal elements
    return [x, blank(M, 16), np.full((M, 16), 7, np.int32)]


def layer_arguments(rng, T, LONGEST):
    def weight(*shape):
        return (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

    pages, angles = T * LONGEST + 1, rng.uniform(-3, 3, (T, 16))
    table = rng.permutation(pages)[: T * LONGEST].reshape(T, LONGEST).astype(np.int32)
    return [
        normal(rng, T, 256),
        *(1 + weight(1, 256) / 8, weight(256, 256), weight(256, 64), weight(256, 64), weight(256, 256)),
        *(1 + weight(1, 256) / 8, weight(256, 512), weight(256, 512), weight(512, 256)),
        *(np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)),
        *(table, rng.integers(1, 16 * LONGEST + 1, T).astype(np.int32)),
        *(normal(rng, pages, 16, 2, 32), normal(rng, pages, 16, 2, 32)),
        blank(T, 256),
    ]


CASES = {
    "rope": Case(rope_arguments, grid(5, 3, names="T H", T=[0, 1, 2, 17], H=[0, 1, 7, 8, 9, 40])),
    "gemm_residual": Case(
        residual_arguments,
        grid(70, 130, 97, names="M N K", M=[0, 1, 63, 64, 65, 131], N=[0, 1, 127, 128, 129], K=[0, 1, 255, 256, 257]),
    ),
    "chained_matmul": Case(
        chained_arguments,
        grid(33, 47, 53, 61, names="M N K P", M=[0, 1, 31, 32, 33], N=[0, 1, 129], K=[0, 1, 257], P=[0, 1, 200]),
        tolerance=2e-2,
    ),
    "qkv_projection": Case(
        projection_arguments,
        grid(
            33,
            70,
            129,
            65,
            names="T HIDDEN NQ NKV",
            T=[0, 1, 31, 32, 65],
            HIDDEN=[0, 1, 257],
            NQ=[0, 1, 128],
            NKV=[0, 1, 127],
        ),
        outputs=3,
    ),
    "vector_dag": Case(
        lambda rng, TOKENS: [normal(rng, TOKENS, 128), normal(rng, TOKENS, 128), blank(TOKENS, 128)],
        [{"TOKENS": n} for n in (0, 1, 15, 16, 17, 101)],
    ),
    "ffn": Case(
        ffn_arguments,
        grid(
            33,
            70,
            130,
            names="T HIDDEN INNER",
            T=[0, 1, 31, 32, 65],
            HIDDEN=[0, 1, 128, 257],
            INNER=[0, 1, 127, 128, 300],
        ),
    ),
    "flash_attention": Case(
        flash_arguments,
        grid(
            2,
            33,
            70,
            names="H SQ SK",
            H=[0, 1, 5],
            SQ=[0, 1, 31, 63, 64, 65, 101, 200],
            SK=[0, 1, 63, 64, 65, 131, 257],
        ),
    ),
    "flash_attention_bf16": Case(
        flash_bf16_arguments,
        grid(2, 33, 70, names="H SQ SK", H=[0, 5], SQ=[0, 1, 64, 65, 200], SK=[0, 1, 64, 131]),
    ),
    "attention": Case(
        attention_arguments,
        grid(
            *(2, 33, 70, 40),
            names="H SQ SK D",
            **dict(H=[0, 1, 5], SQ=[0, 1, 4, 5, 64, 65, 200], SK=[1, 31, 256, 257, 5000], D=[1, 16, 64, 129]),
        ),
    ),
    "paged_attention": Case(
        paged_arguments,
        grid(
            *(3, 2, 4, 40, 16, 3),
            names="B KV G D PAGE LONGEST",
            **dict(B=[0, 1, 7], KV=[0, 1, 3], G=[0, 1, 5, 8], D=[0, 1, 64, 129], PAGE=[1, 15, 128], LONGEST=[1, 2, 9]),
        ),
    ),
    "w8a8_linear": Case(
        w8a8_arguments,
        grid(33, 70, 97, names="M N K", M=[0, 1, 31, 32, 65], N=[0, 1, 127, 128, 129], K=[0, 1, 64, 300]),
    ),
    "w4a16_linear": Case(
        w4a16_arguments,
        grid(33, 70, 97, names="M N K", M=[0, 1, 31, 32, 65], N=[0, 1, 63, 64, 129], K=[0, 1, 31, 32, 33, 300]),
    ),
    "embedding_kv_cache": Case(
        embedding_arguments,
        grid(9, 70, 33, names="T D C", T=[0, 1, 64], D=[0, 1, 257], C=[0, 1, 128]),
        outputs=3,
        read=2,
    ),
    "split_k": Case(
        lambda rng, M, N, K: [normal(rng, M, K), normal(rng, K, N), blank(M, N)],
        grid(70, 65, 300, names="M N K", M=[0, 1, 63, 64, 65], N=[0, 1, 63, 64, 131], K=[0, 1, 127, 128, 129, 700]),
    ),
    "batched_matmul": Case(
        lambda rng, B, M, N, K: [normal(rng, B, M, K), normal(rng, B, N, K), blank(B, M, N)],
        grid(3, 33, 47, 53, names="B M N K", B=[0, 1, 8], M=[0, 1, 65], N=[0, 1, 129], K=[0, 1, 200]),
    ),
    "topk": Case(topk_arguments, [{"M": n} for n in (0, 1, 5, 16)], outputs=2),
    "rope_interleaved": Case(rope_arguments, grid(5, 3, names="T H", T=[0, 1, 2, 17], H=[0, 1, 7, 8, 9, 40])),
    "rms_norm_grid": Case(
        lambda rng, T: [normal(rng, T, 256), normal(rng, 1, 256), blank(T, 256)],
        [{"T": n} for n in (0, 1, 15, 16, 17, 101)],
    ),
    "moe": Case(
        moe_arguments,
        grid(20, 24, 5, 40, names="T D E F", T=[0, 1, 15, 16, 17, 67], D=[1, 31, 64], E=[2, 3, 9], F=[1, 33, 100]),
    ),
    "decoder/layer": Case(
        layer_arguments,
        grid(5, 3, names="T LONGEST", T=[0, 1, 15, 16, 17, 40], LONGEST=[1, 2, 9]),
        outputs=3,
        read=2,
    ),
}


def assert_close(found: np.ndarray, wanted: np.ndarray, tolerance: float | None, what: str) -> None:
    assert found.shape == wanted.shape, what
    if found.dtype.kind in "iub":
        np.testing.assert_array_equal(found, wanted, err_msg=what)
        return
    tolerance = tolerance or TOLERANCE[found.dtype]
    found, wanted = found.astype(np.float64), wanted.astype(np.float64)
    scale = np.max(np.abs(wanted), initial=1.0, where=np.isfinite(wanted))
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance * scale, err_msg=what)


def assert_matches_numpy(name: str, sizes_of_calls: list[dict[str, int]], **options) -> None:
    case = CASES[name]
    reference = load_module(EXAMPLES / f"{name}.py").reference
    kernel = Kernel(EXAMPLES / f"{name}.py", **options)
    rng = np.random.default_rng(5)
    for sizes in sizes_of_calls:
        arguments = case.arguments(rng, **sizes)
        first = len(arguments) - case.outputs
        given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments[: first + case.read]]
        kernel(*arguments)
        with np.errstate(all="ignore"):
            wanted = reference(*given)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for found, want in zip(arguments[first:], wanted, strict=True):
            assert_close(found, want, case.tolerance, f"{name} {sizes}")
    assert kernel.compile_count == 1


@pytest.mark.parametrize("name", CASES)
def test_matches_numpy_at_every_size(name):
    assert_matches_numpy(name, CASES[name].sizes)


@pytest.mark.parametrize("name", [name for name in CASES if name != "decoder/layer"])
def test_matches_numpy_on_an_npu(name):
    assert_matches_numpy(name, CASES[name].sizes[::3], target="npu:ascend910b")
