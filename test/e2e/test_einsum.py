# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pl.einsum of two operands against NumPy's."""

import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

SIZES = [(1, 1, 1, 1), (2, 3, 5, 7), (3, 16, 17, 15), (1, 33, 129, 2), (2, 0, 3, 4), (0, 3, 4, 5), (3, 4, 0, 5)]
# In each, b, i, j and k are M, N, K and L.
SUBSCRIPTS = [
    "ik,kj->ij",
    "ki, kj -> ij",
    "ik,jk->ij",
    "ik,jk->ji",
    "ki,jk",
    "bik,bkj->bij",
    "bki,bjk->bij",
    "ibk,kbj->jib",
    "bik,kj->bij",
    "i,j->ij",
    "i,j->ji",
    "ik,k->i",
    "k,kj->j",
    "bk,bk->b",
    "bi,bi->bi",
    "bijk,bik->bj",
    "bik,jik->bj",
    "ki,ki->",
    "k,k",
]
NAMES = {"b": "M", "i": "N", "j": "K", "k": "L"}


def letters(subscripts: str) -> tuple[str, str, str]:
    operands, arrow, result = subscripts.replace(" ", "").partition("->")
    lhs, rhs = operands.split(",")
    implied = "".join(sorted(letter for letter in lhs + rhs if (lhs + rhs).count(letter) == 1))
    return lhs, rhs, result if arrow else implied


@pytest.mark.parametrize("dtype", ["FP32", "INT32"])
@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
def test_einsum(subscripts, dtype, tmp_path):
    lhs, rhs, result = letters(subscripts)
    shape = {name: ", ".join(NAMES[letter] for letter in part) for name, part in zip("abc", (lhs, rhs, result))}
    text = f"""
    def k(a: pl.Tensor[[{shape["a"]}], pl.{dtype}], b: pl.Tensor[[{shape["b"]}], pl.{dtype}],
          c: pl.Out[pl.Tensor[[{shape["c"] or 1}], pl.{dtype}]]):
        c[:] = pl.einsum("{subscripts}", a, b)
    """
    rng = np.random.default_rng(5)
    for sizes in SIZES:
        of = dict(zip("bijk", sizes))
        a, b = (
            rng.integers(-4, 5, [of[letter] for letter in part]).astype(np.float32 if dtype == "FP32" else np.int32)
            for part in (lhs, rhs)
        )
        wanted = np.einsum(subscripts, a, b)
        c = np.zeros([of[letter] for letter in result] or [1], a.dtype)
        got = run_kernel(text, tmp_path, a=a, b=b, c=c)["c"]
        np.testing.assert_array_equal(got, np.reshape(wanted, c.shape), err_msg=str(sizes))


@pytest.mark.parametrize(
    "subscripts, message",
    [
        ("ij,jk,kl->il", "the subscripts of 'einsum' are letters, got ','"),
        ("ii,ij->ij", "the letter 'i' stands twice for axes of one tile"),
        ("ij,kj->i", "the letter 'k' is in one operand and not in the result; sum that axis with pl.sum first"),
        ("ij,jk->iz", "is in one operand and not in the result"),
        ("ij,ij->ijz", "the letter 'z' of the result is in neither operand"),
        ("ijk,kl->ijl", "'ijk' names 3 axes, got a tile"),
        ("...i,ij->j", "the subscripts of 'einsum' are letters"),
        ("ij", "'' names 0 axes, got a tile"),
    ],
)
def test_mistakes_are_named(subscripts, message, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[4, 4], pl.FP32], y: pl.Out[pl.Tensor[[4, 4], pl.FP32]]):
        y[:] = pl.einsum("{subscripts}", x, x)
    """
    path = write_kernel(text, tmp_path)
    with pytest.raises(KernelError, match=message):
        Kernel(path)(np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32))
