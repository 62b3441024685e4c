// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class OutputsMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(OutputsMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"OutNeverWritten",
     R"(    y = x + 1.0
)",
     R"(7:40: error: 'out' is declared pl.Out but never written; write out[:] = ...
)"},
    {"OutReadFirst",
     R"(    y = out + 1.0
    out[:] = y
)",
     R"(8:13: error: 'out' is read before anything is written to it; declare it pl.InOut if the caller provides its contents
)"},
    {"OutAugmentedFirst",
     R"(    out[0:8] += x[0:8]
)",
     R"(8:14: error: 'out' is read before anything is written to it; declare it pl.InOut if the caller provides its contents
)"},
    {"OutRebound",
     R"(    out[:] = x
    out = x + 1.0
)",
     R"(9:5: error: 'out = ...' gives the name another meaning and writes nothing; write out[:] = ...
)"},
    {"OutReboundInALoop",
     R"(    for i in pl.range(M):
        out = x + 1.0
)",
     R"(9:9: error: 'out = ...' gives the name another meaning and writes nothing; write out[:] = ...
)"},
    {"OutReboundToATensor",
     R"(    out = x
)",
     R"(8:5: error: 'out = ...' gives the name another meaning and writes nothing; write out[:] = ...
)"},
    {"ReturnString",
     R"(    out[:] = x
    return "done"
)",
     R"(9:5: error: a kernel returns tensors, tiles and numbers, or one tuple of them, got the string 'done'
)"},
    {"ReturnNestedTuple",
     R"(    out[:] = x
    return out, (x, out)
)",
     R"(9:5: error: a kernel returns tensors, tiles and numbers, or one tuple of them, got a tuple of 2
)"},
    {"ReturnSizeOfData",
     R"(    out[:] = x
    n = pl.cast(x[0, 0], pl.INDEX)
    return x[0:n, :]
)",
     R"(10:5: error: axis 0 of the result is not an expression of the sizes and numbers of the call; write it to a pl.Out parameter instead
)"},
    {"StoreWrongDtype",
     R"(    out[:] = pl.cast(x, pl.FP16)
)",
     R"(8:5: error: cannot store a tile [?, 128] of FP16 in a tensor of FP32; write pl.cast(value, pl.FP32)
)"},
    {"WriteWrongDtype",
     R"(    out[0, 0] = pl.cast(x[0, 0], pl.FP16)
)",
     R"(8:5: error: cannot store an FP16 scalar in a tensor of FP32; write pl.cast(value, pl.FP32)
)"},
    {"StoreFloatInInteger",
     R"(@pl.jit
def k(out: pl.Out[pl.Tensor[[M], pl.INT32]]):
    out[:] = 1.5
)",
     R"(8:5: error: expected an integer for INT32, got the float 1.5; cast the other operand to a float
)"},
    {"StoreTooLarge",
     R"(@pl.jit
def k(out: pl.Out[pl.Tensor[[M], pl.INT8]]):
    out[:] = 300
)",
     R"(8:5: error: 300 does not fit INT8
)"},
    {"StoreWrongShape",
     R"(    out[0:8, 0:64] = pl.full([8, 32], pl.FP32, 0.0)
)",
     R"(8:5: error: a tile [8, 32] of FP32 does not fit a tensor [upto 8, 64] of FP32
)"},
    {"StoreTooManyAxes",
     R"(@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[128], pl.FP32]]):
    out[:] = x
)",
     R"(8:5: error: a tile [?, 128] of FP32 does not fit a tensor [128] of FP32
)"},
    {"StoreTuple",
     R"(    out[:] = (1, 2)
)",
     R"(8:5: error: cannot store a tuple of 2 in a tensor of FP32
)"},
    {"AtomicStore",
     R"(    pl.store(x[0:8], [0, 0], out, atomic=1)
)",
     R"(8:42: error: 'atomic' is pl.AtomicType.Add, "add" or None, got the integer 1
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, OutputsMistakes, testing::ValuesIn(mistakes),
                         nameOf);
