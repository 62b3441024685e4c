// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class FlowMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(FlowMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"MaybeUndefined",
     R"(    if M > 3:
        y = 1.0
    out[:] = x * y
)",
     R"(10:18: error: 'y' may be undefined: it is assigned in one branch only
9:9: note: assigned here
)"},
    {"LoopVariableAfter",
     R"(    for i in range(M):
        pass
    out[:] = x * i
)",
     R"(10:18: error: the loop variable 'i' has no value after its loop
8:5: note: the loop
)"},
    {"BranchesDisagree",
     R"(    if M > 3:
        y = 1.0
    else:
        y = x
    out[:] = x * y
)",
     R"(12:18: error: 'y' is the float 1.0 in one branch and a tensor [?, 128] of FP32 in the other
9:9: note: assigned here
11:9: note: and here
)"},
    {"MistakeGoesAround",
     R"(    mean = nothing
    t = x + 1.0
    for i in range(M):
        t = t + mean
    out[:] = t
)",
     R"(8:12: error: name 'nothing' is not defined
)"},
    {"MistakeGoesAroundInTuple",
     R"(    mean = nothing
    t = (x + 1.0, x)
    for i in range(M):
        t = (t[0] + mean, x)
        if i > 2:
            t = mean
    out[:] = t[0]
)",
     R"(8:12: error: name 'nothing' is not defined
)"},
    {"MistakeInBranch",
     R"(    mean = nothing
    t = x + 1.0
    if M > 3:
        t = t + mean
    out[:] = t
)",
     R"(8:12: error: name 'nothing' is not defined
)"},
    {"LoopChangesKind",
     R"(    y = 1.0
    for i in range(M):
        y = x * y
    out[:] = y
)",
     R"(10:17: error: 'y' is the float 1.0 before the loop and a tile [?, 128] of FP32 at the end of its body; what goes around a loop keeps its kind, dtype and rank
8:5: note: assigned here
10:9: note: and here
)"},
    {"LoopChangesDtype",
     R"(    y = x[0, 0]
    for i in range(M):
        y = pl.cast(y, pl.FP64) * 2.0
    out[:] = x * y
)",
     R"(10:21: error: 'y' is an FP32 scalar before the loop and an FP64 scalar at the end of its body; what goes around a loop keeps its kind, dtype and rank
8:5: note: assigned here
10:9: note: and here
)"},
    {"LoopChangesRank",
     R"(    y = pl.full([8], pl.FP32, 0.0)
    for i in range(M):
        y = pl.full([8, 1], pl.FP32, 0.0) + y
    out[:] = x
)",
     R"(10:45: error: 'y' is a tile [8] of FP32 before the loop and a tile [8, 8] of FP32 at the end of its body; what goes around a loop keeps its kind, dtype and rank
8:5: note: assigned here
10:9: note: and here
)"},
    {"BreakParallel",
     R"(    for i in pl.parallel(M):
        out[i] = x[i]
        break
)",
     R"(10:9: error: 'break' cannot stop the other iterations of pl.parallel; use pl.range
8:5: note: the loop
)"},
    {"IndependentCarry",
     R"(    s = 0
    for i in pl.parallel(M, independent=True):
        s += 1
        out[i] = x[i] + s
)",
     R"(9:5: error: 's' goes from one iteration to the next, so they are not independent; write to a tensor instead
)"},
    {"IndependentValues",
     R"(    for i, (s,) in pl.parallel(M, init_values=(0,), independent=True):
        s = pl.yield_(s + 1)
)",
     R"(8:5: error: init_values go from one iteration to the next, so they are not independent; write to a tensor instead
)"},
    {"IndependentNumber",
     R"(    for i in pl.parallel(M, independent=M):
        out[i] = x[i]
)",
     R"(8:41: error: parallel() takes True or False for 'independent', got an INDEX scalar
)"},
    {"IndependentRange",
     R"(    for i in pl.range(M, independent=True):
        out[i] = x[i]
)",
     R"(8:38: error: range() got an unexpected keyword argument 'independent'
)"},
    {"BreakOutside",
     R"(    out[:] = x
    break
)",
     R"(9:5: error: 'break' outside a loop
)"},
    {"LoopElse",
     R"(    for i in range(M):
        out[i] = x[i]
    else:
        pass
)",
     R"(8:5: error: 'else' of a loop is not supported; use a flag set by the loop
)"},
    {"IterateTensor",
     R"(    for row in x:
        out[:] = row
)",
     R"(8:16: error: a 'for' runs over range, pl.range, pl.parallel or pl.unroll, got a tensor [?, 128] of FP32
)"},
    {"UnrollRuntime",
     R"(    for i in pl.unroll(M):
        out[i] = x[i]
)",
     R"(8:5: error: the bounds of unroll() must be known at compile time; use pl.range
)"},
    {"UnrollTooMuch",
     R"(    for i in pl.unroll(100000):
        out[i] = x[i]
)",
     R"(8:5: error: unroll() makes more than 4096 copies of the body; use pl.range
)"},
    {"ZeroStep",
     R"(    for i in range(0, 8, 0):
        out[i] = x[i]
)",
     R"(8:26: error: the step of range() must not be zero
)"},
    {"RangeArguments",
     R"(    for i in range():
        pass
    out[:] = x
)",
     R"(8:14: error: range() takes 1 to 3 arguments, got 0
)"},
    {"WithSomethingElse",
     R"(    with open('f'):
        out[:] = x
)",
     R"(8:10: error: name 'open' is not defined
)"},
    {"AtWithoutLevel",
     R"(    with pl.at(level=3):
        out[:] = x
)",
     R"(8:22: error: the level of pl.at must be one of pl.Level, such as pl.Level.CORE_GROUP
)"},
    {"Try",
     R"(    try:
        out[:] = x
    except ValueError:
        pass
)",
     R"(8:5: error: 'try' is not part of the kernel language; kernels have no exceptions; check with 'if'
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, FlowMistakes, testing::ValuesIn(mistakes),
                         nameOf);
