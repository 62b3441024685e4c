// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class TypesMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(TypesMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"IntegerDivision",
     R"(    n = M / 2
    out[:] = x
)",
     R"(8:11: error: '/' of integers gives no integer; write // for the rounded quotient, or pl.cast to a float first
)"},
    {"FloatWithIntegerTile",
     R"(    i = pl.full([8], pl.INT32, 1)
    j = i * 1.5
    out[:] = x
)",
     R"(9:11: error: cannot combine the float 1.5 with elements of INT32; write pl.cast on one of them
)"},
    {"IntegersWithEightBitFloats",
     R"(    i = pl.full([8], pl.INT32, 1)
    j = pl.full([8], pl.FP8E5M2, 1.0) + i
    out[:] = x
)",
     R"(9:39: error: cannot combine a tile [8] of INT32 with elements of FP8E5M2; write pl.cast on one of them
)"},
    {"OtherDtypeThanDeclared",
     R"(    t: pl.Tile[[8], pl.FP16] = pl.full([8], pl.FP32, 1.0)
    out[:] = x
)",
     R"(8:21: error: 't' is declared as FP16 and is a tile [8] of FP32
)"},
    {"OtherExtentThanDeclared",
     R"(    t: pl.Tile[[4, 8], pl.FP32] = pl.full([4, 16], pl.FP32, 1.0)
    u: pl.Tile[[M, 8], pl.FP32] = pl.full([8], pl.FP32, 1.0)
    v: pl.Tensor[[16], pl.FP32] = pl.full([1, 16], pl.FP32, 1.0)
    out[:] = x
)",
     R"(8:20: error: 't' is declared with an extent of 8 here and is a tile [4, 16] of FP32
9:16: error: 'u' is declared with 2 axes and is a tile [8] of FP32
)"},
    {"NumberDeclaredAsTile",
     R"(    t: pl.Tile[[8], pl.FP32] = pl.read(x, [0, 0])
    n: pl.Scalar[pl.FP32] = M
    out[:] = x
)",
     R"(8:8: error: 't' is declared as pl.Tile and is an FP32 scalar
9:18: error: 'n' is declared as FP32 and is an INDEX scalar
)"},
    {"TileDeclaredAsScalar",
     R"(    t: pl.Scalar[pl.FP32] = pl.full([8], pl.FP32, 1.0)
    u: pl.FP32 = pl.full([8], pl.FP32, 1.0)
    v: int = x + 1.0
    w: pl.INT32 = x[0, 0]
    out[:] = x
)",
     R"(8:8: error: 't' is declared as pl.Scalar and is a tile [8] of FP32
9:8: error: 'u' is declared as pl.FP32, a scalar of that dtype, and is a tile [8] of FP32
10:8: error: 'v' is declared as int and is a tile [?, 128] of FP32
11:8: error: 'w' is declared as INT32 and is an FP32 scalar
)"},
    {"SymbolsSwapped",
     R"(@pl.jit
def k(x: pl.Tensor[[M, K], pl.FP32], out: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
    t: pl.Tile[[K, M], pl.FP32] = x + 1.0
    u: pl.Tile[[M, K], pl.FP32] = x + 1.0
    out[:] = t + u
)",
     R"(8:17: error: 't' is declared with an extent of K here and has M
8:20: error: 't' is declared with an extent of M here and has K
)"},
    {"DeclaredAsNothing",
     R"(    t: 3 = x + 1.0
    u: pl.Out = x + 1.0
    v: pl.Level[[8], pl.FP32] = x + 1.0
    w: tuple[pl.Tile, pl.Tile] = x + 1.0
    out[:] = x
)",
     R"(8:8: error: expected pl.Tile, pl.Tensor, pl.Scalar or a dtype as the type of 't', got the integer 3
9:8: error: expected pl.Tile, pl.Tensor, pl.Scalar or a dtype as the type of 'u', got 'pl.Out'
10:8: error: expected pl.Tile, pl.Tensor or pl.Scalar as the type of 'v', got 'pl.Level'
11:8: error: 'w' is declared as a tuple of 2 and is a tile [?, 128] of FP32
)"},
    {"OperandThatIsNone",
     R"(    t = pl.lrelu(x, "a")
    u = pl.adds(x, None)
    out[:] = x
)",
     R"(8:21: error: 'slope' of 'lrelu' is a tensor, a tile or a number, got the string 'a'
9:20: error: 'rhs' of 'adds' is a tensor, a tile or a number, got None
)"},
    {"ConstantBeyondFourBits",
     R"(    i = pl.full([8], pl.INT4, 8)
    out[:] = x
)",
     R"(8:31: error: 8 does not fit INT4
)"},
    {"ConstantBeyondTheFloatWithoutInfinity",
     R"(    i = pl.full([8], pl.FP8E4M3FN, 500.0)
    out[:] = x
)",
     R"(8:36: error: the float 500.0 does not fit FP8E4M3FN, whose largest value is 448
)"},
    {"ExpOfIntegersCompared",
     R"(    i = pl.full([8], pl.INT32, 1)
    j = pl.exp(i > 0)
    out[:] = x
)",
     R"(9:9: error: 'exp' takes floats, got a tile [8] of INT32
)"},
    {"ExpOfIntegers",
     R"(    i = pl.full([8], pl.INT32, 1)
    j = pl.exp(i)
    out[:] = x
)",
     R"(9:9: error: 'exp' takes floats, got a tile [8] of INT32
)"},
    {"AddTuple",
     R"(    y = x + (1, 2)
    out[:] = x
)",
     R"(8:11: error: cannot apply '+' to a tuple of 2
)"},
    {"AddNone",
     R"(    y = x + None
    out[:] = x
)",
     R"(8:11: error: cannot apply '+' to None
)"},
    {"BitsOfFloats",
     R"(    y = x & 3
    out[:] = x
)",
     R"(8:11: error: '&' takes integers or booleans, got a tile [?, 128] of FP32
)"},
    {"DivisionByZero",
     R"(    n = 4 // 0
    out[:] = x
)",
     R"(8:11: error: division by zero
)"},
    {"IndexModuloZero",
     R"(    n = M % 0
    out[:] = x
)",
     R"(8:11: error: division by zero
)"},
    {"Overflow",
     R"(    n = 2 ** 80
    out[:] = x
)",
     R"(8:11: error: the result does not fit 64 bits
)"},
    {"HugeLiteral",
     R"(    n = 99999999999999999999
    out[:] = x
)",
     R"(8:9: error: the integer 99999999999999999999 does not fit 64 bits
)"},
    {"TileCondition",
     R"(    if x > 0.0:
        out[:] = x
)",
     R"(8:8: error: a tile [?, 128] of BOOL has no single truth value; reduce it, or use pl.select to choose elements
)"},
    {"AndOfTiles",
     R"(    m = (x > 0.0) and (x < 1.0)
    out[:] = x
)",
     R"(8:9: error: 'and' takes scalars, got a tile [?, 128] of BOOL; use & for elements
)"},
    {"ChainedTiles",
     R"(    m = 0.0 < x < 1.0
    out[:] = x
)",
     R"(8:13: error: comparisons of tiles cannot be chained; combine them with &
)"},
    {"MaskIsNotBool",
     R"(    out[:] = pl.select(x, x, x)
)",
     R"(8:14: error: the mask of 'select' must hold BOOL, got FP32; compare it with something
)"},
    {"BadCastMode",
     R"(    out[:] = pl.cast(x, pl.FP32, mode="up")
)",
     R"(8:39: error: a mode is 'none', 'rint', 'round', 'floor', 'ceil', 'trunc', 'odd' or 0 to 6, got the string 'up'
)"},
    {"OddCastWidens",
     R"(    y = pl.cast(x, pl.FP64, mode="odd")
    out[:] = x
)",
     R"(8:9: error: mode 'odd' is for casts to a narrower float, got FP32 to FP64
)"},
    {"CastToNonDtype",
     R"(    out[:] = pl.cast(x, 32)
)",
     R"(8:25: error: expected a dtype such as pl.FP32, got the integer 32
)"},
    {"UnknownSaturation",
     R"(    y = pl.cast(x, pl.FP16, saturation_mode="some")
    out[:] = x
)",
     R"(8:45: error: 'saturation_mode' is 'on', 'off', 1 or 0, got the string 'some'
)"},
    {"UnknownGatherMode",
     R"(    y = pl.mgather(x, pl.arange(0, [1, 4]), gather_oob=4)
    out[:] = x
)",
     R"(8:56: error: 'gather_oob' is "undefined", which makes an index out of range an error, "clamp", "wrap", "zero" or 0 to 3, got the integer 4
)"},
    {"ScaledScalar",
     R"(    pl.store(1.0, [0, 0], out, pre_quant=0.5)
)",
     R"(8:5: error: 'pre_quant' and 'pre_relu' are for tiles, got the float 1.0
)"},
    {"FloatBound",
     R"(    for i in range(2.5):
        pass
    out[:] = x
)",
     R"(8:20: error: range() takes integers, got the float 2.5
)"},
    {"MinOfTiles",
     R"(    out[:] = min(x, x)
)",
     R"(8:14: error: min() takes scalars; use pl.minimum for elements
)"},
    {"PlMaxOfTiles",
     R"(    out[:] = pl.max(x, x)
)",
     R"(8:14: error: 'max' takes two scalars, or a tile and an axis; use pl.maximum for elements
)"},
    {"CopyToTile",
     R"(    out[:] = x
    pl.copy(x + 1.0, x)
)",
     R"(9:5: error: 'copy' writes to a tensor, got a tile [?, 128] of FP32
)"},
    {"ShiftTooLarge",
     R"(    out[:] = x
    n = M << 70
)",
     R"(9:11: error: an INDEX is shifted by 0 to 62 bits, got the integer 70
)"},
    {"OddRuns",
     R"(    out[:] = pl.mrgsort(x, block_len=7)
)",
     R"(8:38: error: block_len counts columns, two for each pair: an even integer, got the integer 7
)"},
    {"PadWithoutMeaning",
     R"(    out[:] = pl.fillpad(x, mode="odd")
)",
     R"(8:33: error: a pad is pl.PadValue.zero, pl.PadValue.max, pl.PadValue.min or a number, got the string 'odd'
)"},
    {"BuiltinMissingArgument",
     R"(    out[:] = pl.exp()
)",
     R"(8:14: error: exp() missing required argument 'x'
)"},
    {"BuiltinTooManyArguments",
     R"(    out[:] = pl.dim(x, 0, 1)
)",
     R"(8:14: error: dim() takes 2 positional arguments but 3 were given
)"},
    {"BuiltinUnknownKeyword",
     R"(    out[:] = pl.row_sum(x, axes=1)
)",
     R"(8:33: error: row_sum() got an unexpected keyword argument 'axes'
)"},
    {"BuiltinTwice",
     R"(    n = pl.dim(x, x=x)
    out[:] = x
)",
     R"(8:21: error: dim() got multiple values for argument 'x'
)"},
    {"AssertFalse",
     R"(    assert T == 32, "T must be 32"
    out[:] = x
)",
     R"(8:12: error: assertion failed: T must be 32
)"},
    {"AssertTile",
     R"(    assert x > 3.0
    out[:] = x
)",
     R"(8:12: error: an assertion takes a scalar condition, got a tile [?, 128] of BOOL; write pl.assert_(condition, "text"), which looks at every element while the kernel runs
)"},
    {"ConditionalKinds",
     R"(    y = x if M > 3 else 1.0
    out[:] = y
)",
     R"(8:9: error: the two values of a conditional expression must be alike
8:9: note: assigned here
8:25: note: and here
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, TypesMistakes, testing::ValuesIn(mistakes),
                         nameOf);
