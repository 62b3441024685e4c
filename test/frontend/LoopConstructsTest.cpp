// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that name what goes around, loops with steps of every kind, and values
// that go through loops and branches within each other.
#include "test/frontend/IntegerProgram.h"

using namespace tegula;

namespace {

class LoopConstructs : public testing::TestWithParam<IntegerProgram> {};

TEST_P(LoopConstructs, ComputeWhatTheySay) { expectProgram(GetParam()); }

const IntegerProgram programs[] = {
    {"InitValues",
     R"(    for i, (a, b) in pl.range(10, init_values=(0, 1)):
        x2, y2 = pl.yield_(b, a + b)
    out[0] = x2
    out[1] = y2
)",
     {55, 89, 0, 0, 0, 0, 0}},
    {"InitValuesOfAnEmptyLoop",
     R"(    for i, (a, b) in pl.range(4, 2, init_values=(3, 4)):
        c, d = pl.yield_(a + 1, b + 1)
    out[0] = c
    out[1] = d
)",
     {3, 4, 0, 0, 0, 0, 0}},
    {"YieldToTheSameNames",
     R"(    a = 1
    b = 100
    for i, (a, b) in pl.range(3, init_values=(a, b)):
        a, b = pl.yield_(a * 2, b + a)
    out[0] = a
    out[1] = b
)",
     {8, 107, 0, 0, 0, 0, 0}},
    {"YieldToSwappedNames",
     R"(    for i, (a, b) in pl.range(3, init_values=(1, 10)):
        b, a = pl.yield_(a + 1, b * 2)
    out[0] = a
    out[1] = b
)",
     {80, 4, 0, 0, 0, 0, 0}},
    {"SwappedCarries",
     R"(    a, b = 1, 2
    for i in pl.range(3):
        a, b = b, a
    out[0] = a
    out[1] = b
)",
     {2, 1, 0, 0, 0, 0, 0}},
    {"OneCarryWithoutParentheses",
     R"(    s = 0
    for i, s in pl.range(M, init_values=[s]):
        s = pl.yield_(s + x[i])
    out[0] = s
)",
     {16, 0, 0, 0, 0, 0, 0}},
    {"CarryRebindsInTheBody",
     R"(    for i, (a,) in pl.range(3, init_values=(1,)):
        a = a + 1
        a = a * 2
        r = pl.yield_(a)
    out[0] = r
)",
     {22, 0, 0, 0, 0, 0, 0}},
    {"YieldInBranches",
     R"(    for i, (prev,) in pl.range(M, init_values=(0,)):
        if x[i] > 0:
            r = pl.yield_(prev + x[i])
        else:
            r = pl.yield_(prev)
        s = pl.yield_(r)
    out[0] = s
)",
     {26, 0, 0, 0, 0, 0, 0}},
    {"YieldOfTwoInBranches",
     R"(    if x[0] > x[1]:
        a, b = pl.yield_(x[0], x[1])
    else:
        a, b = pl.yield_(x[1], x[0])
    out[0] = a
    out[1] = b
)",
     {5, -3, 0, 0, 0, 0, 0}},
    {"BreakKeepsWhatCameAround",
     R"(    for i, (s,) in pl.range(M, init_values=(0,)):
        if x[i] == 0:
            break
        t = pl.yield_(s + x[i])
    out[0] = t
)",
     {10, 0, 0, 0, 0, 0, 0}},
    {"ContinueKeepsWhatCameAround",
     R"(    for i, (s,) in pl.range(M, init_values=(0,)):
        if x[i] < 0:
            continue
        t = pl.yield_(s + x[i])
    out[0] = t
)",
     {26, 0, 0, 0, 0, 0, 0}},
    {"CarriesWithoutYield",
     R"(    for i, (s, n) in pl.range(M, init_values=(0, 0)):
        s = s + x[i]
        if x[i] > 0:
            n = n + 1
    out[0] = s
    out[1] = n
)",
     {16, 4, 0, 0, 0, 0, 0}},
    {"ParallelWithInitValues",
     R"(    for i, (s,) in pl.parallel(M, init_values=(0,)):
        t = pl.yield_(s * 2 + x[i])
    out[0] = t
)",
     {357, 0, 0, 0, 0, 0, 0}},
    {"PipelineWithInitValues",
     R"(    for i, (s,) in pl.pipeline(0, M, 1, stage=2, init_values=(0,)):
        t = pl.yield_(s + x[i])
    out[0] = t
)",
     {16, 0, 0, 0, 0, 0, 0}},
    {"NestedInitValues",
     R"(    for i, (s,) in pl.range(3, init_values=(0,)):
        for j, (t,) in pl.range(i + 1, init_values=(s,)):
            t2 = pl.yield_(t + j + 1)
        s2 = pl.yield_(t2 * 2)
    out[0] = s2
)",
     {32, 0, 0, 0, 0, 0, 0}},
    {"WhileIterator",
     R"(    for (n, s) in pl.while_(init_values=(0, 0)):
        pl.cond(n < M)
        n2, s2 = pl.yield_(n + 1, s + x[n])
    out[0] = n2
    out[1] = s2
)",
     {7, 16, 0, 0, 0, 0, 0}},
    {"WhileIteratorThatNeverRuns",
     R"(    for (n,) in pl.while_(init_values=(9,)):
        pl.cond(n < M)
        n2 = pl.yield_(n + 1)
    out[0] = n2
)",
     {9, 0, 0, 0, 0, 0, 0}},
    {"WhileIteratorWithoutYield",
     R"(    for (n,) in pl.while_(init_values=(1,)):
        pl.cond(n < 100)
        n = n * 3
    out[0] = n
)",
     {243, 0, 0, 0, 0, 0, 0}},
    {"WhileIteratorWithBreak",
     R"(    for (n,) in pl.while_(init_values=(0,)):
        pl.cond(n < M)
        if x[n] == 8:
            break
        m = pl.yield_(n + 1)
    out[0] = m
)",
     {2, 0, 0, 0, 0, 0, 0}},
    {"WhileCounter",
     R"(    i = 0
    while i < M:
        out[i] = i * 2
        i = i + 1
)",
     {0, 2, 4, 6, 8, 10, 12}},
    {"AnnotatedReassignmentInALoop",
     R"(    s = x[0]
    s = s + 1
    for i in pl.range(3):
        s: pl.Scalar[pl.INT64] = s * 2
    out[0] = s
)",
     {48, 0, 0, 0, 0, 0, 0}},
    {"TupleUnpackAfterRebind",
     R"(    a = x[0]
    a = a + 1
    a, b = twice(a, 3)
    out[0] = a
    out[1] = b
)",
     {12, 9, 0, 0, 0, 0, 0},
     "@pl.jit.inline\ndef twice(v, c):\n    return v * 2, c * 3\n"},
    {"TupleUnpackInALoop",
     R"(    a, b = 1, 1
    for i in pl.range(4):
        a, b = twice(a, b)
    out[0] = a
    out[1] = b
)",
     {16, 81, 0, 0, 0, 0, 0},
     "@pl.jit.inline\ndef twice(v, c):\n    return v * 2, c * 3\n"},
    {"CarryThroughIfInLoopInWhile",
     R"(    n = 0
    best = -100
    place = -1
    while n < 3:
        for i in pl.range(M):
            if x[i] > best:
                if i >= n:
                    best = x[i]
                    place = i
                else:
                    place = place + 10
            elif n == 2:
                best = best - 1
        n += 1
    out[0] = best
    out[1] = place
    out[2] = n
)",
     {11, 6, 3, 0, 0, 0, 0}},
    {"RuntimeStep",
     R"(    for i in pl.range(0, M, x[4]):
        out[i] = i + 1
)",
     {1, 0, 3, 0, 5, 0, 7}},
    {"RuntimeStepWithBreak",
     R"(    for i in pl.range(1, M, x[4]):
        if i > 4:
            break
        out[i] = i
)",
     {0, 1, 0, 3, 0, 0, 0}},
    {"ParallelRuntimeStep",
     R"(    for i in pl.parallel(0, M, x[4]):
        out[i] = i + 1
)",
     {1, 0, 3, 0, 5, 0, 7}},
    {"NegativeStepInPipeline",
     R"(    n = 0
    for i in pl.pipeline(M - 1, -1, -3, stage=3):
        out[i] = n
        n = n + 1
)",
     {2, 0, 0, 1, 0, 0, 0}},
    {"ParallelThatCarriesRunsInOrder",
     R"(    s = 0
    for i in pl.parallel(M):
        s = s * 2 + x[i]
        out[i] = s
)",
     {5, 7, 22, 44, 90, 173, 357}},
    {"ParallelLeavesItsLastValue",
     R"(    s = 0
    for i in pl.parallel(M):
        s = x[i]
    out[0] = s
)",
     {11, 0, 0, 0, 0, 0, 0}},
    {"ParallelLeavesItsLastValueToTheNextIteration",
     R"(    s = 1
    for j in pl.range(3):
        out[j] = s
        for i in pl.parallel(j + 1):
            s = x[i]
)",
     {1, 5, -3, 0, 0, 0, 0}},
    {"ReturnInALoop",
     R"(    for i in pl.range(M):
        if x[i] == 0:
            return
        out[i] = 1
    out[6] = 9
)",
     {1, 1, 1, 0, 0, 0, 0}},
    {"ReturnInALoopThatDoesNotHappen",
     R"(    for i in pl.range(M):
        if x[i] == 100:
            return
        out[i] = 1
    out[6] = 9
)",
     {1, 1, 1, 1, 1, 1, 9}},
    {"TensorGoesAround",
     R"(    for i, (o,) in pl.range(M, init_values=(out,)):
        p = pl.write(o, [i], x[i] + 1)
        (out,) = pl.yield_(p)
    out[0] = 100
)",
     {100, -2, 9, 1, 3, -6, 12}},
    {"TensorsGoAroundAnEmptyLoop",
     R"(    t = pl.create_tensor([M], dtype=pl.INT64)
    t[:] = x
    for i, (o, u) in pl.parallel(M, 3, init_values=(out, t)):
        o[i] = u[i]
        q, w = pl.yield_(o, u)
    q[1] = w[2]
)",
     {0, 8, 0, 0, 0, 0, 0}},
    {"TensorsAreSwapped",
     R"(    t = pl.create_tensor([M], dtype=pl.INT64)
    t[:] = x
    for i, (a, b) in pl.range(3, init_values=(out, t)):
        a[i] = 10 + i
        c, d = pl.yield_(b, a)
    c[5] = 1
    out[6] = t[1]
)",
     {10, 0, 12, 0, 0, 0, 11}},
    {"OneValueOutOfATuple",
     R"(    for i, (a,) in pl.range(3, init_values=(1,)):
        (a,) = pl.yield_(a * 3)
    if x[0] > 0:
        [b] = pl.yield_(a + 1)
    else:
        (b,) = pl.yield_(0)
    out[0] = a
    out[1] = b
)",
     {27, 28, 0, 0, 0, 0, 0}},
    {"LastValueOfALoop",
     R"(    for i in pl.range(M):
        a = x[i] * 2
        for j in range(3):
            b = a + j
            if j == 1:
                break
        c = (i, b)
    out[0] = a
    out[1] = b
    out[2] = c[0]
    out[3] = c[1]
)",
     {22, 23, 6, 23, 0, 0, 0}},
    {"LastValueOfALoopThatCountsDown",
     R"(    for i in pl.range(M - 1, -1, -2):
        a = i
        t = x[i : i + 1] + 1
    out[0] = a
    out[1:2] = t
)",
     {0, 6, 0, 0, 0, 0, 0}},
    {"LastValueInsideOfALoop",
     R"(    for i in pl.range(3):
        for j in pl.range(i + 1):
            a = x[j]
        out[i] = a
)",
     {5, -3, 8, 0, 0, 0, 0}},
    {"LastValueOfAnotherIteration",
     R"(    for i in pl.range(2):
        for j in pl.range(x[3 + i]):
            for k in pl.range(3):
                t = x[k] + j
            out[j] = t
        for (k, t) in pl.while_(init_values=(0, 5)):
            pl.cond(k < i)
            k, t = pl.yield_(k + 1, t + 1)
        out[i + 3] = t
)",
     {8, 9, 0, 5, 6, 0, 0}},
    {"TensorAssignedInALoop",
     R"(    for i in pl.range(M, M):
        o = pl.write(out, [0], 5)
    for i in pl.parallel(2):
        p = pl.write(out, [i], 6)
    o[2] = 7
    p[3] = 8
)",
     {6, 6, 7, 8, 0, 0, 0}},
    {"HintsOfLoops",
     R"(    for i in pl.parallel(0, M, 1, chunk=4, chunk_policy="leading_full"):
        out[i] = x[i]
    for i in pl.range(2, unroll=4, attrs={"origin": pl.LoopOrigin.ChunkInner}):
        out[i] = 1
    for i in pl.pipeline(2, 4, stage=2, chunk=1):
        out[i] = 2
)",
     {1, 1, 2, 2, 2, -7, 11}},
    {"ReturnInNestedLoops",
     R"(    n = 0
    while n < 5:
        for i in pl.range(M):
            if n == 1 and x[i] < 0:
                return
            out[i] = n + 1
        n += 1
    out[6] = 100
)",
     {2, 1, 1, 1, 1, 1, 1}},
    {"ReturnUnderAScope",
     R"(    for i in pl.range(M):
        with pl.at(level=pl.Level.CORE_GROUP):
            if x[i] < 0:
                return
            out[i] = 1
        out[i] = 2
    out[6] = 3
)",
     {2, 0, 0, 0, 0, 0, 0}},
};

INSTANTIATE_TEST_SUITE_P(Frontend, LoopConstructs, testing::ValuesIn(programs),
                         [](const auto &info) { return nameOf(info); });

} // namespace
