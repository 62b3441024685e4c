// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on simulated NPUs: the examples' values, and what is told of them.
// Random kernels run there in test/differential.

#include "tegula/launch/call/TracedCall.h"
#include "tegula/runtime/Check.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/sim/engine/Observer.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/support/Array.h"

#include "gtest/gtest.h"

using namespace tegula;

namespace {

constexpr const char *matmulText = R"(
import tegula.language as pl

M, N, K = pl.dynamic("M"), pl.dynamic("N"), pl.dynamic("K")


@pl.jit
def matmul(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32],
            c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = a @ b
)";

/// A matmul whose operand and whose result other ops work on.
constexpr const char *mixedText = R"(
import tegula.language as pl

M, N, K = pl.dynamic("M"), pl.dynamic("N"), pl.dynamic("K")


@pl.jit
def mixed(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32],
          c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.exp(pl.exp(a) @ b)
)";

/// Adds rows by a table, so what is read depends on data.
constexpr const char *gatherText = R"(
import tegula.language as pl

M, N = pl.dynamic("M"), pl.dynamic("N")


@pl.jit
def gather(x: pl.Tensor[[M, N], pl.FP32], rows: pl.Tensor[[M], pl.INT32],
           y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(M):
        r = pl.read(rows, [i])
        y[i : i + 1, :] = x[r : r + 1, :]
)";

Kernel load(const char *text, const std::string &target) {
  KernelSource source;
  source.path = "kernel.py";
  source.text = text;
  source.target = target;
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel) {
    ADD_FAILURE() << llvm::toString(kernel.takeError());
    std::abort();
  }
  return *kernel;
}

/// Tensors that are not there, one after the other.
std::vector<Argument> madeUp(llvm::ArrayRef<std::vector<int64_t>> shapes) {
  std::vector<Argument> arguments;
  int64_t address = 1 << 20;
  for (llvm::ArrayRef<int64_t> shape : shapes) {
    int64_t bytes = sizeof(float);
    for (int64_t extent : shape)
      bytes *= extent;
    arguments.emplace_back(
        TensorView(reinterpret_cast<void *>(address), DType::FP32, shape));
    address += (bytes / 4096 + 1) * 4096;
  }
  return arguments;
}

sim::Result simulate(const Kernel &kernel, const std::string &machine,
                     llvm::ArrayRef<Argument> arguments) {
  std::unique_ptr<TracedCall> call = llvm::cantFail(kernel.trace(arguments));
  sim::Result result = llvm::cantFail(sim::simulate(
      llvm::cantFail(sim::loadMachine(machine)), call->getKernel()));
  EXPECT_FALSE(call->getProblem());
  return result;
}

sim::Result simulateMatmul(const Kernel &kernel, int64_t m, int64_t n,
                           int64_t k) {
  return simulate(kernel, "tpuv3", madeUp({{m, k}, {k, n}, {m, n}}));
}

int64_t countMoved(const sim::Result &result, llvm::StringRef tensor) {
  for (const sim::TensorTraffic &traffic : result.tensors)
    if (traffic.name == tensor)
      return traffic.bytesLoaded + traffic.bytesStored;
  return -1;
}

/// Fills every element with small numbers.
Array makeArray(llvm::ArrayRef<int64_t> shape) {
  Array array = llvm::cantFail(Array::create(shape, DType::FP32));
  int64_t count = 0;
  forEachElement(array.getView(), [&](char *element) {
    writeElement(element, DType::FP32, double(++count * 37 % 23) / 8 - 1);
  });
  return array;
}

} // namespace

TEST(NpuTest, OneKernelServesEverySize) {
  Kernel kernel = load(matmulText, "npu:tpuv3");
  uint64_t before = getCompileCount();
  for (auto [m, n, k] : {std::tuple(1, 1, 1),
                         {7, 13, 5},
                         {128, 256, 512},
                         {1000, 1024, 1536},
                         {2048, 1, 2047}}) {
    sim::Result result = simulateMatmul(kernel, m, n, k);
    EXPECT_EQ(result.getMacs(), int64_t(m) * n * k);
    // Each element is written once, and read at least once.
    EXPECT_EQ(countMoved(result, "c"), int64_t(m) * n * 4);
    EXPECT_GE(countMoved(result, "a"), int64_t(m) * k * 4);
    EXPECT_GE(countMoved(result, "b"), int64_t(k) * n * 4);
  }
  EXPECT_EQ(getCompileCount(), before);
}

TEST(NpuTest, TwiceTheRowsAreTwiceTheOperations) {
  Kernel kernel = load(matmulText, "npu:tpuv3");
  sim::Result once = simulateMatmul(kernel, 4096, 2048, 2048);
  sim::Result twice = simulateMatmul(kernel, 8192, 2048, 2048);
  EXPECT_EQ(2 * once.numOps, twice.numOps);
  EXPECT_GT(twice.getCycles(), once.getCycles() * 19 / 10);
  EXPECT_LT(twice.getCycles(), once.getCycles() * 21 / 10);
}

TEST(NpuTest, AnEmptyMatmulDoesNothing) {
  Kernel kernel = load(matmulText, "npu:tpuv3");
  EXPECT_EQ(simulateMatmul(kernel, 0, 5, 5).numOps, 0);
  EXPECT_EQ(simulateMatmul(kernel, 5, 5, 0).getMacs(), 0);
}

TEST(NpuTest, ATraceRepeatsToTheTick) {
  Kernel kernel = load(matmulText, "npu:tpuv3");
  std::vector<Argument> arguments =
      madeUp({{1000, 300}, {300, 700}, {1000, 700}});
  std::unique_ptr<TracedCall> call = llvm::cantFail(kernel.trace(arguments));
  sim::Machine machine = llvm::cantFail(sim::loadMachine("tpuv3"));
  sim::Result first = llvm::cantFail(sim::simulate(machine, call->getKernel()));
  sim::Result second =
      llvm::cantFail(sim::simulate(machine, call->getKernel()));
  EXPECT_EQ(first.total, second.total);
  EXPECT_EQ(first.numEvents, second.numEvents);
}

namespace {

/// Looks at the memories that operations name.
struct SideChecker : sim::Observer {
  void onOp(const sim::OpRecord &record) override {
    bool isVector = false, isArrays = false;
    auto note = [&](const TegulaTraceRange &range) {
      isVector |= range.space == TegulaTraceVectorScratchpad;
      isArrays |= range.space == TegulaTraceScratchpad ||
                  range.space == TegulaTraceAccumulator;
    };
    const TegulaTraceOp &op = record.op;
    std::for_each(op.reads, op.reads + op.numReads, note);
    std::for_each(op.writes, op.writes + op.numWrites, note);
    numMixed += isVector && isArrays;
    bool ofVectors = op.kind == TegulaTraceVector;
    bool ofArrays =
        op.kind == TegulaTraceMultiply || op.kind == TegulaTraceLoadWeights;
    numMixed += (ofVectors && isArrays) || (ofArrays && isVector);
  }
  int64_t numMixed = 0;
};

} // namespace

/// On a machine whose vector units are cores, what goes between them and the
/// arrays is stored and loaded; on others nothing is.
TEST(NpuTest, VectorCoresAndArraysHandover) {
  int64_t m = 300, n = 200, k = 100;
  std::vector<Argument> arguments = madeUp({{m, k}, {k, n}, {m, n}});
  Kernel mixed = load(mixedText, "npu:ascend910b");
  std::unique_ptr<TracedCall> call = llvm::cantFail(mixed.trace(arguments));
  SideChecker checker;
  sim::SimulateOptions options;
  options.observer = &checker;
  sim::Result result = llvm::cantFail(
      sim::simulate(llvm::cantFail(sim::loadMachine("ascend910b")),
                    call->getKernel(), options));
  EXPECT_EQ(checker.numMixed, 0);
  // Each is written and read; operands once for each tile of the result.
  EXPECT_GE(countMoved(result, "handed over"), 2 * 4 * (m * n + m * k));
  EXPECT_EQ(countMoved(result, "c"), m * n * 4);
  Kernel bare = load(matmulText, "npu:ascend910b");
  EXPECT_EQ(countMoved(simulate(bare, "ascend910b", arguments), "handed over"),
            0);
  Kernel other = load(mixedText, "npu:tpuv3");
  EXPECT_EQ(countMoved(simulate(other, "tpuv3", arguments), "handed over"), 0);
}

TEST(NpuTest, WhatIsHandedOverIsRight) {
  Kernel kernel = load(mixedText, "npu:ascend910b");
  for (auto [m, n, k] : {std::tuple(1, 1, 1), {70, 129, 65}, {4, 4, 0}}) {
    Array a = makeArray({m, k}), b = makeArray({k, n}), c = makeArray({m, n});
    CheckReport report = llvm::cantFail(
        checkCall(kernel, {a.getView(), b.getView(), c.getView()}));
    EXPECT_TRUE(report.agrees());
  }
}

/// With two weight slots a matmul's first weights are a step of their own.
TEST(NpuTest, WeightsLoadUnderTheMatmulBefore) {
  Kernel kernel = load(matmulText, "npu:tpuv3");
  const sim::CoreResult core =
      simulateMatmul(kernel, 2048, 2048, 2048).cores.front();
  EXPECT_EQ(core[sim::Unit::Weights].numOps, core[sim::Unit::Matrix].numOps);
  EXPECT_LT(core[sim::Unit::Matrix].getStall(sim::Stall::Weights),
            core[sim::Unit::Weights].busy / 4);
}

/// What a loop would load once is loaded in every iteration if there is no room
/// to keep it.
TEST(NpuTest, WhatDoesNotFitIsNotHoisted) {
  // Each load has 40 KB, and the scratchpad 256.
  std::string text = R"(
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def sums(x: pl.Tensor[[800, 100], pl.FP32], y: pl.Out[pl.Tensor[[100, 100], pl.FP32]]):
    for i in pl.range(0, 3):
)";
  for (int part = 0; part < 8; ++part) {
    std::string first = std::to_string(100 * part);
    text += "        t = pl.load(x, [" + first + ", 0], [100, 100])\n" +
            "        pl.store(t + pl.load(y, [0, 0], [100, 100]), [0, 0], y)\n";
  }
  Kernel kernel = load(text.c_str(), "npu:edge8x8");
  sim::Result result =
      simulate(kernel, "edge8x8", madeUp({{800, 100}, {100, 100}}));
  EXPECT_EQ(countMoved(result, "x"), 3 * 800 * 100 * 4);
}

TEST(NpuTest, SortsMoveWhatTheySort) {
  Kernel kernel = load(R"(
import tegula.language as pl

M, N = pl.dynamic("M"), pl.dynamic("N")


@pl.jit
def largest(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
    y[:, :] = pl.row_argmax(x)
)",
                       "npu:edge8x8");
  Array x = makeArray({9, 70});
  Array y = llvm::cantFail(Array::create({9, 1}, DType::Int32));
  sim::Result result = simulate(kernel, "edge8x8",
                                {Argument(x.getView()), Argument(y.getView())});
  EXPECT_EQ(countMoved(result, "x"), 9 * 70 * 4);
}

TEST(NpuTest, LoadsOverlapWithMatmuls) {
  Kernel kernel = load(matmulText, "npu:tpuv3");
  sim::Result result = simulateMatmul(kernel, 2048, 2048, 2048);
  const sim::CoreResult &core = result.cores.front();
  int64_t alone = sim::toCycles(core[sim::Unit::DmaIn].busy) +
                  sim::toCycles(core[sim::Unit::Matrix].busy);
  EXPECT_LT(result.getCycles(), alone * 8 / 10);
}

TEST(NpuTest, WhatDependsOnDataIsTracedInARun) {
  Kernel kernel = load(gatherText, "npu:edge8x8");
  Array x = makeArray({9, 70}), y = makeArray({9, 70});
  Array rows = llvm::cantFail(Array::create({9}, DType::Int32));
  std::vector<Argument> arguments = {x.getView(), rows.getView(), y.getView()};
  EXPECT_TRUE(llvm::cantFail(kernel.mustRunToTrace(arguments)));
  sim::Result result = simulate(kernel, "edge8x8", arguments);
  EXPECT_EQ(countMoved(result, "y"), 9 * 70 * 4);
  EXPECT_EQ(countMoved(result, "rows"), 9 * 4);
  // It has run: every row is the first.
  const float *elements = reinterpret_cast<const float *>(y.getBytes());
  EXPECT_EQ(elements[8 * 70 + 3], elements[3]);
}

TEST(NpuTest, ValuesAreThoseOfTheInterpreter) {
  for (const char *machine : {"tpuv3", "edge8x8", "ascend910b", "riscv-vector"})
    for (auto [m, n, k] : {std::tuple(1, 1, 1),
                           {3, 129, 65},
                           {130, 127, 300},
                           {257, 1, 40},
                           {0, 4, 4},
                           {4, 4, 0}}) {
      SCOPED_TRACE(std::string(machine) + " " + std::to_string(m));
      Kernel kernel = load(matmulText, std::string("npu:") + machine);
      Array a = makeArray({m, k}), b = makeArray({k, n}), c = makeArray({m, n});
      CheckReport report = llvm::cantFail(
          checkCall(kernel, {a.getView(), b.getView(), c.getView()}));
      EXPECT_TRUE(report.agrees());
    }
}

TEST(NpuTest, TheChosenTilingIsNearTheBest) {
  Kernel kernel = load(matmulText, "npu:tpuv3");
  // Simulated cycles of the best of all power-of-two tiles, by hand-written
  // programs without the zeroing of accumulators.
  for (auto [m, n, k, best] :
       {std::tuple(2048, 2048, 2048, 287000), {512, 512, 512, 9500}}) {
    sim::Result result = simulateMatmul(kernel, m, n, k);
    EXPECT_LT(result.getCycles(), best * 104 / 100);
  }
}

/// Its code has hundreds of steps, in functions with small stacks.
TEST(NpuTest, LongKernelsAreReported) {
  std::string text = R"(
import tegula.language as pl

M, N = pl.dynamic("M"), pl.dynamic("N")


@pl.jit
def long(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = x
    for i in pl.unroll(150):
        y[:] = pl.row_max(y) + y
)";
  Kernel kernel = load(text.c_str(), "npu:edge8x8");
  sim::Result result = simulate(kernel, "edge8x8", madeUp({{3, 70}, {3, 70}}));
  EXPECT_GT(result.numOps, 450);
}

TEST(NpuTest, ATileThatDoesNotFitIsAnError) {
  const char *text = R"(
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def wide(x: pl.Tensor[[M, 512], pl.FP32], y: pl.Out[pl.Tensor[[512, 512], pl.FP32]]):
    total = pl.full([512, 512], pl.FP32, 0.0)
    for i in pl.range(0, M, 512):
        t = pl.load(x, [i, 0], [512, 512])
        total = pl.matmul(total, t) + t
    pl.store(total, [0, 0], y)
)";
  KernelSource source;
  source.path = "kernel.py";
  source.text = text;
  source.target = "npu:edge8x8";
  Expected<Kernel> kernel = loadKernel(source);
  ASSERT_FALSE(static_cast<bool>(kernel));
  std::string message = llvm::toString(kernel.takeError());
  EXPECT_NE(message.find("does not fit the scratchpad"), std::string::npos)
      << message;
}

/// A window of a loop without iterations may lie anywhere.
TEST(NpuTest, WhatALoopWouldReportIsNotReportedWithoutIterations) {
  Kernel kernel = load(R"(
import tegula.language as pl

M, N = pl.dynamic("M"), pl.dynamic("N")


@pl.jit
def windows(x: pl.Tensor[[M, 8], pl.FP32], w: pl.Tensor[[N, 8], pl.FP32], s: pl.Scalar[pl.INDEX],
            y: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
    t = pl.full([1, 8], pl.FP32, 1.0)
    for i in pl.range(0, N):
        t = t + x[s : s + 1, :] * w[i : i + 1, :]
    y[:, :] = t
)",
                       "npu:edge8x8");
  Array x = makeArray({3, 8}), none = makeArray({0, 8}),
        two = makeArray({2, 8});
  Array y = makeArray({1, 8});
  EXPECT_FALSE(static_cast<bool>(
      kernel({x.getView(), none.getView(), int64_t(-1), y.getView()})));
  Error error = kernel({x.getView(), two.getView(), int64_t(-1), y.getView()});
  EXPECT_TRUE(static_cast<bool>(error));
  llvm::consumeError(std::move(error));
}

TEST(NpuTest, AnUnknownMachineIsAnError) {
  KernelSource source;
  source.path = "kernel.py";
  source.text = matmulText;
  source.target = "npu:tpuv9";
  Expected<Kernel> kernel = loadKernel(source);
  ASSERT_FALSE(static_cast<bool>(kernel));
  std::string message = llvm::toString(kernel.takeError());
  EXPECT_NE(message.find("tpuv3"), std::string::npos) << message;
}
