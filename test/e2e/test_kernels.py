# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example, compiled once per element type, against its NumPy reference at sizes that hurt."""

import dataclasses
import itertools

import numpy as np
import pytest
from tegula_library import DTYPES, EXAMPLES, Kernel, load_module, with_dtype


@dataclasses.dataclass(frozen=True)
class Case:
    """How to call one example: the shapes of its inputs by dimension, and the sizes each dimension takes."""

    inputs: dict[str, tuple]
    output: tuple
    sizes: dict[str, list[int]]
    dtypes: tuple[str, ...] = ("FP32", "FP16", "BF16")
    output_dtype: str | None = None
    scalars: tuple = ()


def around(*tiles: int) -> list[int]:
    """0, 1, each tile and its neighbours, a prime and something large."""
    edges = {edge for tile in tiles for edge in (tile - 1, tile, tile + 1)}
    return sorted({0, 1, 2, 97} | edges | {2 * tiles[0] + 3})


ROWS = around(8, 16)
COLUMNS = around(64, 128) + [1031]
MATRIX = {"M": ROWS, "N": COLUMNS}
NORM = dict(output=("M", "N"), sizes=MATRIX)
PRODUCT = Case(
    inputs={"a": ("M", "K"), "b": ("K", "N")},
    output=("M", "N"),
    sizes={"M": around(64), "N": around(128), "K": [0, 1, 97, 128, 129, 255, 300]},
    output_dtype="FP32",
)

CASES = {
    "add_scalar": Case({"x": ("M", "N")}, ("M", "N"), {"M": around(32), "N": around(256)}, scalars=(1.5,)),
    "silu": Case({"x": ("M", "N")}, ("M", "N"), {"M": ROWS, "N": around(512)}),
    "silu_tiles": Case({"x": ("M", "N")}, ("M", "N"), MATRIX),
    "gelu": Case({"x": ("M", "N")}, ("M", "N"), {"M": ROWS, "N": around(512)}),
    "swiglu": Case({"gate": ("M", "N"), "up": ("M", "N")}, ("M", "N"), {"M": ROWS, "N": around(512)}),
    "geglu": Case({"gate": ("M", "N"), "up": ("M", "N")}, ("M", "N"), {"M": ROWS, "N": around(512)}),
    "softmax": Case({"x": ("M", "N")}, ("M", "N"), {"M": ROWS, "N": around(512)}),
    "softmax_tiles": Case({"x": ("M", "N")}, ("M", "N"), MATRIX),
    "layer_norm": Case({"x": ("M", "N"), "gamma": (1, "N"), "beta": (1, "N")}, **NORM),
    "layer_norm_tiles": Case({"x": ("M", "N"), "gamma": (1, "N"), "beta": (1, "N")}, **NORM),
    "rms_norm": Case({"x": ("M", "N"), "gamma": (1, "N")}, **NORM),
    "rms_norm_tensors": Case({"x": ("M", "N"), "gamma": (1, "N")}, **NORM),
    "matmul": PRODUCT,
    "gemm": PRODUCT,
    "gemm_tensors": PRODUCT,
    "double_rows": Case({"x": ("M", 128)}, ("M", 128), {"M": around(64) + [1000]}),
    "masked_sum": Case(
        {"x": ("M", "N"), "lengths": ("M",)}, ("M", 1), {"M": [0, 1, 7], "N": around(64)}, output_dtype="FP32"
    ),
}

TOLERANCE = {"FP32": 2e-5, "FP16": 2e-3, "BF16": 1.6e-2}


def make_input(rng: np.random.Generator, name: str, shape: tuple, dtype: type, sizes: dict) -> np.ndarray:
    if name == "lengths":
        return rng.integers(0, sizes["N"] + 1, shape).astype(np.int32)
    return rng.standard_normal(shape).astype(dtype)


def combinations(case: Case) -> list[dict[str, int]]:
    """Every size of one dimension with a few of the others: all pairs that hurt, without all products.

    And something large, which is shared out among threads.
    """
    names = list(case.sizes)
    chosen = set(itertools.product(*(values[:2] + values[-1:] for values in case.sizes.values())))
    for name in names:
        for value in case.sizes[name]:
            chosen.add(tuple(value if n == name else case.sizes[n][len(case.sizes[n]) // 2] for n in names))
            chosen.add(tuple(value if n == name else case.sizes[n][-2] for n in names))
    chosen.add((613,) * len(names))
    return [dict(zip(names, sizes, strict=True)) for sizes in sorted(chosen)]


def assert_close(found: np.ndarray, wanted: np.ndarray, tolerance: float, what: str) -> None:
    found, wanted = found.astype(np.float64), wanted.astype(np.float64)
    assert found.shape == wanted.shape
    scale = np.max(np.abs(wanted), initial=1.0, where=np.isfinite(wanted))
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance * scale, err_msg=what)


def assert_matches_numpy(name: str, kernel: Kernel, dtype: str, every_size: list[dict[str, int]]) -> None:
    """One kernel, compiled once, at all of these sizes."""
    case, reference = CASES[name], load_module(EXAMPLES / f"{name}.py").reference
    rng = np.random.default_rng(1)
    for sizes in every_size:
        shape_of = lambda shape, sizes=sizes: tuple(sizes.get(entry, entry) for entry in shape)  # noqa: E731
        inputs = [make_input(rng, n, shape_of(s), DTYPES[dtype], sizes) for n, s in case.inputs.items()]
        output = np.full(shape_of(case.output), 7, dtype=DTYPES[case.output_dtype or dtype])
        kernel(*inputs, *case.scalars, output)
        with np.errstate(all="ignore"):
            wanted = reference(*inputs, *case.scalars)
        assert_close(output, wanted, TOLERANCE[dtype], f"{name} {dtype} {sizes}")
    assert kernel.compile_count == 1


@pytest.mark.parametrize("name", CASES)
def test_matches_numpy_at_every_size(name, tmp_path):
    for dtype in CASES[name].dtypes:
        kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path))
        assert_matches_numpy(name, kernel, dtype, combinations(CASES[name]))


@pytest.mark.parametrize("name", CASES)
def test_takes_any_strides(name):
    case, reference = CASES[name], load_module(EXAMPLES / f"{name}.py").reference
    rng = np.random.default_rng(2)
    kernel = Kernel(EXAMPLES / f"{name}.py")
    sizes = {dim: values[-2] for dim, values in case.sizes.items()}
    shape_of = lambda shape: tuple(sizes.get(entry, entry) for entry in shape)  # noqa: E731
    plain = [make_input(rng, n, shape_of(s), np.float32, sizes) for n, s in case.inputs.items()]
    wanted = reference(*plain, *case.scalars)

    def strided(array):  # every second element of a larger array
        larger = np.zeros([2 * extent for extent in array.shape], array.dtype)
        view = larger[tuple(slice(None, None, 2) for _ in array.shape)]
        view[...] = array
        return view

    layouts = {
        "transposed": lambda array: np.asfortranarray(array),
        "strided": strided,
        "reversed": lambda array: array[..., ::-1].copy()[..., ::-1],
        "rows reversed": lambda array: array[::-1].copy()[::-1],
    }
    for layout, change in layouts.items():
        output = change(np.zeros(shape_of(case.output), np.float32))
        kernel(*(change(array) for array in plain), *case.scalars, output)
        assert_close(output, wanted, TOLERANCE["FP32"], f"{name} {layout}")
    assert kernel.compile_count == 1


VARIANTS = [("silu", "silu_tiles"), ("softmax", "softmax_tiles"), ("layer_norm", "layer_norm_tiles")]
VARIANTS += [("rms_norm_tensors", "rms_norm"), ("gemm_tensors", "gemm")]


@pytest.mark.parametrize("tensor_variant, tile_variant", VARIANTS)
def test_tensor_and_tile_variants_agree(tensor_variant, tile_variant):
    rng = np.random.default_rng(3)
    case = CASES[tensor_variant]
    kernels = [Kernel(EXAMPLES / f"{name}.py") for name in (tensor_variant, tile_variant)]
    for sizes in combinations(case):
        shapes = [tuple(sizes.get(entry, entry) for entry in shape) for shape in case.inputs.values()]
        inputs = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        outputs = [np.zeros(tuple(sizes.get(e, e) for e in case.output), np.float32) for _ in kernels]
        for kernel, output in zip(kernels, outputs, strict=True):
            kernel(*inputs, output)
        assert_close(outputs[0], outputs[1], 1e-5, f"{sizes}")


def test_a_hundred_sizes_are_one_compile():
    kernel = Kernel(EXAMPLES / "softmax.py")
    reference = load_module(EXAMPLES / "softmax.py").reference
    rng = np.random.default_rng(4)
    for step in range(100):
        x = rng.standard_normal((1 + 3 * step % 41, 1 + 7 * step)).astype(np.float32)
        y = np.zeros_like(x)
        kernel(x, y)
        assert_close(y, reference(x), TOLERANCE["FP32"], str(x.shape))
    assert kernel.compile_count == 1
