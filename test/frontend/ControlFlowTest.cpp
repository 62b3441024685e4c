// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on integers that are Python as well: what Python computes is what
// they must compute.
#include "test/frontend/IntegerProgram.h"

using namespace tegula;

namespace {

class ControlFlow : public testing::TestWithParam<IntegerProgram> {};

TEST_P(ControlFlow, ComputesWhatPythonComputes) { expectProgram(GetParam()); }

const IntegerProgram programs[] = {
    {"ForRange",
     R"(    for i in range(M):
        out[i] = i * i + x[i]
)",
     {5, -2, 12, 9, 18, 18, 47}},
    {"ForRangeStartStopStep",
     R"(    for i in range(1, 7, 2):
        out[i] = i
    for i in pl.range(2, 5):
        out[i] += 10
)",
     {0, 1, 10, 13, 10, 5, 0}},
    {"ForRangeDown",
     R"(    n = 0
    for i in range(6, -1, -2):
        out[i] = n
        n += 1
)",
     {3, 0, 2, 0, 1, 0, 0}},
    {"ForRangeThatNeverRuns",
     R"(    n = 5
    for i in range(4, 2):
        n = 100
    for i in range(2, 4, -1):
        n = 200
    out[0] = n
)",
     {5, 0, 0, 0, 0, 0, 0}},
    {"CarriedSum",
     R"(    s = 0
    for i in range(M):
        s += x[i]
    out[0] = s
)",
     {16, 0, 0, 0, 0, 0, 0}},
    {"CarriedPair",
     R"(    a, b = 0, 1
    for i in range(10):
        a, b = b, a + b
    out[0] = a
    out[1] = b
)",
     {55, 89, 0, 0, 0, 0, 0}},
    {"CarriedTuple",
     R"(    p = (1, 2)
    for i in range(3):
        p = (p[1], p[0] * 3)
    out[0] = p[0]
    out[1] = p[1]
)",
     {6, 9, 0, 0, 0, 0, 0}},
    {"NestedLoopsCarry",
     R"(    s = 0
    for i in range(3):
        t = i
        for j in range(i, 4):
            t = t * 2 + j
        s += t
    out[0] = s
)",
     {45, 0, 0, 0, 0, 0, 0}},
    {"Break",
     R"(    for i in range(M):
        if x[i] < 0:
            break
        out[i] = 1
)",
     {1, 0, 0, 0, 0, 0, 0}},
    {"Continue",
     R"(    for i in range(M):
        if x[i] <= 0:
            continue
        out[i] = x[i]
)",
     {5, 0, 8, 0, 2, 0, 11}},
    {"BreakAndContinue",
     R"(    n = 0
    for i in range(M):
        if x[i] < 0:
            continue
        n += 1
        if n == 3:
            break
        out[i] = n
    out[6] = n
)",
     {1, 0, 2, 0, 0, 0, 3}},
    {"BreakOfTheInnerLoop",
     R"(    for i in range(3):
        for j in range(M):
            if j > i:
                break
            out[i] += j + 1
        out[i] += 100
)",
     {101, 103, 106, 0, 0, 0, 0}},
    {"BreakInNestedIf",
     R"(    s = 0
    for i in range(M):
        if i > 1:
            if x[i] == 2:
                s += 1000
                break
            else:
                s += 10
        s += 1
    out[0] = s
)",
     {1024, 0, 0, 0, 0, 0, 0}},
    {"While",
     R"(    n = M
    while n > 1:
        n = n // 2
        out[n] += 1
)",
     {0, 1, 0, 1, 0, 0, 0}},
    {"WhileBreak",
     R"(    n = 0
    while True:
        n += 1
        if n % 2 == 0:
            continue
        if n > 8:
            break
        out[0] += n
    out[1] = n
)",
     {16, 9, 0, 0, 0, 0, 0}},
    {"WhileDoesNotReadPastTheBreak",
     R"(    n = 0
    while x[n] != 100:
        n += 1
        if n == M:
            break
    out[0] = n
)",
     {7, 0, 0, 0, 0, 0, 0}},
    {"ElifChain",
     R"(    for i in range(M):
        if x[i] > 5:
            y = 3
        elif x[i] > 0:
            y = 2
        elif x[i] == 0:
            y = 1
        else:
            y = 0
        out[i] = y
)",
     {2, 0, 3, 1, 2, 0, 3}},
    {"BranchKeepsOneSide",
     R"(    y = 7
    if x[0] > 100:
        y = 8
    out[0] = y
    if x[0] < 100:
        y = 9
    out[1] = y
)",
     {7, 9, 0, 0, 0, 0, 0}},
    {"EarlyReturn",
     R"(    out[0] = 1
    if x[1] < 0:
        out[1] = 2
        return
    out[2] = 3
)",
     {1, 2, 0, 0, 0, 0, 0}},
    {"NestedEarlyReturn",
     R"(    if x[0] > 0:
        if x[1] > 0:
            return
        out[0] = 1
    else:
        out[1] = 1
        return
    out[2] = 1
)",
     {1, 0, 1, 0, 0, 0, 0}},
    {"ConditionalExpression",
     R"(    for i in range(M):
        out[i] = x[i] if x[i] > 0 else -x[i]
)",
     {5, 3, 8, 0, 2, 7, 11}},
    {"ChainedComparison",
     R"(    for i in range(M):
        if -3 <= x[i] < 5:
            out[i] = 1
)",
     {0, 1, 0, 1, 1, 0, 0}},
    {"AndOrNot",
     R"(    for i in range(M):
        if (x[i] > 0 and i < 4) or not x[i] < 3:
            out[i] = 1
)",
     {1, 0, 1, 0, 0, 0, 1}},
    {"FloorDivisionAndModulo",
     R"(    for i in range(M):
        out[i] = (i - 3) // 2 * 100 + (i - 3) % 5
)",
     {-198, -97, -96, 0, 1, 102, 103}},
    {"ModuloOfNegatives",
     R"(    for i in range(M):
        out[i] = x[i] // 3 * 100 + x[i] % 3
)",
     {102, -100, 202, 0, 2, -298, 302}},
    {"Unroll",
     R"(    for i in pl.unroll(1, 6, 2):
        out[i] = i * 10
)",
     {0, 10, 0, 30, 0, 50, 0}},
    {"UnrollWithBreak",
     R"(    for i in pl.unroll(7):
        if i == 2:
            continue
        if i == 4:
            break
        out[i] = i + 1
)",
     {1, 2, 0, 4, 0, 0, 0}},
    {"Parallel",
     R"(    for i in pl.parallel(M):
        t = x[i] * 2
        out[i] = t + 1
)",
     {11, -5, 17, 1, 5, -13, 23}},
    {"ParallelSaidIndependent",
     R"(    for i in pl.parallel(M, independent=True):
        out[i] = x[i] * 2
    for i in pl.parallel(M, independent=False):
        out[i] += 1
)",
     {11, -5, 17, 1, 5, -13, 23}},
    {"MinMaxAbs",
     R"(    for i in range(M):
        out[i] = max(min(x[i], 4), -i, abs(x[i]) - 6)
)",
     {4, -1, 4, 0, 2, 1, 5}},
    {"ConstantsFold",
     R"(    a = 7 // 2 + 7 % 4 + 2 ** 5 - (1 << 3) + (6 & 3) + (6 | 1) + (5 ^ 1) + int(7 / 2)
    out[0] = a
    out[1] = len((1, 2, 3)) + abs(-4) + max(1, 5, 3)
    out[2] = 1 if 2 in (1, 2) else 0
)",
     {46, 12, 1, 0, 0, 0, 0}},
    {"ChainedAssignment",
     R"(    a = b = x[2]
    a += 1
    out[0] = a
    out[1] = b
)",
     {9, 8, 0, 0, 0, 0, 0}},
    {"ShadowedModuleConstant",
     R"(    M2 = M - 1
    M2 = M2 - 1
    out[0] = M2
)",
     {5, 0, 0, 0, 0, 0, 0}},
    {"BoolVariable",
     R"(    found = False
    for i in range(M):
        if x[i] == 2:
            found = True
    out[0] = 1 if found else 0
)",
     {1, 0, 0, 0, 0, 0, 0}},
    {"LoopBoundsAreEvaluatedOnce",
     R"(    n = 3
    for i in range(n):
        n = n + 1
        out[i] = n
    out[6] = n
)",
     {4, 5, 6, 0, 0, 0, 6}},
};

INSTANTIATE_TEST_SUITE_P(Frontend, ControlFlow, testing::ValuesIn(programs),
                         [](const auto &info) { return nameOf(info); });

} // namespace
