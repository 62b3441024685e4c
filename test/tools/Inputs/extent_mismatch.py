# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def windows(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    for i in pl.range(0, M, 8):
        z[i : i + 8] = x[i : i + 8] + y[i : i + 8]
        z[i : i + 8] = x[i : i + 8] * z[i : i + 8]


@pl.jit
def accumulated(x: pl.Tensor[[M], pl.FP32], z: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    total = pl.full([8], dtype=pl.FP32, value=0.0)
    for i in pl.range(0, M, 8):
        # The last block cuts the sums of all the others.
        total = total + x[i : i + 8]
    z[0:8] = total


@pl.jit
def kept(x: pl.Tensor[[M], pl.FP32], z: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    total = pl.full([8], dtype=pl.FP32, value=0.0)
    for i in pl.range(0, M, 8):
        total += x[i : i + 8]
    z[0:8] = total


@pl.jit
def rows(x: pl.Tensor[[M, N], pl.FP32], z: pl.InOut[pl.Tensor[[M, 1], pl.FP32]]):
    for i in pl.range(0, M, 8):
        total = pl.full([8, 1], dtype=pl.FP32, value=0.0)
        for j in pl.range(0, N, 16):
            total = total + pl.row_sum(x[i : i + 8, j : j + 16])
        z[i : i + 8, :] = total


@pl.jit
def copied(x: pl.Tensor[[16, 16], pl.FP32], z: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    acc = pl.full([64, 64], dtype=pl.FP32, value=0.0)
    w = pl.slice(acc, [16, 16], [0, 0])
    w = pl.matmul_acc(w, x, x)
    _ = pl.exp(acc)
    z[:, :] = acc


@pl.jit
def narrowed(x: pl.Tensor[[M, N], pl.FP32], i: pl.INDEX, z: pl.Out[pl.Tensor[[8, 8], pl.FP32]]):
    t = x[i : i + 8, i : i + 8]
    z[0:5, 0:7] = t + pl.set_validshape(t, 5, 7)


@pl.jit
def continued(x: pl.Tensor[[M, N], pl.FP32], z: pl.InOut[pl.Tensor[[M, 8], pl.FP32]]):
    total = pl.create_tensor([M, 8], dtype=pl.FP32)
    for k in pl.range(0, N, 8):
        if k == 0:
            total = x[:, 0:8] + 0.0
        else:
            total += x[:, k : k + 8]
    z[:, :] = total


@pl.jit
def squared(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Tensor[[N, 8], pl.FP32], z: pl.InOut[pl.Tensor[[16, 8], pl.FP32]]):
    tmp = pl.create_tile([16, 1], dtype=pl.FP32)
    r = x[0:16, :] * y[0:16, :]
    s = r * r + pl.row_max(r, tmp)
    z = pl.assemble(z, pl.exp(s) / r, [0, 0], atomic=pl.AtomicType.Add)
