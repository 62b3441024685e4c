// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids, scopes, tasks and arrays: what they compute, and that what is said to
// a scheduler changes nothing.
#include "test/frontend/IntegerProgram.h"

using namespace tegula;

namespace {

class Grids : public testing::TestWithParam<IntegerProgram> {};

TEST_P(Grids, ComputeInProgramOrder) { expectProgram(GetParam()); }

const char *const blockHelper = R"(@pl.jit.incore
def fill(x: pl.Tensor[[M], pl.INT64], out: pl.InOut[pl.Tensor[[M], pl.INT64]]):
    out[pl.get_block_idx()] = inner(x) + pl.get_block_num()
    return out
@pl.jit.inline
def inner(x):
    return x[pl.tile.get_block_idx()] * 100
)";

const IntegerProgram programs[] = {
    {"SpmdFor",
     R"(    for b in pl.spmd(M):
        out[b] = b * 10 + pl.get_block_idx()
)",
     {0, 11, 22, 33, 44, 55, 66}},
    {"SpmdWith",
     R"(    with pl.spmd(4) as tid:
        b = pl.tile.get_block_idx()
        out[b] = b + pl.get_block_num() * 10
)",
     {40, 41, 42, 43, 0, 0, 0}},
    {"SpmdOfARuntimeNumber",
     R"(    with pl.spmd(core_num=x[0] - 2, name_hint="blocks", sync_start=True):
        out[pl.get_block_idx()] = pl.get_block_num()
)",
     {3, 3, 3, 0, 0, 0, 0}},
    {"SpmdOfNothing",
     R"(    with pl.spmd(x[3]):
        out[0] = 1
)",
     {0, 0, 0, 0, 0, 0, 0}},
    {"BlockInHelpers",
     R"(    with pl.spmd(3):
        out = fill(x, out)
    fill(x, out)
)",
     {501, -297, 803, 0, 0, 0, 0},
     blockHelper},
    {"Barrier",
     R"(    for b in pl.spmd(M):
        out[b] = b + 1
        pl.system.syncall(core_type="mix")
        other = out[M - 1 - b]
        pl.system.syncall()
        out[b] = other * 10 + b
)",
     {70, 61, 52, 43, 34, 25, 16}},
    {"BarrierInALoop",
     R"(    for b in pl.spmd(M):
        value = b + 1
        for i in pl.range(2):
            out[b] = value
            pl.system.syncall()
            value = value + out[(b + 1) % M]
            pl.system.syncall()
        out[b] = value
)",
     {8, 12, 16, 20, 24, 21, 11}},
    {"BarrierInAHelper",
     R"(    with pl.spmd(M):
        meet(out)
    meet(out)
)",
     {7, 5, 4, 3, 2, 1, 6},
     R"(@pl.jit.inline
def meet(out):
    b = pl.get_block_idx()
    if pl.get_block_num() == 1:
        out[0] = out[0] + 1
        out[6] = 6
    else:
        out[b] = pl.get_block_num() - 1 - b
    pl.system.syncall()
)"},
    {"LanesWait",
     R"(    for lane in pl.split_aiv(2):
        out[lane] = lane + 5
        pl.system.sync_set(0)
        pl.system.sync_wait(0)
        out[lane + 2] = out[1 - lane]
)",
     {5, 6, 6, 5, 0, 0, 0}},
    {"StridedBlocks",
     R"(    for b in pl.spmd(pl.system.available_cluster_count()):
        for i in pl.range(b, M, pl.get_block_num()):
            out[i] = x[i] + 1
)",
     {6, -2, 9, 1, 3, -6, 12}},
    {"OutsideOfAGrid",
     R"(    out[0] = pl.get_block_idx()
    out[1] = pl.get_block_num()
    out[2] = pl.get_subblock_idx()
)",
     {0, 1, 0, 0, 0, 0, 0}},
    {"Submit",
     R"(    with pl.manual_scope():
        r, tid = pl.submit(fill, x, out)
        r, _ = pl.submit(fill, x, r, deps=[tid, None])
)",
     {501, 0, 0, 0, 0, 0, 0},
     blockHelper},
    {"SpmdSubmit",
     R"(    r, tid = pl.spmd_submit(fill, x, out, core_num=2)
    r[2] = x[2]
)",
     {502, -298, 8, 0, 0, 0, 0},
     blockHelper},
    {"SubmitUnderAPredicate",
     R"(    r, tid = pl.submit(fill, x, out, predicate=x[0] > 100)
    r[1] = 7
    s, tid = pl.spmd_submit(fill, x, out, core_num=1, predicate=x[2] > 0, deps=[tid])
    s[2] = 8
    t, tid = pl.submit(fill, x, out, predicate=False)
)",
     {501, 7, 8, 0, 0, 0, 0},
     blockHelper},
    {"ResultsAndTaskInARow",
     R"(    a, b, tid = pl.submit(both, x, out)
    (c, d), tid = pl.submit(both, x, out, deps=[tid])
    a[2] = b[0]
    c[3] = d[1]
)",
     {5, -3, 5, -3, 0, 0, 0},
     "@pl.jit.inline\n"
     "def both(x, out):\n"
     "    out[0:2] = x[0:2]\n"
     "    return out, x\n"},
    {"TasksByOtherNames",
     R"(    none = pl.task_id_invalid()
    out = wait_for(x, out, deps=[none, None])
    last = pl.task_id_of(out)
    with pl.at(level=pl.Level.CORE_GROUP, deps=[last]):
        out[1] = 1
)",
     {5, 1, 0, 0, 0, 0, 0},
     "@pl.jit.inline\n"
     "def wait_for(x, out):\n"
     "    out[0] = x[0]\n"
     "    return out\n"},
    {"GatheredRows",
     R"(    for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
        g = pl.aic_gather(pl.fillpad(pl.reshape(x[lane * 2 : lane * 2 + 2], [2, 1]), 0) + 1)
    for lane in pl.split_aiv(2, mode=pl.SplitMode.LEFT_RIGHT):
        with pl.at(level=pl.Level.CORE_GROUP):
            h = pl.aic_gather(pl.full([1, 1], pl.INT64, g[lane * 2, 0]))
    for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
        g = pl.aic_gather(pl.full([1, 1], pl.INT64, x[lane]))
    out[0:2] = pl.reshape(h, [2])
    out[2:4] = pl.reshape(g, [2])
)",
     {6, 9, 5, -3, 0, 0, 0}},
    {"GatheredWithoutADirection",
     R"(    for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
        pl.system.sync_wait(0)
        g = pl.aic_gather(pl.full([2], pl.INT64, x[0]) + lane * 100)
    out[0:2] = g
)",
     {5, 5, 0, 0, 0, 0, 0}},
    {"RegionsByOtherNames",
     R"(    with pl.incore():
        out[0] = 1
    with pl.auto_incore(split=pl.SplitMode.UP_DOWN):
        out[1] = 2
    with pl.at(level=pl.Level.CORE_GROUP, optimization=pl.chunked_loop_optimizer):
        out[2] = 3
    with pl.at(level=pl.Level.CORE_GROUP, optimization=pl.chunked_loop_optimizer(split=pl.SplitMode.NONE)):
        out[3] = 4
    with pl.at(level=pl.Level.CORE_GROUP, split=pl.SplitMode.NONE, name="stage", optimizations=[pl.auto_chunk]):
        out[4] = 5
    with pl.spmd(1, optimizations=[pl.split(pl.SplitMode.NONE, slot_num=2)], windowize=True, name="grid"):
        out[5] = 6
)",
     {1, 2, 3, 4, 5, 6, 0}},
    {"Lanes",
     R"(    for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
        out[lane] = pl.get_subblock_idx() + 5
)",
     {5, 6, 0, 0, 0, 0, 0}},
    {"Shards",
     R"(    t = pl.reshape(x[0:4], [4, 1])
    for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
        half = pl.aiv_shard(t)
        out[lane] = half[0, 0] * 100 + half[1, 0]
)",
     {497, 800, 0, 0, 0, 0, 0}},
    {"ScopesAndOptions",
     R"(    with pl.scope():
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN), pl.cross_core_slot(slot_num=4)],
                   no_dep_args=[out], name_hint="stage", windowize=True) as first:
            a = x[0]
            out[0] = a
        with pl.cluster():
            with pl.at(pl.Level.CORE_GROUP, deps=[first, None]) as second:
                out[1] = a + 1
    done = pl.system.task_dummy(deps=[first, second])
    with pl.at(level=pl.Level.CORE_GROUP, deps=[done], allow_early_resolve=True):
        out[2] = a + 2
)",
     {5, 6, 7, 0, 0, 0, 0}},
    {"TasksGoAround",
     R"(    prev = None
    tids = pl.array.create(4, pl.TASK_ID)
    for i in pl.range(4):
        with pl.at(level=pl.Level.CORE_GROUP, deps=[prev, tids[i]]) as tid:
            out[i] = i
        prev = tid
        tids[i] = tid
    for i in pl.parallel(2):
        with pl.at(level=pl.Level.CORE_GROUP, deps=[prev]) as last:
            out[i + 4] = i
        prev = last
    with pl.at(level=pl.Level.CORE_GROUP, deps=[tids, prev, last]):
        out[6] = 1
)",
     {0, 1, 2, 3, 0, 1, 1}},
    {"TaskOfABranch",
     R"(    tid = pl.system.task_invalid()
    if x[0] > 0:
        with pl.at(level=pl.Level.CORE_GROUP) as tid:
            out[0] = 1
        with pl.at(level=pl.Level.CORE_GROUP) as other:
            out[1] = 1
    with pl.at(level=pl.Level.CORE_GROUP, deps=[tid, other]):
        out[2] = wait_for(x, tid)
)",
     {1, 1, 5, 0, 0, 0, 0},
     "@pl.jit.inline\n"
     "def wait_for(x, tid: pl.TaskId):\n"
     "    with pl.at(level=pl.Level.CORE_GROUP, deps=[tid]):\n"
     "        v = x[0]\n"
     "    return v\n"},
    {"Predicate",
     R"(    n = 1
    for i in pl.range(M):
        with pl.at(level=pl.Level.CORE_GROUP, predicate=(x[i] > 0)) as tid:
            out[i] = x[i]
            n = n + 1
    with pl.spmd(2, deps=[tid], predicate=x[0] > 100):
        out[pl.get_block_idx()] = 99
    out[1] = n
)",
     {5, 5, 8, 0, 2, 0, 11}},
    {"NoDep",
     R"(    t = pl.create_tensor([M], dtype=pl.INT64, manual_dep=True)
    t[:] = pl.no_dep(x)
    pl.dump_tag(t)
    out[:] = t
)",
     {5, -3, 8, 0, 2, -7, 11}},
    {"Arrays",
     R"(    a = pl.array.create(4, pl.INT64)
    b = a
    for i in pl.range(4):
        a[i] = x[i] * 2
        if x[i] < 0:
            b = pl.array.update_element(b, i, a[i])
    for i in pl.range(4):
        out[i] = a[i] + 100 * pl.array.get_element(b, i)
    n: pl.Array[3, pl.INDEX] = pl.array.create(3, pl.INDEX)
    n[1] = 5
    out[n[1]] = 7
    f = pl.array.create(2, pl.BOOL)
    f[x[3]] = True
    if f[0] and not f[1]:
        out[6] = 1
)",
     {10, -606, 16, 0, 0, 7, 1}},
    {"CountingSort",
     R"(    counts = pl.array.create(3, pl.INT32)
    for i in pl.range(M):
        kind = 0 if x[i] < 0 else (1 if x[i] < 5 else 2)
        counts[kind] = counts[kind] + 1
    at = 0
    for kind in pl.range(3):
        for j in pl.range(pl.cast(counts[kind], pl.INDEX)):
            out[at] = kind
            at = at + 1
)",
     {0, 0, 1, 1, 2, 2, 2}},
    {"CompileTimeStatements",
     R"(    pl.func_attr({"kind": "test"})
    pl.static_assert(T == 64, "T is fixed")
    assert T > 3, f"T is {T}"
    pl.static_print("T", T)
    c = pl.const(7, pl.INT64)
    out[0] = c + x[0]
)",
     {12, 0, 0, 0, 0, 0, 0}},
};

INSTANTIATE_TEST_SUITE_P(Frontend, Grids, testing::ValuesIn(programs),
                         [](const auto &info) { return nameOf(info); });

/// A program that fails while it runs, and what is said.
struct Failure {
  const char *name;
  const char *body;
  const char *message;
};

void PrintTo(const Failure &failure, std::ostream *os) { *os << failure.name; }

class RunErrors : public testing::TestWithParam<Failure> {};

TEST_P(RunErrors, NameWhatWasFound) {
  std::string messages;
  EXPECT_TRUE(
      runProgram({GetParam().name, GetParam().body, {}}, messages).empty());
  EXPECT_NE(messages.find(GetParam().message), std::string::npos) << messages;
}

const Failure failures[] = {
    {"StepOfZero", "    for i in pl.range(0, M, x[3]):\n        out[i] = 1\n",
     "the step of a loop is 0, it must be positive"},
    {"NegativeStep",
     "    for i in pl.parallel(0, M, x[1]):\n        out[i] = 1\n",
     "the step of a loop is -3, it must be positive"},
    {"ArrayIndexTooLarge",
     "    a = pl.array.create(4, pl.INT64)\n    a[x[0]] = 1\n"
     "    out[0] = a[0]\n",
     "index 5 on axis 0 is out of range for extent 4"},
    {"ArrayIndexNegative",
     "    a = pl.array.create(4, pl.INT64)\n    out[0] = a[x[1]]\n",
     "index -3 on axis 0 is out of range for extent 4"},
    {"TileIndex",
     "    t = pl.full([2, 3], pl.INT64, 0)\n    t[0, x[2]] = 1\n"
     "    out[0] = t[0, 0]\n",
     "index 8 on axis 1 is out of range for extent 3"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, RunErrors, testing::ValuesIn(failures),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(StaticPrint, SaysTypesAndNumbersOnce) {
  std::string messages;
  IntegerProgram program = {"StaticPrint",
                            R"(    for i in pl.range(2):
        t = x[0:4] + pl.full([4], pl.INT64, 1)
        pl.static_print(f"{T // 2} rows {{}} {t}", x.dtype, (1, 2.5), x.shape[0], M, M // 2)
        out[i] = t[i]
)",
                            {}};
  std::vector<int64_t> out = runProgram(program, messages);
  EXPECT_THAT(out, testing::ElementsAre(6, -2, 0, 0, 0, 0, 0));
  size_t first = messages.find(
      "k.py:10:9: remark: 32 rows {} a tile [upto 4] of INT64 INT64 (1, 2.5) "
      "M (dynamic) M (dynamic) a number that is not known while compiling\n");
  EXPECT_NE(first, std::string::npos) << messages;
  EXPECT_EQ(messages.find("remark", first + 20), std::string::npos) << messages;
}

TEST(ParallelLoops, SayWhyTheyRunInOrder) {
  std::string messages;
  IntegerProgram program = {
      "Order",
      "    s = 0\n    for i in pl.parallel(M):\n        s += x[i]\n"
      "    out[0] = s\n",
      {}};
  runProgram(program, messages);
  EXPECT_NE(messages.find("k.py:9:5: remark: runs in order: 's' goes from one "
                          "iteration to the next"),
            std::string::npos)
      << messages;
}

} // namespace
