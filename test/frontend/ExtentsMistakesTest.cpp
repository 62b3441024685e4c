// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class ExtentsMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ExtentsMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"SymbolLostByDivision",
     R"(@pl.jit
def k(x: pl.Tensor[[M // 2], pl.FP32], out: pl.Out[pl.Tensor[[M // 2], pl.FP32]]):
    out[:] = x
)",
     R"(7:21: error: M cannot be found from M // 2; give a tensor whose axis is M
3:5: note: declared here
)"},
    {"SymbolLostByMinimum",
     R"(@pl.jit
def k(x: pl.Tensor[[min(M, 64)], pl.FP32], out: pl.Out[pl.Tensor[[64], pl.FP32]]):
    out[:] = 1.0
)",
     R"(7:21: error: M cannot be found from min(M, 64); give a tensor whose axis is M
3:5: note: declared here
)"},
    {"TwoUnknownsInOneProduct",
     R"(@pl.jit
def k(x: pl.Tensor[[M * K], pl.FP32], out: pl.Out[pl.Tensor[[M * K], pl.FP32]]):
    out[:] = x
)",
     R"(7:21: error: M cannot be found from M * K; give a tensor whose axis is M
3:5: note: declared here
)"},
    {"SymbolTwiceInOneExpression",
     R"(@pl.jit
def k(x: pl.Tensor[[M * M], pl.FP32], out: pl.Out[pl.Tensor[[M * M], pl.FP32]]):
    out[:] = x
)",
     R"(7:21: error: M cannot be found from M * M; give a tensor whose axis is M
3:5: note: declared here
)"},
    {"TrueDivision",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M / 2], pl.FP32]]):
    out[:] = x
)",
     R"(7:58: error: an extent is an integer; write // for '/'
)"},
    {"PowerOfASymbol",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M ** 2], pl.FP32]]):
    out[:] = x
)",
     R"(7:58: error: cannot apply '**' to the symbol M and the integer 2; extents have + - * // % min and max
)"},
    {"DivisionByZero",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M // 0], pl.FP32]]):
    out[:] = x
)",
     R"(7:58: error: an extent can only be divided by a positive number, got 0
)"},
    {"AssumptionThatNeverHolds",
     R"(    pl.assume(M < 0)
    out[:] = x
)",
     R"(8:15: error: M < 0 does not hold for any sizes
)"},
    {"ContradictingAssumptions",
     R"(    pl.assume(M % 16 == 0)
    assert M % 16 == 1
    out[:] = x
)",
     R"(9:12: error: M % 16 == 1 does not hold for any sizes
)"},
    {"AssumeTakesOneCondition",
     R"(    pl.assume(M > 0, M < 10)
    out[:] = x
)",
     R"(8:5: error: pl.assume takes one condition, such as M % 16 == 0
)"},
    {"ConstantAssumption",
     R"(    pl.assume(T == 7)
    out[:] = x
)",
     R"(8:15: error: assertion failed
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, ExtentsMistakes, testing::ValuesIn(mistakes),
                         nameOf);
