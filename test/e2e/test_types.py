# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types that NumPy has only with ml_dtypes, and which type two of them become when they meet."""

import subprocess

import ml_dtypes
import numpy as np
import pytest
from tegula_library import BINARIES, NUMPY_TYPES, ROOT, Kernel, KernelError, pack, unpack

ALL_BYTES = np.arange(256, dtype=np.uint8)
FLOATS = {"FP8E4M3FN": ml_dtypes.float8_e4m3fn, "FP8E5M2": ml_dtypes.float8_e5m2}
INTEGERS = {"INT4": ml_dtypes.int4, "UINT4": ml_dtypes.uint4}
SHORT = {"B": "BOOL", "E4": "FP8E4M3FN", "E5": "FP8E5M2", "BF": "BF16"}


def kernel_file(folder, text):
    path = folder / "kernel.py"
    path.write_text(f'import tegula.language as pl\n\nN = pl.dynamic("N")\nM = pl.dynamic("M")\n\n\n{text}')
    return path


def same(found, wanted):
    np.testing.assert_array_equal(found.astype(np.float64), wanted.astype(np.float64))


@pytest.mark.parametrize("name", FLOATS)
def test_casts_of_eight_bit_floats_are_those_of_ml_dtypes(name, tmp_path):
    dtype = FLOATS[name]
    kernel = Kernel(
        kernel_file(
            tmp_path,
            f"""@pl.jit
def k(x: pl.Tensor[[N], pl.{name}], wide: pl.Out[pl.Tensor[[N], pl.FP32]],
      y: pl.Tensor[[M], pl.FP32], narrow: pl.Out[pl.Tensor[[M], pl.{name}]]):
    wide[:] = pl.cast(x, pl.FP32)
    narrow[:] = pl.cast(y, pl.{name}, mode="rint")
""",
        )
    )
    x = ALL_BYTES.view(dtype)
    values = x.astype(np.float32)
    finite = np.sort(values[np.isfinite(values)])
    middles = (finite[1:] + finite[:-1]) / 2
    y = np.concatenate([values, middles, np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf)])
    y = np.concatenate([y, np.float32([464, 465, 1e9, -1e9, np.inf, -np.inf, 61440, 61439.99])])
    wide, narrow = np.zeros(256, np.float32), np.zeros(y.size, dtype)
    kernel(x, wide, y, narrow)
    same(wide, values)
    same(narrow, y.astype(dtype))


@pytest.mark.parametrize("name", FLOATS)
def test_arithmetic_of_eight_bit_floats_rounds_once(name, tmp_path):
    dtype = FLOATS[name]
    kernel = Kernel(
        kernel_file(
            tmp_path,
            f"""@pl.jit
def k(x: pl.Tensor[[N], pl.{name}], y: pl.Tensor[[N], pl.{name}], total: pl.Out[pl.Tensor[[N], pl.{name}]],
      product: pl.Out[pl.Tensor[[N], pl.{name}]], least: pl.Out[pl.Tensor[[N], pl.BOOL]]):
    total[:] = x + y
    product[:] = x * y
    least[:] = x < y
""",
        )
    )
    x, y = (side.ravel().view(dtype) for side in np.meshgrid(ALL_BYTES, ALL_BYTES))
    x, y = x.copy(), y.copy()
    total, product, least = np.zeros_like(x), np.zeros_like(x), np.zeros(x.size, bool)
    kernel(x, y, total, product, least)
    wide_x, wide_y = x.astype(np.float32), y.astype(np.float32)
    with np.errstate(all="ignore"):
        same(total, (wide_x + wide_y).astype(dtype))
        same(product, (wide_x * wide_y).astype(dtype))
    np.testing.assert_array_equal(least, wide_x < wide_y)


@pytest.mark.parametrize("name", INTEGERS)
def test_four_bit_integers_wrap(name, tmp_path):
    dtype = INTEGERS[name]
    kernel = Kernel(
        kernel_file(
            tmp_path,
            f"""@pl.jit
def k(x: pl.Tensor[[N], pl.{name}], y: pl.Tensor[[N], pl.{name}], total: pl.Out[pl.Tensor[[N], pl.{name}]],
      product: pl.Out[pl.Tensor[[N], pl.{name}]], wide: pl.Out[pl.Tensor[[N], pl.INT32]]):
    total[:] = x + y
    product[:] = x * y
    wide[:] = pl.cast(x, pl.INT32) - pl.cast(y, pl.INT32)
""",
        )
    )
    # Whatever stands in the upper half of a byte does not count.
    x, y = (side.ravel().view(dtype) for side in np.meshgrid(ALL_BYTES, ALL_BYTES))
    x, y = x.copy(), y.copy()
    total, product, wide = np.zeros_like(x), np.zeros_like(x), np.zeros(x.size, np.int32)
    kernel(x, y, total, product, wide)
    wide_x, wide_y = x.astype(np.int32), y.astype(np.int32)
    same(total, (wide_x + wide_y).astype(dtype))
    same(product, (wide_x * wide_y).astype(dtype))
    np.testing.assert_array_equal(wide, wide_x - wide_y)


@pytest.mark.parametrize("name", [name for name in NUMPY_TYPES if name != "BOOL"])
def test_matmuls_are_summed_in_a_wide_type(name, tmp_path):
    dtype = NUMPY_TYPES[name]
    total = "FP32" if name in ("FP16", "BF16") else name
    if name.startswith("FP8"):
        total = "FP32"
    elif name in ("INT4", "UINT4", "INT8", "UINT8"):
        total = "INT32"
    kernel = Kernel(
        kernel_file(
            tmp_path,
            f"""@pl.jit
def k(a: pl.Tensor[[M, N], pl.{name}], b: pl.Tensor[[N, M], pl.{name}], c: pl.Out[pl.Tensor[[M, M], pl.{total}]]):
    c[:] = pl.matmul(a, b)
""",
        )
    )
    rng = np.random.default_rng(3)
    for m, n in [(1, 1), (0, 5), (5, 0), (17, 33), (64, 200)]:
        a, b = (rng.integers(0, 8, shape).astype(dtype) for shape in [(m, n), (n, m)])
        c = np.ones((m, m), NUMPY_TYPES[total])
        kernel(a, b, c)
        same(c, a.astype(np.float64) @ b.astype(np.float64))


def test_files_of_bytes_take_the_type_of_the_parameter(tmp_path):
    path = kernel_file(
        tmp_path,
        """@pl.jit
def k(x: pl.Tensor[[N], pl.FP8E4M3FN], i: pl.Tensor[[N], pl.INT4], y: pl.Out[pl.Tensor[[N], pl.FP8E4M3FN]],
      j: pl.Out[pl.Tensor[[N], pl.INT4]]):
    y[:] = x * 2
    j[:] = i + 1
""",
    )
    x = np.float32([0, 1, -3.5, 200, 448]).astype(ml_dtypes.float8_e4m3fn)
    i = np.int8([-8, -1, 0, 6, 7]).astype(ml_dtypes.int4)
    np.save(tmp_path / "x.npy", x)
    for stored in (pack(i), pack(i).view(np.int8), i):
        np.save(tmp_path / "i.npy", stored)
        command = [BINARIES / "tegula", "run", path, "--check"]
        for option, names in (("--in", "xi"), ("--out", "yj")):
            command += [word for name in names for word in (option, f"{name}={tmp_path / name}.npy")]
        subprocess.run(command, check=True, capture_output=True)
        y = np.load(tmp_path / "y.npy").view(ml_dtypes.float8_e4m3fn)
        same(y, (x.astype(np.float32) * 2).astype(ml_dtypes.float8_e4m3fn))
        j = np.load(tmp_path / "j.npy")
        assert j.dtype == np.uint8
        np.testing.assert_array_equal(unpack(j, i), np.int8([-7, 0, 1, 7, -8]).astype(ml_dtypes.int4))


def promotions():
    """The table of docs/language.md: what each pair of types becomes, None if they do not meet."""
    rows = [
        [cell.strip(" *") for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs" / "language.md").read_text().splitlines()
        if line.startswith("| **") or line.startswith("|  | B |")
    ]

    def full(name):
        return SHORT.get(name) or name.replace("U", "UINT").replace("F", "FP") if name[0] != "I" else "INT" + name[1:]

    head = [full(name) for name in rows[0][1:]]
    assert len(head) == 17 and [full(row[0]) for row in rows[1:]] == head
    cells = {full(row[0]): [None if cell == "–" else full(cell) for cell in row[1:]] for row in rows[1:]}
    return {left: dict(zip(head, row, strict=True)) for left, row in cells.items()}


@pytest.mark.parametrize("left, row", promotions().items())
def test_types_become_the_common_type_that_the_table_says(left, row, tmp_path):
    common = {right: result for right, result in row.items() if result}
    parameters = [f"x_{right}: pl.Tensor[[N], pl.{right}]" for right in common]
    parameters += [f"y_{right}: pl.Out[pl.Tensor[[N], pl.{result}]]" for right, result in common.items()]
    body = "".join(f"    y_{right}[:] = pl.sel(mask, x, x_{right})\n" for right in common)
    head = f"def k(mask: pl.Tensor[[N], pl.BOOL], x: pl.Tensor[[N], pl.{left}], {', '.join(parameters)}):\n"
    # A store converts nothing, so this compiles only if every result has the type of its output.
    subprocess.run([BINARIES / "tegula", "check", kernel_file(tmp_path, f"@pl.jit\n{head}{body}")], check=True)


@pytest.mark.parametrize(
    "left, right", [(left, right) for left, row in promotions().items() for right in row if not row[right]]
)
def test_types_without_a_common_type_are_named(left, right, tmp_path):
    text = f"""@pl.jit
def k(x: pl.Tensor[[N], pl.{left}], y: pl.Tensor[[N], pl.{right}], z: pl.Out[pl.Tensor[[N], pl.{left}]]):
    z[:] = pl.maximum(x, y)
"""
    with pytest.raises(KernelError, match=f"cannot combine .*{left if 'INT' in left else right}.*write pl.cast"):
        Kernel(kernel_file(tmp_path, text))(np.zeros(0), np.zeros(0), np.zeros(0))


@pytest.mark.parametrize("mode, wanted", [("round", 14), ("rint", 12), ("none", 12), ("floor", 12), ("ceil", 14)])
def test_sizes_and_constants_are_rounded_as_scalars_are(mode, wanted, tmp_path):
    cast = f'pl.cast(pl.cast({{}}, pl.FP8E5M2, mode="{mode}"), pl.FP32)'
    kernel = Kernel(
        kernel_file(
            tmp_path,
            f"""@pl.jit
def k(x: pl.Tensor[[N], pl.FP32], s: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[4], pl.FP32]]):
    y[0] = {cast.format("N % 100")}
    y[1] = {cast.format("s")}
    y[2] = {cast.format("13")}
    y[3] = {cast.format("13.0")}
""",
        )
    )
    y = np.zeros(4, np.float32)
    kernel(np.zeros(13, np.float32), 13, y)
    same(y, np.full(4, wanted))
