// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels printed as source again: the same program, the same text the next
// time, the same results.

#include "tegula/runtime/Compiler.h"
#include "tegula/support/Array.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace tegula;

static std::vector<std::string> listFiles(const std::string &folder) {
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator
           it(std::string(TEGULA_SOURCE_DIR) + "/" + folder, code),
       end;
       it != end && !code; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".py")
      paths.push_back(it->path());
  llvm::sort(paths);
  return paths;
}

/// The source of a kernel at `stage`, or the error.
static std::string print(const KernelSource &source, Stage stage) {
  Expected<std::string> text = printSource(source, stage);
  return text ? *text : "error: " + llvm::toString(text.takeError());
}

/// Prints, parses, compares, and prints again.
static std::string expectRoundTrip(const KernelSource &source, Stage stage) {
  SCOPED_TRACE(source.path + ":" + source.kernel +
               (stage == Stage::Frontend ? " frontend" : " inferred"));
  std::string text = print(source, stage);
  KernelSource printed = {"printed.py", "", text};
  Expected<std::optional<KernelDifference>> difference =
      findDifference(source, printed);
  if (!difference)
    ADD_FAILURE() << llvm::toString(difference.takeError()) << text;
  else if (*difference)
    ADD_FAILURE() << (*difference)->text << text;
  EXPECT_EQ(print(printed, stage), text);
  return text;
}

/// Arrays for a call in which every symbol has its own size.
struct Call {
  std::vector<std::vector<double>> memory;
  std::vector<Argument> arguments;
};

static Call makeCall(const Signature &signature, int64_t size) {
  Call call;
  for (const Parameter &parameter : signature.parameters) {
    if (parameter.kind == Parameter::Kind::Scalar) {
      call.arguments.push_back(
          isFloat(*parameter.dtype) ? Argument(1.25) : Argument(int64_t(2)));
      continue;
    }
    llvm::SmallVector<int64_t> sizes;
    for (const auto &axis : *parameter.axes)
      sizes.push_back(axis.extent ? *axis.extent
                                  : size + int64_t(axis.symbol.size() +
                                                   axis.symbol[0] % 7));
    int64_t count = 1;
    for (int64_t extent : sizes)
      count *= extent;
    // Zeros of any type, with a few small bits that are harmless numbers.
    std::vector<double> &data =
        call.memory.emplace_back(std::max<int64_t>(1, count), 0.0);
    bool isReal = *parameter.dtype == DType::FP32;
    for (int64_t i = 0; isReal && i < count; ++i)
      reinterpret_cast<float *>(data.data())[i] =
          static_cast<float>((i * 37 + size) % 23) / 8 - 1;
    call.arguments.push_back(TensorView(data.data(), *parameter.dtype, sizes));
  }
  return call;
}

/// Runs both at two sizes.
static void expectSameResults(const KernelSource &source,
                              const std::string &text) {
  SCOPED_TRACE(source.path + ":" + source.kernel);
  Expected<Kernel> first = loadKernel(source);
  Expected<Kernel> second = loadKernel(KernelSource{"printed.py", "", text});
  ASSERT_TRUE(first && second);
  for (int64_t size : {3, 70}) {
    Call one = makeCall(first->getSignature(), size);
    Call other = makeCall(second->getSignature(), size);
    EXPECT_EQ(llvm::toString((*first)(one.arguments)),
              llvm::toString((*second)(other.arguments)));
    EXPECT_EQ(one.memory, other.memory) << text;
  }
}

TEST(PrintSource, BringsExamplesBack) {
  std::vector<std::string> paths = listFiles("examples");
  EXPECT_GE(paths.size(), 17u);
  for (const std::string &path : paths) {
    Expected<std::vector<std::string>> kernels = listKernels(path);
    ASSERT_TRUE(static_cast<bool>(kernels)) << path;
    for (const std::string &kernel : *kernels) {
      KernelSource source = {path, kernel};
      std::string text = expectRoundTrip(source, Stage::Inferred);
      EXPECT_EQ(expectRoundTrip(source, Stage::Frontend).empty(), false);
      expectSameResults(source, text);
    }
  }
}

TEST(PrintSource, BringsHostProgramsBack) {
  std::vector<std::string> paths = listFiles("examples/ranks");
  EXPECT_GE(paths.size(), 11u);
  for (const std::string &path : paths)
    EXPECT_NE(expectRoundTrip({path, ""}, Stage::Frontend).find("@pl.jit.host"),
              std::string::npos);
}

static const char *const head = R"py(import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def kernel(x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
)py";

/// A kernel with this body, printed again.
static std::string printBody(const std::string &body,
                             Stage stage = Stage::Frontend) {
  std::string text = expectRoundTrip({"kernel.py", "", head + body}, stage);
  llvm::StringRef printed = text;
  EXPECT_TRUE(printed.consume_front(head)) << text;
  return printed.str();
}

TEST(PrintSource, KeepsTheAuthorsWords) {
  std::string body = "    total = pl.full([8, 1], dtype=pl.FP32, value=0.0)\n"
                     "    for j in pl.range(0, N, 64):\n"
                     "        block = pl.load(x[0:8, j : j + 64])\n"
                     "        total = total + pl.row_sum(block * block)\n"
                     "    y[0:8, 0:1] = pl.sqrt(total + 1e-06) / 2.0\n";
  EXPECT_EQ(printBody(body), body);
  EXPECT_EQ(printBody(body, Stage::Inferred), body);
}

TEST(PrintSource, SetsVariablesAtOnceWhereTheyDependOnEachOther) {
  EXPECT_EQ(printBody("    a = 0\n"
                      "    b = 1\n"
                      "    for i in pl.range(n):\n"
                      "        a, b = b, a + b\n"
                      "    y[0, 0] = pl.cast(a, pl.FP32)\n"),
            "    a = 0\n"
            "    b = 1\n"
            "    for i in pl.range(n):\n"
            "        b_1 = a + b\n"
            "        a, b = b, b_1\n"
            "    y[0, 0] = pl.cast(a, pl.FP32)\n");
}

TEST(PrintSource, LeavesOutBranchesThatChangeNothing) {
  std::string body = "    t = pl.load(x)\n"
                     "    if n > 4 and n % 3 == 0:\n"
                     "        t = -t\n"
                     "    y[:] = t\n";
  EXPECT_EQ(printBody(body), body);
}

TEST(PrintSource, WritesLoopsThatTestFirst) {
  std::string body = "    i = 0\n"
                     "    while i < n and i < M:\n"
                     "        y[i, :] = x[i, :] * 2.0\n"
                     "        i = i + 1 + i // 4\n";
  EXPECT_EQ(printBody(body), body);
}

TEST(PrintSource, WritesTypedNumbers) {
  std::string body = "    t = pl.cast(x, pl.INT8, mode=\"floor\") + 3\n"
                     "    u = pl.cast(t, pl.UINT16) << 2\n"
                     "    s = pl.cast(n, pl.FP16) * 0.1\n"
                     "    y[:] = pl.cast(u, pl.FP32) + pl.cast(s, pl.FP32)\n";
  EXPECT_EQ(printBody(body), body);
}

TEST(PrintSource, WritesWindowsAsTheirAuthorsWould) {
  std::string body = "    y[n : n + 4, 1:3] = x[0 : n, 2:4]\n"
                     "    y[2 : min(n, M), :] = 1.5\n"
                     "    y[n, :] = x[n + 1, :]\n"
                     "    y[0, n] = x[n, 0]\n";
  EXPECT_EQ(printBody(body), body);
}

TEST(PrintSource, NamesOpsWithoutSource) {
  const char *text = R"mlir(
func.func @kernel(%y: !pl.tensor<[8], f32> {pl.dir = #pl.dir<out>, pl.name = "y"}, %n: index {pl.name = "n"}, %v: f32 {pl.name = "v"})
    attributes {pl.kind = #pl.kind<entry>} {
  %q = arith.ceildivsi %n, %n : index
  pl.write %v, %y[%q] : f32, !pl.tensor<[8], f32>
  return
}
)mlir";
  Expected<std::string> source =
      printSource({"kernel.mlir", "", text}, Stage::Frontend);
  ASSERT_FALSE(static_cast<bool>(source));
  EXPECT_NE(llvm::toString(source.takeError())
                .find("'arith.ceildivsi' cannot be written as kernel source"),
            std::string::npos);
}

TEST(PrintSource, RefusesLaterStages) {
  EXPECT_EQ(print({"kernel.py", "", head}, Stage::Tiles),
            "error: source is printed of stage frontend or inferred");
}

TEST(PrintSource, WritesLoopsWithBreak) {
  printBody("    s = 0.0\n"
            "    for i in pl.range(M):\n"
            "        s = s + x[i, 0]\n"
            "        if s > 4.0:\n"
            "            break\n"
            "        y[i, 0] = s\n",
            Stage::Inferred);
}

TEST(PrintSource, CallsWhatGoesAroundAsTheHeadOfItsLoopDoes) {
  std::string text =
      printBody("    for i, (acc,) in pl.range(n, init_values=(0.0,)):\n"
                "        acc = pl.yield_(acc + x[i, 0])\n"
                "    y[0, 0] = acc\n");
  EXPECT_NE(text.find("acc = acc + "), std::string::npos) << text;
}

TEST(PrintSource, WritesCallsThatOrder) {
  for (Stage stage : {Stage::Frontend, Stage::Inferred})
    printBody("    v, i = pl.topk(x[0:8, :], 4)\n"
              "    y[0:8, 0:4] = v + pl.cast(i, pl.FP32)\n"
              "    s, o = pl.sort(x + 1.0, axis=0, descending=True)\n"
              "    y[:] = s\n"
              "    y[:, 0:1] = pl.cast(pl.row_argmin(x), pl.FP32)\n",
              stage);
}

TEST(PrintSource, WritesReshapesOfRunTimeExtents) {
  for (Stage stage : {Stage::Frontend, Stage::Inferred})
    printBody(
        "    flat = pl.reshape(x, [M * N])\n"
        "    y[:] = pl.reshape(flat * 2.0, [M, N])\n"
        "    y[:] = pl.reshape(pl.reshape(x + 1.0, [N, M]) * 2.0, [M, N])\n",
        stage);
}

TEST(PrintSource, WritesBarriersWhereTheyAre) {
  for (Stage stage : {Stage::Frontend, Stage::Inferred}) {
    std::string text = printBody("    for b in pl.spmd(M):\n"
                                 "        t = x[b, 0] + 1.0\n"
                                 "        for i in pl.range(n):\n"
                                 "            y[b, 0] = t\n"
                                 "            pl.system.syncall()\n"
                                 "            t = t + y[M - 1 - b, 0]\n"
                                 "            pl.system.syncall()\n"
                                 "        y[b, 1] = t\n",
                                 stage);
    EXPECT_NE(text.find("pl.system.syncall()"), std::string::npos) << text;
  }
}

TEST(PrintSource, WritesAssumptions) {
  for (Stage stage : {Stage::Frontend, Stage::Inferred})
    printBody("    pl.assume(M % 16 == 0)\n"
              "    pl.assume(n < N)\n"
              "    y[:] = x + x[0, n]\n",
              stage);
}

TEST(PrintSource, WritesConditionsThatStopEarly) {
  for (Stage stage : {Stage::Frontend, Stage::Inferred})
    printBody("    y[:] = 0.0\n"
              "    i = 0\n"
              "    while i < M and (x[i, 0] > 0.0 or x[i, 1] < 1.0):\n"
              "        y[i, 0] = 1.0\n"
              "        i = i + 1\n"
              "        if i == n:\n"
              "            break\n",
              stage);
}
