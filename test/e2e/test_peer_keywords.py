# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every name that kernels give a parameter means the same parameter."""

import numpy as np
import pytest
from kernel_text import run_kernel

UNARY = ["exp", "sqrt", "neg", "abs", "recip", "log", "sin", "cos", "rsqrt", "relu"]
ROWS = ["row_sum", "row_max", "row_min", "row_prod", "col_sum", "col_max", "col_min", "col_prod"]
INDICES = ["row_argmax", "row_argmin", "col_argmax", "col_argmin"]
EXPANDS = ["", "_add", "_sub", "_mul", "_div", "_max", "_min", "_expdif"]

# What is written, and the same with the names of this language or by position.
SAME = (
    [(f"pl.{f}({k}=t)", f"pl.{f}(t)") for f in UNARY + ROWS for k in ("tile", "tensor", "input")]
    + [(f"pl.cast(pl.{f}({k}=t), pl.FP32)", f"pl.cast(pl.{f}(t), pl.FP32)") for f in INDICES for k in ("tile", "input")]
    + [(f"pl.row_expand{f}(tile=t, row_vec=c)", f"pl.row_expand{f}(t, c)") for f in EXPANDS]
    + [(f"pl.row_expand{f}(lhs=t, rhs=c)", f"pl.row_expand{f}(t, c)") for f in EXPANDS]
    + [(f"pl.col_expand{f}(tensor=t, col_vec=r)", f"pl.col_expand{f}(t, r)") for f in EXPANDS]
    + [(f"pl.col_expand{f}(lhs=t, rhs=r)", f"pl.col_expand{f}(t, r)") for f in EXPANDS]
    + [(f"pl.part_{f}(src0=t, src1=u)", f"pl.part_{f}(t, u)") for f in ("add", "mul", "max", "min")]
    + [
        ("pl.row_expand(target=t, row_vec=c)", "pl.row_expand(t, c)"),
        ("pl.cast(tile=t, target_type=pl.FP32, mode='rint', tmp=u)", "t"),
        ("pl.matmul(lhs=t, rhs=w)", "t @ w"),
        ("pl.matmul_acc(acc=p, lhs=t, rhs=w)", "pl.matmul_acc(p, t, w)"),
        ("pl.matmul_bias(lhs=t, rhs=w, bias=s)", "pl.matmul_bias(t, w, s)"),
        ("pl.batch_matmul(lhs=t, rhs=w)", "t @ w"),
        ("pl.batch_matmul_acc(acc=p, lhs=t, rhs=w)", "pl.matmul_acc(p, t, w)"),
        ("pl.gemv(lhs=r, rhs=w)", "pl.gemv(r, w)"),
        ("pl.gemv_acc(acc=s, lhs=r, rhs=w, init_cond=False)", "pl.gemv_acc(s, r, w)"),
        ("pl.gemv_acc(acc=s, lhs=r, rhs=w, init_cond=True)", "pl.gemv(r, w)"),
        ("pl.gemv_bias(lhs=r, rhs=w, bias=s)", "pl.gemv_bias(r, w, s)"),
        ("pl.set_validshape(tile=t, valid_rows=3, valid_cols=5)", "pl.set_validshape(t, 3, 5)"),
        ("t * pl.read(src=t, offset=[1, 2])", "t * t[1, 2]"),
        ("t * pl.read(tile=t, indices=[1, 2])", "t * t[1, 2]"),
        ("t * pl.cast(pl.dim(tensor=x, axis=0), pl.FP32)", "t * 16.0"),
        ("t + pl.no_dep(tensor=x)", "t + x"),
        ("pl.slice(tile=t, shape=[4, 4], offset=[1, 2])", "t[1:5, 2:6]"),
        ("pl.reshape(input=t, shape=[32, 16])", "pl.reshape(t, [32, 16])"),
        ("pl.transpose(tensor=t, axis1=0, axis2=1, tmp_tile=u)", "pl.transpose(t, 0, 1)"),
        ("pl.fillpad(value=t, pad_value=0)", "t"),
        ("pl.fillpad_expand(value=t, shape=[16, 32], pad_value=0)", "t"),
        ("pl.fmod(t, u, high_precision=True)", "pl.fmod(t, u)"),
        ("pl.rem(t, u, tmp=t, high_precision=True)", "t % u"),
        ("pl.pow(t, u, t, high_precision=True)", "pl.pow(t, u)"),
        ("pl.pows(t, 2.0, t)", "pl.pow(t, 2.0)"),
        ("pl.sels(t > 0.5, src=t, tmp=u, scalar=2.0)", "pl.select(t > 0.5, t, 2.0)"),
        (
            "pl.gather_row(dst=t, src=x, dst_offset=[0, 0], src_offset=[1, 0], shapes=[1, 32])",
            "pl.gather_row(t, x, [0, 0], [1, 0], [1, 32])",
        ),
        ("pl.gather(src=t, indices=i, tmp=i)", "pl.gather(t, i)"),
        ("pl.scatter(dst=t, src=u, indexes=i)", "pl.scatter(t, u, i)"),
        ("pl.cast(pl.arange(0, [1, 32], tmp=i), pl.FP32)", "pl.cast(pl.arange(0, [1, 32]), pl.FP32)"),
        ("pl.load(x, [0, 0], [16, 32], cache=pl.CachePolicy.BYPASS)", "t"),
        ("pl.create_tile([16, 32], pl.FP32, compact=False) + t", "t"),
        ("pl.sum(t)", "pl.sum(t, axis=(0, 1))"),
        ("pl.max(t)", "pl.max(t, axis=(0, 1))"),
        ("pl.min(t, keepdims=True)", "pl.min(t, axis=(0, 1))"),
        ("pl.mins(pl.maxs(t, 0.25), 0.75)", "pl.clip(t, 0.25, 0.75)"),
    ]
)


@pytest.mark.parametrize("call, meant", SAME)
def test_a_name_of_a_parameter(call, meant, tmp_path):
    text = f"""
def k(x: pl.Tensor[[16, 32], pl.FP32], f: pl.Tensor[[32, 16], pl.FP32], j: pl.Tensor[[16, 32], pl.INT32],
      y: pl.InOut[pl.Tensor[[32, 32], pl.FP32]], z: pl.InOut[pl.Tensor[[32, 32], pl.FP32]]):
    t = pl.load(x, [0, 0], [16, 32])
    u = t * 0.5 + 0.25
    w = pl.load(f, [0, 0], [32, 16])
    i = pl.load(j, [0, 0], [16, 32])
    p = u @ w
    r = pl.col_max(u)
    c = pl.row_max(u)
    s = pl.col_sum(p)
    pl.store({call}, [0, 0], y)
    pl.store({meant}, [0, 0], z)
"""
    rng = np.random.default_rng(3)
    results = run_kernel(
        text,
        tmp_path,
        x=rng.uniform(0.1, 1, (16, 32)).astype(np.float32),
        f=rng.uniform(0.1, 1, (32, 16)).astype(np.float32),
        j=rng.permutation(512).reshape(16, 32).astype(np.int32),
        y=np.full((32, 32), -7, np.float32),
        z=np.full((32, 32), -7, np.float32),
    )
    np.testing.assert_array_equal(results["y"], results["z"])
    assert (results["y"] != -7).any()
