// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/torch/KernelWriter.h"

#include "gmock/gmock.h"

using namespace tegula;
using namespace tegula::torch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(KernelWriter, WritesNumbersAsTheElementsTheyJoin) {
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
      HasSubstr("pl.cast(pl.exp(pl.cast(pl.cast(x, pl.BF16, mode=\"rint\"), "
                "pl.FP32)), pl.BF16, mode=\"rint\")"));
}

TEST(KernelWriter, RoundsNumbersToNarrowFloatsButOperands) {
  const char *arguments = R"([{"node": "x"}, {"float": "0.1"}])";
  EXPECT_THAT(write(nodeOf("aten.add.Tensor", arguments, "bfloat16")),
              HasSubstr(" + 0.10009765625)"));
  EXPECT_THAT(write(nodeOf("aten.mul.Tensor", arguments, "bfloat16")),
              HasSubstr(" * 0.10000000149011612)"));
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

/// A convolution, a norm and relu; `middle` are further outputs.
static std::string writeConvNormRelu(const std::string &middle) {
  auto tensor = [](const std::string &name, const std::string &shape) {
    return R"({"name": ")" + name +
           R"(", "type": {"dtype": "float32", "shape": )" + shape + "}}";
  };
  auto node = [](const std::string &name, const std::string &op,
                 const std::string &arguments) {
    return R"({"name": ")" + name + R"(", "op": ")" + op + R"(", "args": )" +
           arguments +
           R"(, "kwargs": {}, "results": [{"dtype": "float32",
              "shape": ["s0", "2", "5", "5"]}]})";
  };
  Expected<Graph> graph = readGraph(
      R"({"name": "k", "symbols": ["s0"], "numbers": [], "inputs": [)" +
      tensor("x", R"(["s0", "2", "5", "5"])") + "," +
      tensor("w", R"(["2", "2", "1", "1"])") + "," + tensor("v", R"(["2"])") +
      R"(], "nodes": [)" +
      node("y", "aten.conv2d.default", R"([{"node": "x"}, {"node": "w"}])") +
      "," +
      node("z", "aten.batch_norm.default",
           R"([{"node": "y"}, null, null, {"node": "v"}, {"node": "v"}, false,
              {"float": "0.1"}, {"float": "0.5"}, true])") +
      "," + node("out", "aten.relu.default", R"([{"node": "z"}])") +
      R"(], "outputs": [{"node": "out"})" + middle + "]}");
  if (!graph)
    return llvm::toString(graph.takeError());
  Expected<std::string> text = KernelWriter(*graph).write();
  return text ? *text : llvm::toString(text.takeError());
}

TEST(KernelWriter, ComputesWhatComesAfterAConvolutionWithIt) {
  std::string text = writeConvNormRelu("");
  EXPECT_THAT(text, HasSubstr("t0 = 1.0 * pl.rsqrt(v + 0.5)"));
  EXPECT_THAT(text, HasSubstr("t1 = (0.0 - v) * t0 + 0.0"));
  EXPECT_THAT(text, HasSubstr("None, t0, t1, None, True)"));
  EXPECT_THAT(text, Not(HasSubstr("pl.relu(")));
}

TEST(KernelWriter, KeepsWhatOthersNeedOfAConvolution) {
  std::string text = writeConvNormRelu(R"(, {"node": "y"})");
  EXPECT_THAT(text, HasSubstr("None, None, None, None, False)"));
  EXPECT_THAT(text, HasSubstr("pl.relu("));
  text = writeConvNormRelu(R"(, {"node": "z"})");
  EXPECT_THAT(text, HasSubstr("None, t0, t1, None, False)"));
  EXPECT_THAT(text, HasSubstr("pl.relu("));
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

TEST(KernelWriter, WritesJoinedTensorsWhereTheyComeOut) {
  std::string inner =
      R"({"name": "k", "op": "aten.cat.default", "kwargs": {},
          "args": [[{"node": "x"}, {"node": "x"}], 0],
          "results": [{"dtype": "float32", "shape": ["2*s0", "4"]}]},)";
  std::string text =
      write(inner + nodeOf("aten.stack.default",
                           R"([[{"node": "k"}, {"node": "k"}], 0])", "float32",
                           R"(["2", "2*s0", "4"])"));
  // It is used twice, and has one place.
  EXPECT_THAT(text, HasSubstr("pl.concat(t0, t1, axis=0)"));
  inner += R"({"name": "l", "op": "aten.relu.default", "kwargs": {},
              "args": [{"node": "k"}],
              "results": [{"dtype": "float32", "shape": ["2*s0", "4"]}]},)";
  text = write(inner + nodeOf("aten.stack.default",
                              R"([[{"node": "k"}, {"node": "l"}], 0])",
                              "float32", R"(["2", "2*s0", "4"])"));
  EXPECT_THAT(text, Not(HasSubstr("pl.concat")));
  EXPECT_THAT(text,
              HasSubstr("[0 : 0 + (1), 0 + (s0) : 0 + (s0) + (s0), :] = "));
}

TEST(KernelWriter, RefusesWhatTorchRefuses) {
  std::string text = write(nodeOf(
      "aten.amax.default", R"([{"node": "x"}, [0]])", "float32", R"(["4"])"));
  EXPECT_THAT(text, HasSubstr("pl.assert_(s0 > 0, \"amax: "));
  text = write(nodeOf("aten.amax.default", R"([{"node": "x"}, [1]])", "float32",
                      R"(["s0"])"));
  EXPECT_THAT(text, Not(HasSubstr("pl.assert_")));
}
