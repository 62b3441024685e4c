// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class LoopConstructsMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(LoopConstructsMistakes, AreNamedAtTheirLocation) {
  expectMistake(GetParam());
}

static const Mistake mistakes[] = {
    {"NamesWithoutInitValues",
     R"(    for i, (a,) in pl.range(4):
        out[i] = x[i]
)",
     R"(8:9: error: the target of a 'for' must be one name, unless init_values gives the values of others
)"},
    {"InitValuesWithoutNames",
     R"(    for i in pl.range(4, init_values=(1.0,)):
        out[i] = x[i]
)",
     R"(8:9: error: with init_values the target of a 'for' is the loop variable and the names of the values: 'for i, (a, b) in ...'
)"},
    {"InitValuesArity",
     R"(    for i, (a, b) in pl.range(4, init_values=(1.0,)):
        c, d = pl.yield_(a, b)
    out[:] = x
)",
     R"(8:46: error: init_values has 1 value for 2 names
)"},
    {"InitValuesNotATuple",
     R"(    for i, (a,) in pl.range(4, init_values=1.0):
        b = pl.yield_(a)
    out[:] = x
)",
     R"(8:44: error: init_values must be a tuple, got the float 1.0
)"},
    {"YieldArity",
     R"(    for i, (a, b) in pl.range(4, init_values=(1.0, 2.0)):
        c = pl.yield_(a)
    out[:] = x
)",
     R"(9:9: error: pl.yield_ hands on 1 value and the loop carries 2
)"},
    {"BareYield",
     R"(    for i, (a,) in pl.range(4, init_values=(1.0,)):
        pl.yield_()
    out[:] = x
)",
     R"(9:9: error: pl.yield_ hands on 0 values and the loop carries 1
)"},
    {"UnassignedYield",
     R"(    for i, (a,) in pl.range(4, init_values=(1.0,)):
        pl.yield_(a)
    out[:] = x
)",
     R"(9:9: error: assign what pl.yield_ gives: the names on the left hold the values after the loop
)"},
    {"MissingYield",
     R"(    for i, (a,) in pl.range(4, init_values=(1.0,)):
        out[i] = x[i] * a
)",
     R"(8:12: error: 'a' never gets another value; end the body with 'a = pl.yield_(...)'
)"},
    {"YieldInAPlainLoop",
     R"(    for i in pl.range(4):
        a = pl.yield_(i)
    out[:] = x
)",
     R"(9:13: error: pl.yield_ with values belongs at the end of a loop with init_values, or of every branch of an 'if'
)"},
    {"YieldInOneBranch",
     R"(    if M > 3:
        a = pl.yield_(1.0)
    else:
        a = 2.0
    out[:] = x * a
)",
     R"(9:9: error: one branch ends with pl.yield_ and another one does not
)"},
    {"YieldsOfBranchesDiffer",
     R"(    if M > 3:
        a = pl.yield_(1.0)
    else:
        a = pl.yield_(2.0, 3.0)
    out[:] = x * a
)",
     R"(9:9: error: pl.yield_ gives 1 value in one branch and 2 in another
)"},
    {"CarryChangesType",
     R"(    for i, (a,) in pl.range(4, init_values=(1.0,)):
        b = pl.yield_(x * a)
    out[:] = x
)",
     R"(9:27: error: 'a' is the float 1.0 before the loop and a tile [?, 128] of FP32 at the end of its body; what goes around a loop keeps its kind, dtype and rank
8:44: note: assigned here
9:23: note: and here
)"},
    {"CarryAfterTheLoop",
     R"(    for i, (a,) in pl.range(4, init_values=(1.0,)):
        b = pl.yield_(a * 2.0)
    out[:] = x * a
)",
     R"(10:18: error: 'a' is the value of one iteration; after the loop read what pl.yield_ was assigned to
8:5: note: the loop
)"},
    {"UnrollInitValues",
     R"(    for i, (a,) in pl.unroll(4, init_values=(1.0,)):
        b = pl.yield_(a * 2.0)
    out[:] = x
)",
     R"(8:45: error: unroll() takes no init_values: its copies know the variables before them; rebind variables in the body
)"},
    {"WhileWithoutCondition",
     R"(    for (a,) in pl.while_(init_values=(0,)):
        b = pl.yield_(a + 1)
    out[:] = x
)",
     R"(8:5: error: the body of pl.while_ begins with pl.cond(...), the condition under which it runs again
)"},
    {"WhileWithoutValues",
     R"(    for (a,) in pl.while_():
        pl.cond(a < 3)
    out[:] = x
)",
     R"(8:17: error: while_() needs init_values, the values that go around; or write a plain 'while'
)"},
    {"ConditionElsewhere",
     R"(    pl.cond(M > 3)
    out[:] = x
)",
     R"(8:5: error: pl.cond belongs at the beginning of the body of pl.while_
)"},
    {"StageOfZero",
     R"(    for i in pl.pipeline(4, stage=0):
        out[i] = x[i]
)",
     R"(8:35: error: the stage of pipeline() must be a positive integer known at compile time, got the integer 0
)"},
    {"RuntimeStage",
     R"(    for i in pl.pipeline(4, stage=M):
        out[i] = x[i]
)",
     R"(8:35: error: the stage of pipeline() must be a positive integer known at compile time, got an INDEX scalar
)"},
    {"FloatStep",
     R"(    for i in pl.range(0, M, 0.5):
        out[i] = x[i]
)",
     R"(8:29: error: range() takes integers, got the float 0.5
)"},
    {"UnknownKeyword",
     R"(    for i in pl.range(4, stage=2):
        out[i] = x[i]
)",
     R"(8:32: error: range() got an unexpected keyword argument 'stage'
)"},
    {"UnrollOfUnrolls",
     R"(    out[:] = x
    for a in pl.unroll(16):
        for b in pl.unroll(16):
            for c in pl.unroll(16):
                for d in pl.unroll(T):
                    for e in pl.unroll(T):
                        out[a] = x[e]
)",
     R"(9:5: error: unroll() makes more than 100000 statements; use pl.range
)"},
    {"ReturnOfAValueInALoop",
     R"(@pl.jit.inline
def find(x):
    for i in pl.range(4):
        if x[i, 0] > 0.0:
            return i
    return 0
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = x
    out[find(x)] = x[0]
)",
     R"(10:13: error: 'return' of a value inside a loop is not supported; assign it to a name, use break, and return it after the loop
8:5: note: the loop
15:9: note: in this call of 'find'
)"},
    {"LastValueOfALoopThatNeverRuns",
     R"(    for i in pl.range(4, 4):
        t = x[i]
    out[0] = t
)",
     R"(10:14: error: 't' may be undefined: it is assigned only inside the loop; give it a value before the loop
9:9: note: assigned here
)"},
    {"LastValueOfABranch",
     R"(    for i in pl.range(4):
        if x[i, 0] > 0.0:
            t = x[i]
    out[0] = t
)",
     R"(11:14: error: 't' may be undefined: it is assigned in one branch only
10:13: note: assigned here
)"},
    {"LastValueOfIndependentIterations",
     R"(    for i in pl.parallel(4, independent=True):
        t = x[i]
    out[0] = t
)",
     R"(10:14: error: 't' may be undefined: it is assigned only inside the loop; give it a value before the loop
9:9: note: assigned here
)"},
    {"LastValueOfAWhileInABranch",
     R"(    i = 0
    while i < M:
        if i > 2:
            t = x[i]
        i += 1
    out[0] = t
)",
     R"(13:14: error: 't' may be undefined: it is assigned in one branch only
11:13: note: assigned here
)"},
    {"OneNameForTwoValues",
     R"(    for i, (a, b) in pl.range(4, init_values=(1.0, 2.0)):
        (c,) = pl.yield_(a, b)
    out[:] = x
)",
     R"(9:9: error: cannot unpack 2 values into 1 names
)"},
    {"ChunkOfTheRun",
     R"(    for i in pl.parallel(0, 4, 1, chunk=M):
        out[i] = x[i]
)",
     R"(8:41: error: 'chunk' of parallel() must be a positive integer known at compile time, got an INDEX scalar
)"},
    {"ChunkPolicy",
     R"(    for i in pl.parallel(0, 4, 1, chunk=2, chunk_policy=3):
        out[i] = x[i]
)",
     R"(8:57: error: 'chunk_policy' of parallel() takes a string, got the integer 3
)"},
    {"Attributes",
     R"(    for i in pl.range(4, attrs="inner"):
        out[i] = x[i]
)",
     R"(8:32: error: 'attrs' of range() takes a dict, got the string 'inner'
)"},
    {"ChunkAndUnroll",
     R"(    for i in pl.range(0, 4, chunk=2, unroll=2):
        out[i] = x[i]
)",
     R"(8:45: error: range() takes 'chunk' or 'unroll', not both
)"},
    {"UnrollAndInitValues",
     R"(    for i, (a,) in pl.range(4, unroll=2, init_values=(1.0,)):
        b = pl.yield_(a)
    out[:] = x
)",
     R"(8:54: error: range() takes no init_values with 'unroll'
)"},
    {"HintOfPython",
     R"(    for i in range(0, 4, unroll=2):
        out[i] = x[i]
)",
     R"(8:33: error: range() got an unexpected keyword argument 'unroll'; pl.range takes hints
)"},
    {"ReturnInParallel",
     R"(    out[:] = x
    for i in pl.parallel(M):
        return
)",
     R"(10:9: error: 'return' cannot stop the other iterations of pl.parallel; use pl.range
9:5: note: the loop
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, LoopConstructsMistakes,
                         testing::ValuesIn(mistakes), nameOf);
