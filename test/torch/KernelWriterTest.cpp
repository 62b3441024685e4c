// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/torch/KernelWriter.h"

#include "gmock/gmock.h"

using namespace tegula;
using namespace tegula::torch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A graph with one input `x` of [s0, 4] FP32 and these nodes, of which `out`
/// comes out.
static std::string graphOf(const std::string &nodes) {
  return R"({"name": "k", "symbols": ["s0"], "numbers": [],
    "inputs": [{"name": "x", "type": {"dtype": "float32", "shape": ["s0", "4"]}}],
    "nodes": [)" +
         nodes + R"(], "outputs": [{"node": "out"}]})";
}

static std::string nodeOf(const std::string &op, const std::string &arguments,
                          const std::string &dtype = "float32",
                          const std::string &shape = R"(["s0", "4"])") {
  return R"({"name": "out", "op": ")" + op + R"(", "args": )" + arguments +
         R"(, "kwargs": {}, "results": [{"dtype": ")" + dtype +
         R"(", "shape": )" + shape + "}]}";
}

static std::string write(const std::string &nodes) {
  Expected<Graph> graph = readGraph(graphOf(nodes));
  if (!graph)
    return llvm::toString(graph.takeError());
  Expected<std::string> text = KernelWriter(*graph).write();
  return text ? *text : llvm::toString(text.takeError());
}

TEST(KernelWriter, DeclaresInputsAndSymbols) {
  std::string text = write(nodeOf("aten.relu.default", R"([{"node": "x"}])"));
  EXPECT_THAT(text, HasSubstr("s0 = pl.dynamic(\"s0\")"));
  EXPECT_THAT(text, HasSubstr("x: pl.Tensor[[s0, 4], pl.FP32],"));
  EXPECT_THAT(text, HasSubstr("t0 = pl.relu(x)\n    return t0"));
}

TEST(KernelWriter, WritesNumbersAsTheElementsTheyMeet) {
  auto add = [](const std::string &number, const std::string &dtype) {
    return write(
        nodeOf("aten.mul.Tensor", R"([{"node": "x"}, )" + number + "]", dtype));
  };
  EXPECT_THAT(add("2", "float32"), HasSubstr("(x * 2.0)"));
  EXPECT_THAT(add(R"({"float": "-inf"})", "float32"),
              HasSubstr("(x * float(\"-inf\"))"));
  EXPECT_THAT(add(R"({"size": "s0 + 1"})", "float32"),
              HasSubstr("(x * pl.cast(s0 + 1, pl.FP32))"));
}

TEST(KernelWriter, RoundsNarrowFloatsAfterEachOperation) {
  EXPECT_THAT(
      write(nodeOf("aten.exp.default", R"([{"node": "x"}])", "bfloat16")),
      HasSubstr("pl.cast(pl.exp(x), pl.BF16, mode=\"rint\")"));
}

TEST(KernelWriter, TakesShapesFromResults) {
  EXPECT_THAT(write(nodeOf("aten.view.default", R"([{"node": "x"}, [-1]])",
                           "float32", R"(["4*s0"])")),
              HasSubstr("pl.reshape(x, [4*s0])"));
  EXPECT_THAT(write(nodeOf("aten.view.default", R"([{"node": "x"}, [-1, 4]])")),
              HasSubstr("t0 = kernels.copy(x)\n    return t0"));
}

TEST(KernelWriter, NamesWhatItDoesNotKnow) {
  std::string nodes = nodeOf("aten.erfinv.default", R"([{"node": "x"}])");
  EXPECT_EQ(write(nodes), "aten.erfinv.default is not known in this form");
  Graph graph = llvm::cantFail(readGraph(graphOf(nodes)));
  EXPECT_THAT(KernelWriter(graph).listUnknown(), ElementsAre("out"));
}

TEST(KernelWriter, RefusesWhatUsesUnwrittenNodes) {
  EXPECT_EQ(write(nodeOf("aten.relu.default", R"([{"node": "nobody"}])")),
            "aten.relu.default is not known in this form");
}

TEST(KernelWriter, RefusesTypesThatKernelsDoNotHave) {
  EXPECT_EQ(
      write(nodeOf("aten.relu.default", R"([{"node": "x"}])", "complex64")),
      "aten.relu.default is not known in this form");
}

TEST(ReadGraph, SaysWhatIsWrong) {
  auto problem = [](llvm::StringRef json) {
    Expected<Graph> graph = readGraph(json);
    return graph ? "" : llvm::toString(graph.takeError());
  };
  EXPECT_THAT(problem("["), HasSubstr("Unexpected EOF"));
  EXPECT_THAT(problem("{}"), HasSubstr("missing value at graph.name"));
  EXPECT_THAT(problem(graphOf(nodeOf("aten.relu.default", R"([{"no": 1}])"))),
              HasSubstr("is not what an operation can be given"));
}
