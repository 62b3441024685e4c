// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class TasksMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(TasksMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"TaskAsANumber",
     R"(    with pl.at(level=pl.Level.CORE_GROUP) as tid:
        out[:] = x
    n = tid + 1
)",
     R"(10:13: error: cannot apply '+' to a task
)"},
    {"NoTaskInDeps",
     R"(    with pl.at(level=pl.Level.CORE_GROUP, deps=[x]):
        out[:] = x
)",
     R"(8:48: error: 'deps' takes tasks, arrays of tasks and None, got a tensor [?, 128] of FP32
)"},
    {"DepsNotAList",
     R"(    tid = pl.system.task_invalid()
    with pl.at(level=pl.Level.CORE_GROUP, deps=tid):
        out[:] = x
)",
     R"(9:48: error: 'deps' takes a list, got a task
)"},
    {"NoTaskInDummy",
     R"(    tid = pl.system.task_dummy(deps=[3])
    out[:] = x
)",
     R"(8:37: error: 'deps' takes tasks, arrays of tasks and None, got the integer 3
)"},
    {"StoreATask",
     R"(    with pl.at(level=pl.Level.CORE_GROUP) as tid:
        out[:] = x
    out[0, 0] = tid
)",
     R"(10:5: error: cannot store a task in a tensor of FP32
)"},
    {"TaskArrayOfNumbers",
     R"(    tids = pl.array.create(2, pl.TASK_ID)
    tids[0] = 1
    out[:] = x
)",
     R"(9:5: error: an array of tasks holds tasks, got the integer 1
)"},
    {"TaskArrayIndex",
     R"(    tids = pl.array.create(2, pl.TASK_ID)
    a = tids[2]
    out[:] = x
)",
     R"(9:14: error: index 2 is out of range for an array of 2 tasks
)"},
    {"ArrayIndex",
     R"(    a = pl.array.create(2, pl.INT32)
    a[2] = 1
    out[:] = x
)",
     R"(9:7: error: index 2 is out of range for axis 0 of extent 2
)"},
    {"ArrayElementIndex",
     R"(    a = pl.array.create(2, pl.INT32)
    b = pl.array.get_element(a, 2)
    out[:] = x
)",
     R"(9:33: error: index 2 is out of range for an array of 2
)"},
    {"ArrayOfFloats",
     R"(    a = pl.array.create(2, pl.FP32)
    out[:] = x
)",
     R"(8:28: error: an array holds integers, booleans or tasks, got the dtype FP32
)"},
    {"ArrayOfRuntimeLength",
     R"(    a = pl.array.create(M, pl.INT32)
    out[:] = x
)",
     R"(8:25: error: the length of an array must be a positive integer known at compile time, got an INDEX scalar
)"},
    {"UnknownOption",
     R"(    with pl.at(level=pl.Level.CORE_GROUP, depends=[]):
        out[:] = x
)",
     R"(8:51: error: at() got an unexpected keyword argument 'depends'
)"},
    {"UnknownLevel",
     R"(    with pl.at(level=pl.Level.CORE):
        out[:] = x
)",
     R"(8:22: error: the level of pl.at must be one of pl.Level, such as pl.Level.CORE_GROUP
)"},
    {"WrongOptimization",
     R"(    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.SplitMode.NONE]):
        out[:] = x
)",
     R"(8:57: error: 'optimizations' takes pl.split(...), pl.auto_chunk and pl.cross_core_slot(...), got 'pl.SplitMode.NONE'
)"},
    {"PredicateOfATile",
     R"(    with pl.at(level=pl.Level.CORE_GROUP, predicate=x > 0.0):
        out[:] = x
)",
     R"(8:53: error: a tile [?, 128] of BOOL has no single truth value; reduce it, or use pl.select to choose elements
)"},
    {"PredicateLeavesUndefined",
     R"(    with pl.at(level=pl.Level.CORE_GROUP, predicate=x[0, 0] > 0.0):
        y = x * 2.0
    out[:] = y
)",
     R"(10:14: error: 'y' may be undefined: it is assigned in one branch only
9:9: note: assigned here
)"},
    {"SpmdCarries",
     R"(    s = 0.0
    for b in pl.spmd(4):
        s = s + x[b, 0]
    out[:] = x
)",
     R"(10:13: error: 's' would be carried from one iteration of pl.spmd to the next; use pl.range, or write to a tensor
9:5: note: the loop
10:9: note: assigned here
)"},
    {"SpmdBreak",
     R"(    for b in pl.spmd(4):
        out[b] = x[b]
        break
)",
     R"(10:9: error: 'break' cannot stop the other iterations of pl.spmd; use pl.range
8:5: note: the loop
)"},
    {"SpmdNegative",
     R"(    with pl.spmd(-1):
        out[:] = x
)",
     R"(8:18: error: the number of blocks must not be negative, got -1
)"},
    {"SpmdWithoutNumber",
     R"(    with pl.spmd():
        out[:] = x
)",
     R"(8:10: error: spmd() missing required argument 'core_num'
)"},
    {"LeaveSpmd",
     R"(    for i in pl.range(3):
        with pl.spmd(4):
            out[:] = x
            continue
)",
     R"(9:14: error: control cannot leave the blocks of pl.spmd; end the loop or the function outside of it
)"},
    {"ShardOutside",
     R"(    out[:] = pl.aiv_shard(x)
)",
     R"(8:14: error: aiv_shard() belongs in a pl.split_aiv with mode UP_DOWN or LEFT_RIGHT
)"},
    {"GatherOutside",
     R"(    out[:] = pl.aic_gather(x)
)",
     R"(8:14: error: aic_gather() belongs in a pl.split_aiv
)"},
    {"GatherOfTheRun",
     R"(    for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
        g = pl.aic_gather(x)
    out[:] = x
)",
     R"(9:13: error: aic_gather() needs extents known at compile time, got axis 0 of a tile [?, 128] of FP32; pl.fillpad fills it up
)"},
    {"GatheredInALane",
     R"(    for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
        g = pl.aic_gather(pl.full([8, 128], pl.FP32, 1.0))
        out[0:8] = g * 2.0
)",
     R"(10:20: error: what pl.aic_gather gives is whole after the lanes; read it after the loop over pl.split_aiv
9:13: note: gathered here
)"},
    {"GatheredAndStored",
     R"(    for lane in pl.split_aiv(2):
        out[0:8] = pl.aic_gather(pl.full([8, 128], pl.FP32, 1.0))
)",
     R"(9:9: error: cannot store what lanes gather, which is whole after their loop in a tensor of FP32
)"},
    {"GatheredInABranch",
     R"(    for lane in pl.split_aiv(2):
        if M > 3:
            g = pl.aic_gather(pl.full([8, 128], pl.FP32, 1.0))
        else:
            g = pl.aic_gather(pl.full([8, 128], pl.FP32, 2.0))
    out[0:8] = g
)",
     R"(13:16: error: 'g' is gathered in a branch; gather once, after the branches
10:13: note: assigned here
)"},
    {"PredicateAndAValue",
     R"(    y, tid = pl.submit(double, x, predicate=M > 3)
    out[:] = y


@pl.jit.inline
def double(x):
    return x * 2.0
)",
     R"(8:45: error: 'double' returns a value that it does not make where the predicate is false; it must write to a tensor
)"},
    {"RowOfTooMany",
     R"(    y, z, w, tid = pl.submit(both, x, out)


@pl.jit.inline
def both(x, out):
    out[:] = x
    return out, x
)",
     R"(8:5: error: cannot unpack 2 values into 4 names
)"},
    {"DepsOfACall",
     R"(    copy(x, out, deps=[3])


@pl.jit.inline
def copy(x, out):
    out[:] = x
)",
     R"(8:23: error: 'deps' takes tasks, arrays of tasks and None, got the integer 3
)"},
    {"TaskOfANumber",
     R"(    t = pl.task_id_of(3)
    out[:] = x
)",
     R"(8:23: error: 'task_id_of' takes a tensor or a tile, got the integer 3
)"},
    {"PrintWithAnEnd",
     R"(    pl.print(3, end="")
    out[:] = x
)",
     R"(8:5: error: pl.print takes no keyword arguments
)"},
    {"PrintNothingKnown",
     R"(    pl.print(f"{nothing}")
    out[:] = x
)",
     R"(8:14: error: name 'nothing' is not defined
)"},
    {"AssertWhatIsFalse",
     R"(    pl.assert_(T < 3, "T is small")
    out[:] = x
)",
     R"(8:5: error: assertion failed: T is small
)"},
    {"AssertWithANumber",
     R"(    pl.assert_(x < 3.0, 3)
    out[:] = x
)",
     R"(8:5: error: the message of pl.assert_ is a string, got the integer 3
)"},
    {"SlotsOfASplit",
     R"(    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.NONE, slot_num=0)]):
        out[:] = x
)",
     R"(8:95: error: 'slot_num' of split() must be a positive integer known at compile time, got the integer 0
)"},
    {"WrongOptimizer",
     R"(    with pl.at(level=pl.Level.CORE_GROUP, optimization=3):
        out[:] = x
    with pl.auto_incore(split=2):
        out[:] = x
)",
     R"(8:56: error: 'optimization' takes pl.chunked_loop_optimizer, got the integer 3
10:31: error: 'split' takes one of pl.SplitMode, got the integer 2
)"},
    {"RegionAsACall",
     R"(    pl.incore()
    out[:] = x
)",
     R"(8:5: error: pl.incore belongs in a 'with'
)"},
    {"BarrierArguments",
     R"(    for b in pl.spmd(2):
        pl.system.syncall(core_type="all")
        pl.system.syncall(mode=3)
        pl.system.syncall(cores=2)
        out[b] = x[b]
)",
     R"(9:37: error: 'core_type' of system.syncall() must be one of "mix", "aiv_only", "aic_only", "aiv", "aic", got the string 'all'
10:32: error: 'mode' of system.syncall() must be one of "hard", "soft", got the integer 3
11:33: error: system.syncall() got an unexpected keyword argument 'cores'
)"},
    {"ThreeLanes",
     R"(    for lane in pl.split_aiv(3):
        out[:] = x
)",
     R"(8:30: error: split_aiv() takes 2 lanes, got the integer 3
)"},
    {"SubmitNothing",
     R"(    r, tid = pl.submit(x)
    out[:] = x
)",
     R"(8:14: error: submit() takes a kernel and its arguments
)"},
    {"StaticAssert",
     R"(    pl.static_assert(T < 3, f"T is {T}, not {T - 1}")
    out[:] = x
)",
     R"(8:5: error: assertion failed: T is 64, not 63
)"},
    {"AssertMessage",
     R"(    assert T < 3, f"T is {T}"
    out[:] = x
)",
     R"(8:12: error: assertion failed: T is 64
)"},
    {"StaticAssertAtRunTime",
     R"(    pl.static_assert(M > 3, "M")
    out[:] = x
)",
     R"(8:5: error: an assertion is checked at compile time and this one depends on the run
)"},
    {"AssertOfAText",
     R"(    assert "M is small"
    out[:] = x
)",
     R"(8:12: error: an assertion takes a scalar condition, got the string 'M is small', which always holds; write the condition first, then the text
)"},
    {"AssertOfATuple",
     R"(    assert (M > 3, "M is small")
    out[:] = x
)",
     R"(8:12: error: an assertion takes a scalar condition, got a tuple of 2, which always holds; write the condition first, then the text
)"},
    {"StaticAssertOfAText",
     R"(    pl.static_assert("T is small")
    out[:] = x
)",
     R"(8:5: error: an assertion takes a scalar condition, got the string 'T is small', which always holds; write the condition first, then the text
)"},
    {"RuntimeAssertOfAText",
     R"(    pl.assert_("M is small")
    out[:] = x
)",
     R"(8:5: error: pl.assert_ takes a condition first, got the string 'M is small'; write pl.assert_(condition, "text")
)"},
    {"RuntimeAssertOfATuple",
     R"(    pl.assert_((M > 3, "M is small"))
    out[:] = x
)",
     R"(8:5: error: pl.assert_ takes a condition first, got a tuple of 2; write pl.assert_(condition, "text")
)"},
    {"PrintUnknownName",
     R"(    pl.static_print(f"{nothing}")
    out[:] = x
)",
     R"(8:21: error: name 'nothing' is not defined
)"},
    {"PrintBrokenField",
     R"(    pl.static_print(f"{T +}")
    out[:] = x
)",
     R"(8:21: error: 'T +' in an f-string is not an expression
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, TasksMistakes, testing::ValuesIn(mistakes),
                         nameOf);
