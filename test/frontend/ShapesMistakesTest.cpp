// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class ShapesMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ShapesMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"ExactExtentsDiffer",
     R"(    a = pl.full([8, 64], pl.FP32, 0.0)
    b = pl.full([8, 32], pl.FP32, 0.0)
    out[0:8, 0:64] = a + b
)",
     R"(10:24: error: the extents of axis 1 differ: 64 and 32
)"},
    {"ExtentsNeverEqual",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[M + 1], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x + y
)",
     R"(8:16: error: the extents of axis 0 differ: M and M + 1
7:21: note: M is declared here
7:35: note: M + 1 is declared here
)"},
    {"SymbolNeverThatNumber",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[16], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    pl.assume(M < 16)
    out[:] = x + y
)",
     R"(9:16: error: the extents of axis 0 differ: M and 16
7:21: note: M is declared here
)"},
    {"InnerExtentsDiffer",
     R"(@pl.jit
def k(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Tensor[[32, M], pl.FP32], out: pl.Out[pl.Tensor[[M, M], pl.FP32]]):
    out[:] = x @ y
)",
     R"(8:16: error: the inner extents of a matmul must be equal, got 64 and 32
)"},
    {"MatmulBatches",
     R"(@pl.jit
def k(x: pl.Tensor[[4, 8, 8], pl.FP32], y: pl.Tensor[[3, 8, 8], pl.FP32], out: pl.Out[pl.Tensor[[4, 8, 8], pl.FP32]]):
    out[:] = x @ y
)",
     R"(8:16: error: the extents of axis 0 differ: 4 and 3
)"},
    {"MatmulDtypes",
     R"(    out[:] = pl.cast(x, pl.FP16) @ x
)",
     R"(8:34: error: a matmul takes operands of one dtype, got a tile [?, 128] of FP16 and a tile [?, 128] of FP32; write pl.cast
)"},
    {"MatmulAccumulatorDtype",
     R"(    t = pl.cast(x[0:8], pl.FP16)
    a = pl.full([8, 8], pl.FP16, 0.0)
    a = pl.matmul_acc(a, t, t, b_trans=True)
    out[:] = x
)",
     R"(10:9: error: a matmul of FP16 accumulates in a tile of rank 2 of FP32, got a tile [8, 8] of FP16
)"},
    {"MatmulAccumulatorShape",
     R"(    a = pl.full([8, 8], pl.FP32, 0.0)
    b = pl.full([16, 16], pl.FP32, 0.0)
    c = pl.matmul_acc(a, b, b)
    out[:] = x
)",
     R"(10:9: error: the extents of axis 0 differ: 8 and 16
)"},
    {"MatmulPrecisionOfHalves",
     R"(    t = pl.cast(x[0:8], pl.BF16)
    a = pl.matmul(t, t, b_trans=True, precision="tf32")
    out[:] = x
)",
     R"(9:9: error: precision 'tf32' is for operands of FP32, got a tile [upto 8, 128] of BF16; leave it out, or write pl.cast
)"},
    {"MatmulPrecisionByAnotherName",
     R"(    a = pl.matmul_acc(pl.full([8, 8], pl.FP32, 0.0), x[0:8], x[0:8], b_trans=True, precision="bf16")
    out[:] = x
)",
     R"(8:94: error: 'precision' is 'exact', 'tf32' or 'fp8', got the string 'bf16'
)"},
    {"EinsumPrecisionOfNumbers",
     R"(    a = pl.einsum("ik,jk->ij", x, x, precision=10)
    out[:] = x
)",
     R"(8:48: error: 'precision' is 'exact', 'tf32' or 'fp8', got the integer 10
)"},
    {"MatmulOfBooleans",
     R"(    m = x > 0.0
    y = m @ m
    out[:] = x
)",
     R"(9:11: error: a matmul takes numbers, got a tile [?, 128] of BOOL; write pl.cast
)"},
    {"ConcatDtypes",
     R"(    y = pl.concat(x, pl.cast(x, pl.FP16))
    out[:] = x
)",
     R"(8:9: error: 'concat' joins tiles of one dtype, got a tile [?, 128] of FP32 and a tile [?, 128] of FP16; write pl.cast
)"},
    {"ConcatExtents",
     R"(@pl.jit
def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Tensor[[2 * M + 1, 8], pl.FP32], out: pl.Out[pl.Tensor[[M, 16], pl.FP32]]):
    out[:] = pl.concat(x, y)
)",
     R"(8:14: error: the extents of axis 0 differ: M and 2 * M + 1
7:21: note: M is declared here
7:38: note: 2 * M + 1 is declared here
)"},
    {"ConcatRanks",
     R"(    y = pl.concat(x, x[0])
    out[:] = x
)",
     R"(8:9: error: 'concat' joins tiles of one rank, got a tile [?, 128] of FP32 and a tile [128] of FP32
)"},
    {"AxisOutOfRange",
     R"(    n = pl.tensor.dim(x, 2)
    out[:] = x
)",
     R"(8:26: error: axis 2 is out of range for rank 2
)"},
    {"ShapeIndexOutOfRange",
     R"(    n = x.shape[2]
    out[:] = x
)",
     R"(8:17: error: index 2 is out of range for a tuple of 2
)"},
    {"ReduceAxisOutOfRange",
     R"(    out[:] = pl.sum(x, axis=5)
)",
     R"(8:29: error: axis 5 is out of range for rank 2
)"},
    {"TooManyIndices",
     R"(    out[:] = x[0, 0, 0]
)",
     R"(8:14: error: too many indices: 3 for a tensor [?, 128] of FP32
)"},
    {"BooleanIndex",
     R"(    out[:] = x[True]
)",
     R"(8:16: error: a boolean is a mask and no index, got True; choose elements with pl.where(mask, a, b), or index with an integer
)"},
    {"MaskAsIndex",
     R"(    out[x > 0.0] = 1.0
)",
     R"(8:9: error: a boolean is a mask and no index, got a tile [?, 128] of BOOL; choose elements with pl.where(mask, a, b), or index with an integer
)"},
    {"ConditionAsIndex",
     R"(    out[:] = x[M > 3, :] + x
)",
     R"(8:16: error: a boolean is a mask and no index, got a BOOL scalar; choose elements with pl.where(mask, a, b), or index with an integer
)"},
    {"IndexOutOfRange",
     R"(    out[:] = x[:, 128]
)",
     R"(8:19: error: index 128 is out of range for axis 1 of extent 128
)"},
    {"SliceStep",
     R"(    out[:] = x[::2]
)",
     R"(8:18: error: a slice takes no step; take every element, or loop over them
)"},
    {"FloatIndex",
     R"(    out[0, 0] = x[0.5, 0]
)",
     R"(8:19: error: an index must be an integer, got the float 0.5
)"},
    {"TwoEllipses",
     R"(    out[:] = x[..., ...]
)",
     R"(8:14: error: only one '...' can stand in a subscript
)"},
    {"ReshapeCount",
     R"(    t = pl.full([8, 64], pl.FP32, 0.0)
    u = pl.reshape(t, [8, 32])
    out[:] = x
)",
     R"(9:9: error: cannot reshape a tile [8, 64] of FP32 into a tile [8, 32] of FP32: 512 elements and 256
)"},
    {"ReshapeDynamic",
     R"(    u = pl.reshape(x, [M, 64])
    out[:] = x
)",
     R"(8:9: error: cannot reshape a tensor [?, 128] of FP32 into a tensor [?, 64] of FP32: 128 elements and 64 for each of the others
)"},
    {"StoreShapesOfAnotherRank",
     R"(    pl.store(pl.load(x, [0, 0], [8, 128]), [0, 0], out, [8])
    out[:] = x
)",
     R"(8:5: error: 'shapes' needs 2 entries for a tile [upto 8, 128] of FP32, got 1
)"},
    {"LoadOfMoreAxes",
     R"(    t = pl.load(x, [0, 0], [1, 8, 128])
    out[:] = x
)",
     R"(8:9: error: 'load' needs 2 entries here, one for each axis, got 3
)"},
    {"ViewWithFewOffsets",
     R"(    t = pl.view(x, [1, 128], offset=[0])
    out[:] = x
)",
     R"(8:9: error: 'view' with an offset needs a shape and 2 offsets, one for each axis
)"},
    {"LoadNeedsEntries",
     R"(    t = pl.load(x, [0], [8, 128])
    out[:] = x
)",
     R"(8:20: error: 'load' needs 2 entries here, one for each axis, got 1
)"},
    {"NegativeSize",
     R"(    t = pl.full([-8, 128], pl.FP32, 0.0)
    out[:] = x
)",
     R"(8:17: error: an extent must not be negative, got -8
)"},
    {"UnpackShape",
     R"(    a, b, c = x.shape
    out[:] = x
)",
     R"(8:5: error: cannot unpack 2 values into 3 names
)"},
    {"UnpackScalar",
     R"(    a, b = 3
    out[:] = x
)",
     R"(8:5: error: cannot unpack the integer 3
)"},
    {"RowExpandNeedsColumn",
     R"(    t = x[0:8, 0:64]
    out[0:8, 0:64] = pl.row_expand_mul(t, t)
)",
     R"(9:22: error: 'row_expand_mul' takes a column [M, 1], got a tile [upto 8, 64] of FP32
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, ShapesMistakes, testing::ValuesIn(mistakes),
                         nameOf);
