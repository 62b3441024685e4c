# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kind of op on tiles that hang over the edge: only what is there counts, whatever lies behind it in the tile.

Each case is an expression over one tile `t` of at most 8 x 16, cut from the bottom right of `x`, and a second one `u`
the same window of `w`; NumPy gets the same expression on the same slices.
"""

import textwrap

import numpy as np
import pytest
from tegula_library import Kernel

# The expression in the kernel and the one in NumPy.
CASES = {
    "sum of rows": ("pl.row_sum(t)", lambda t, u: t.sum(axis=1, keepdims=True)),
    "largest of rows": ("pl.row_max(t)", lambda t, u: t.max(axis=1, keepdims=True, initial=-np.inf)),
    "smallest of columns": ("pl.col_min(t)", lambda t, u: t.min(axis=0, keepdims=True, initial=np.inf)),
    "product of columns": ("pl.col_prod(t)", lambda t, u: t.prod(axis=0, keepdims=True)),
    "rows minus their largest": (
        "pl.row_expand_sub(t, pl.row_max(t))",
        lambda t, u: t - t.max(axis=1, keepdims=True, initial=-np.inf),
    ),
    "columns over their sum": ("pl.col_expand_div(t, pl.col_sum(u))", lambda t, u: t / u.sum(axis=0, keepdims=True)),
    "product with the transposed": ("pl.matmul(t, u, b_trans=True)", lambda t, u: t @ u.T),
    "product of the transposed": ("pl.matmul(t, u, a_trans=True)", lambda t, u: t.T @ u),
    "choice": ("pl.sel(t > u, t, u * 2.0)", lambda t, u: np.where(t > u, t, u * 2)),
    "one behind the other": ("pl.concat(t, u)", lambda t, u: np.concatenate([t, u], axis=1)),
    "one below the other": ("pl.concat(t, u, axis=0)", lambda t, u: np.concatenate([t, u], axis=0)),
    "transposed": ("pl.transpose(t, 0, 1)", lambda t, u: t.T),
    "part of it": ("t[1:6, 2:9]", lambda t, u: t[1:6, 2:9]),
    "narrowed": ("pl.row_sum(pl.set_validshape(t, 3, 5))", lambda t, u: t[:3, :5].sum(axis=1, keepdims=True)),
    "valid where both are": (
        "t + pl.set_validshape(u, 5, 7)",
        lambda t, u: t[:5, :7] + u[:5, :7],
    ),
    "filled up": (
        "pl.row_sum(pl.fillpad(t, pad=pl.PadValue.zero))",
        lambda t, u: np.pad(t.sum(axis=1, keepdims=True), ((0, 8 - t.shape[0]), (0, 0))),
    ),
}

SIZES = [(0, 5), (5, 0), (1, 1), (7, 15), (8, 16), (9, 17), (10, 33), (16, 32), (3, 31)]


def compiled(expression: str, folder) -> Kernel:
    path = folder / "kernel.py"
    path.write_text(
        textwrap.dedent(
            f"""\
            import tegula.language as pl

            M, N, R, C = pl.dynamic("M"), pl.dynamic("N"), pl.dynamic("R"), pl.dynamic("C")


            @pl.jit
            def k(x: pl.Tensor[[M, N], pl.FP32], w: pl.Tensor[[M, N], pl.FP32], i: pl.INDEX, j: pl.INDEX,
                  y: pl.InOut[pl.Tensor[[R, C], pl.FP32]]):
                t = x[i : i + 8, j : j + 16]
                u = w[i : i + 8, j : j + 16]
                pl.store({expression}, [0, 0], y)
            """
        )
    )
    return Kernel(path)


@pytest.mark.parametrize("name", CASES)
def test_only_the_valid_part_counts(name, tmp_path):
    expression, reference = CASES[name]
    kernel = compiled(expression, tmp_path)
    rng = np.random.default_rng(6)
    for m, n in SIZES:
        x, w = (rng.uniform(0.5, 2, (m, n)).astype(np.float32) for _ in range(2))
        i, j = max(0, m - 1) // 8 * 8, max(0, n - 1) // 16 * 16
        with np.errstate(all="ignore"):
            wanted = reference(x[i : i + 8, j : j + 16].astype(np.float64), w[i : i + 8, j : j + 16].astype(np.float64))
        y = np.full((20, 40), 7, np.float32)
        kernel(x, w, i, j, y)
        rows, columns = wanted.shape
        np.testing.assert_allclose(y[:rows, :columns], wanted, rtol=2e-5, err_msg=f"{name} {m}x{n}")
        y[:rows, :columns] = 7
        np.testing.assert_array_equal(y, 7, err_msg=f"{name} {m}x{n} wrote beyond its valid region")
    assert kernel.compile_count == 1
