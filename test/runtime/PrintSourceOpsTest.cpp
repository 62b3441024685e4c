// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op of the dialect, printed as source: a new one needs a kernel here.

#include "tegula/ir/ops/PlOps.h"
#include "tegula/runtime/Compiler.h"

#include "gtest/gtest.h"
#include <map>

using namespace tegula;
using llvm::StringRef;

static const char *const head = R"py(import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def kernel(x: pl.Tensor[[M, N], pl.FP32], k: pl.Tensor[[M, N], pl.INT32], n: pl.Scalar[pl.INDEX], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
)py";

/// The body of a kernel with each op that is not elementwise.
static const std::map<std::string, std::string> bodies = {
    {"alloc_window", "    w = pl.distributed.alloc_window_buffer(M * 4)\n"
                     "    y[:] = x\n"},
    {"arange", "    y[:] = x + pl.arange(0, [8], dtype=pl.FP32)[0:1]\n"
               "    y[:] = x + pl.arange(0, [M, 1], dtype=pl.FP32)\n"
               "    y[:] = pl.roll(x, 3, axis=1) + pl.roll(x, n)\n"},
    {"arg_reduce", "    y[:, 0:1] = pl.cast(pl.row_argmax(x), pl.FP32)\n"},
    {"assert", "    pl.assert_(n < 5, \"it's \\\"small\\\"\")\n"
               "    for i in pl.range(0, M, 4):\n"
               "        pl.assert_(i < M, \"inside\")\n"
               "        y[i : i + 4, :] = x[i : i + 4, :]\n"},
    {"at", "    with pl.at(level=pl.Level.CORE_GROUP):\n"
           "        y[:] = x\n"},
    {"barrier", "    for b in pl.spmd(M):\n"
                "        y[b, :] = 1.0\n"
                "        pl.system.syncall()\n"
                "        y[b, :] = 2.0\n"
                "    for lane in pl.split_aiv(2):\n"
                "        y[lane, :] = 1.0\n"
                "        pl.system.sync_wait()\n"
                "        y[lane, :] = 2.0\n"},
    {"bind", "    y[:] = x\n"},
    {"bitcast", "    y[:] = pl.bitcast(pl.load(k), pl.FP32)\n"},
    {"broadcast", "    y[:] = pl.row_sum(x)\n"},
    {"cast", "    y[:] = pl.cast(k, pl.FP32)\n"},
    {"check_index", "    t = pl.load(x)\n"
                    "    t[n, 0] = 1.0\n"
                    "    t[n, :] = t[0, :]\n"
                    "    t[:, n] = 2.0\n"
                    "    y[:] = t\n"},
    {"check_step", "    for i in pl.range(0, M, n):\n"
                   "        y[i, :] = 1.0\n"},
    {"cmp", "    y[:] = pl.cast(x < 1.0, pl.FP32)\n"},
    {"concat", "    y[:, 0:8] = pl.concat(x[:, 0:3], x[:, 3:8])\n"},
    {"create_tensor", "    t = pl.create_tensor([M, N], dtype=pl.FP32)\n"
                      "    t[:] = x\n"
                      "    y[:] = t\n"},
    {"dim", "    t = pl.load(x[0:4, :])\n"
            "    t = t[n:, :]\n"
            "    y[0, 0] = pl.cast(pl.dim(pl.find(t > 0.0, 2), 0), pl.FP32)\n"},
    {"fillpad", "    y[0:8, 0:8] = pl.fillpad(pl.load(x, [0, 0], [8, 8]))\n"},
    {"find", "    y[:, 0:4] = pl.cast(pl.find(x > 0.5, 4), pl.FP32)\n"},
    {"full", "    y[:] = 1.0\n"},
    {"gather", "    y[:] = pl.gather(x, dim=1, index=k)\n"
               "    y[:] = pl.gather(x, index=k)\n"},
    {"insert", "    t = pl.load(x)\n"
               "    t[0:2, 0:2] = 1.0\n"
               "    y[:] = t\n"},
    {"load", "    y[:] = pl.load(x)\n"},
    {"matmul", "    y[0:8, 0:8] = pl.matmul(x[0:8, 0:8], x[0:8, 0:8], "
               "b_trans=True)\n"
               "    y[0:8, 0:8] = pl.matmul_acc(x[0:8, 8:16], x[0:8, 0:8], "
               "x[0:8, 0:8], a_trans=True, precision=\"tf32\")\n"
               "    y[0:8, 0:8] = pl.matmul(x[0:8, 0:8], x[0:8, 0:8], "
               "precision=\"tf32\")\n"},
    {"meet", "    pl.distributed.meet(\"a step\")\n"
             "    pl.distributed.meet(\"it's \\\"here\\\"\", [M, n])\n"
             "    pl.distributed.barrier()\n"},
    {"print", "    pl.print(\"x {of} n\", x, n)\n"
              "    for i in pl.parallel(0, M, 4):\n"
              "        pl.print(\"part\", x[i : i + 4, :], i)\n"
              "        y[i : i + 4, :] = x[i : i + 4, :]\n"},
    {"merge_runs", "    s = pl.sort32(x, k)\n"
                   "    y[:, 0:8] = pl.mrgsort(s, block_len=64)[:, 0:8]\n"
                   "    y[:, 0:8] = pl.mrgsort(s, block_len=n)[:, 0:8]\n"},
    {"notify", "    pl.distributed.notify(k, n, [0, 1], 2)\n"
               "    pl.distributed.notify(k, 0, [n, 0], n, "
               "pl.distributed.NotifyOp.Set)\n"},
    {"parallel", "    for i in pl.parallel(M):\n"
                 "        y[i, :] = x[i, :]\n"},
    {"peer",
     "    y[:] = pl.distributed.peer(x[0:8, :], n)\n"
     "    y[0:8, :] = pl.distributed.remote_load(x, n, [0, 0], [8, N])\n"},
    {"peer_end", "    part = pl.distributed.peer(y, n, use=\"write\")\n"
                 "    part[:] = x\n"
                 "    pl.distributed.peer_end(part)\n"
                 "    pl.distributed.put(y, 0, x)\n"
                 "    pl.distributed.remote_store(x, y, n, [0, 0], "
                 "pl.AtomicType.Add)\n"},
    {"rank", "    y[pl.distributed.rank(), :] = 1.0\n"},
    {"rank_count", "    y[0, 0] = pl.cast(pl.distributed.nranks(), pl.FP32)\n"},
    {"read", "    y[0, 0] = x[n, 0]\n"},
    {"reduce", "    y[:, 0:1] = pl.row_max(x)\n"
               "    y[0:1, :] = pl.col_prod(x)\n"
               "    y[:, 0:1] = pl.row_nanmin(x)\n"},
    {"reshape_elements",
     "    y[:] = pl.reshape(pl.reshape(x * 2.0, [N, M]) + 1.0, "
     "[M, N])\n"},
    {"require", "    pl.assume(M % 16 == 0)\n"
                "    y[:] = x\n"},
    {"relax", "    t = pl.load(x[0:8, 0:8])\n"
              "    if n > 4:\n"
              "        t = pl.load(x[0:n, 0:8])\n"
              "    y[0:1, 0:8] = pl.col_sum(t)\n"},
    {"reshape",
     "    y[:] = pl.reshape(pl.reshape(x + 1.0, [M, N, 1]), [M, N])\n"},
    {"retype",
     "    w = pl.distributed.alloc_window_buffer([M, N], dtype=pl.FP32)\n"
     "    t = pl.distributed.window(w, [M, N], dtype=pl.FP32)\n"
     "    t[:] = x\n"
     "    y[:] = t\n"},
    {"scan", "    y[:] = pl.cumsum(x, axis=0)\n"
             "    y[:] = pl.cummax(y)\n"
             "    y[:] = pl.cumsum(y, initial=2.0)\n"},
    {"scatter", "    y[:] = pl.scatter(x, dim=1, index=k, src=x)\n"
                "    y[:] = pl.scatter(x, x, k)\n"},
    {"scatter_store",
     "    pl.mscatter(x, k, y)\n"
     "    pl.mscatter(x, k, y, atomic=pl.AtomicType.Add)\n"
     "    pl.mscatter(x, k[:, 0], y, coalesce=\"row\")\n"
     "    pl.mscatter(x, k, y, dim=1, atomic=pl.AtomicType.Add)\n"},
    {"slice", "    y[0:8, :] = x[1:9, :]\n"},
    {"sort_rows", "    v, i = pl.sort(x)\n"
                  "    y[:] = v + pl.cast(i, pl.FP32)\n"},
    {"sort_runs", "    y[:, 0:8] = pl.sort32(x, k)[:, 0:8]\n"},
    {"store", "    y[:] = x\n"},
    {"transpose", "    y[0:8, 0:8] = pl.transpose(pl.load(x[0:8, 0:8]), 0, 1)\n"
                  "    t = pl.reshape(pl.load(x[0:4, 0:6]), [4, 3, 2])\n"
                  "    t = pl.transpose(pl.transpose(t, 0, 1), 1, 2)\n"
                  "    y[0:3, 0:8] = pl.reshape(t, [3, 8])\n"},
    {"view", "    t = pl.reshape(x, [N, M])\n"
             "    y[0, 0] = t[1, 0]\n"},
    {"wait", "    pl.distributed.wait(k, [n, 0], 1)\n"
             "    pl.distributed.wait(k, [0, 0], n, "
             "pl.distributed.WaitCmp.Eq)\n"},
    {"window", "    t = pl.load(x)\n"
               "    y[0:4, :] = t[1:5, :]\n"},
    {"with_extents", "    t = pl.load(x[0:n, :])\n"
                     "    for i in pl.range(n):\n"
                     "        t = t[1:, :]\n"
                     "    y[0:1, :] = pl.col_sum(t)\n"},
    {"write", "    y[0, 0] = 1.0\n"},
    // Ends the body of pl.at and pl.parallel.
    {"yield", "    for i in pl.parallel(M):\n"
              "        y[i, 0] = 1.0\n"},
};

/// A call of an elementwise op with `count` operands of FP32 or INT32.
static std::string call(const std::string &name, unsigned count,
                        bool isInteger) {
  if (name == "select")
    return "    y[:] = pl.select(x < 1.0, x, 2.0)\n";
  std::string text = isInteger ? "    y[:] = pl.cast(pl." : "    y[:] = pl.";
  text += name + "(";
  for (unsigned i = 0; i < count; ++i)
    text += std::string(i ? ", " : "") + (isInteger ? "k" : "x");
  return text + (isInteger ? "), pl.FP32)\n" : ")\n");
}

/// The body of a kernel with the op in it.
static std::string bodyFor(mlir::RegisteredOperationName op) {
  std::string name = op.stripDialect().str();
  auto found = bodies.find(name);
  if (found != bodies.end())
    return found->second;
  if (!op.hasInterface<pl::ElementwiseOpInterface>())
    return "";
  for (bool isInteger : {false, true})
    for (unsigned count : {1, 2}) {
      std::string body = call(name, count, isInteger);
      Expected<std::string> text =
          printStage({"kernel.py", "", head + body}, "frontend");
      if (text)
        return body;
      llvm::consumeError(text.takeError());
    }
  return "";
}

/// Prints the program at `stage`, which is right only if the text has been
/// parsed again to the same program.
static void expectSource(const std::string &body, Stage stage) {
  Expected<std::string> text =
      printSource({"kernel.py", "", head + body}, stage);
  EXPECT_TRUE(static_cast<bool>(text))
      << body << llvm::toString(text.takeError());
}

TEST(PrintSource, WritesEveryOp) {
  mlir::MLIRContext context;
  context.loadDialect<pl::PlDialect>();
  unsigned numOps = 0;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations()) {
    // These are made when there is no source any more.
    if (op.getDialectNamespace() != "pl" ||
        llvm::is_contained({"launch", "matmul_into", "epilogue_yield",
                            "running_sum", "pick", "put"},
                           op.stripDialect()))
      continue;
    // WritesHostPrograms has these. A program that calls back is refused: what
    // it calls has no body to be written.
    if (llvm::is_contained({"callback", "dispatch", "dispatch_end", "host_end"},
                           op.stripDialect()))
      continue;
    ++numOps;
    SCOPED_TRACE(op.getStringRef().str());
    std::string body = bodyFor(op);
    ASSERT_FALSE(body.empty()) << "the op has no kernel here";
    Expected<std::string> text =
        printStage({"kernel.py", "", head + body}, "frontend");
    ASSERT_TRUE(static_cast<bool>(text)) << llvm::toString(text.takeError());
    // What ends a body is not printed.
    std::string name = op.getStringRef().str();
    bool isFound = llvm::any_of(StringRef(" [\n"), [&](char end) {
      return text->find(name + end) != std::string::npos;
    });
    if (name != "pl.yield")
      EXPECT_TRUE(isFound) << "the op is not in its kernel:\n" << *text;
    expectSource(body, Stage::Frontend);
    expectSource(body, Stage::Inferred);
  }
  EXPECT_GE(numOps, bodies.size());
}

static const char *const hostProgram = R"py(import tegula.language as pl

R = pl.dynamic("R")
M = pl.dynamic("M")


@pl.jit.inline
def scale(x, y: pl.Out[pl.Tensor]):
    y[:] = x * 2.0


@pl.jit.host
def program(x: pl.Tensor[[R, M], pl.FP32], y: pl.Out[pl.Tensor[[R, M], pl.FP32]]):
    t = pl.create_tensor([R, M], dtype=pl.FP32)
    for r in pl.range(pl.distributed.nranks()):
        scale(x[r, :], t[r, :], device=r)
    for r in pl.range(pl.distributed.nranks()):
        scale(t[r, :], y[r, :], device=-1)
    y[0, 0] = x[0, 0]
)py";

TEST(PrintSource, WritesHostPrograms) {
  KernelSource source = {"program.py", "", hostProgram};
  Expected<std::string> text = printSource(source, Stage::Frontend);
  ASSERT_TRUE(static_cast<bool>(text)) << llvm::toString(text.takeError());
  EXPECT_EQ(*text, hostProgram);
  Expected<std::string> later = printSource(source, Stage::Inferred);
  ASSERT_FALSE(static_cast<bool>(later)) << *later;
  EXPECT_NE(llvm::toString(later.takeError())
                .find("a host program is printed as it was written, at stage "
                      "frontend"),
            std::string::npos);
}
